import type { RingRun } from './ring-runs.js';

/** Prints what was checked, line by line, and keeps what is wrong. */
export class Findings {
  /** What keeps the service from decoding, or was not understood. */
  readonly problems: string[] = [];

  constructor(readonly note: (line: string) => void) {}

  /**
   * @param parts the line; undefined ones are left out
   * @param advice what to do when it is not good
   * @param isNeeded whether the service cannot do without it
   */
  check = (isGood: boolean, parts: (string | undefined)[], advice = '', isNeeded = true): void => {
    const text = parts.filter(Boolean).join(', ');
    this.note(`${isGood ? '✓' : '✗'} ${text}${isGood || !advice ? '' : `. ${advice}`}`);
    if (!isGood && isNeeded) this.problems.push(text);
  };

  /** Checks that a command ran, and tuned as well if there are two runs. */
  checkRun([run, tuned]: RingRun[]): void {
    const failure = run?.failure ?? tuned?.failure;
    const parts = [`${run?.title}: ${run?.outcome}`, tuned && `tuned: ${tuned.outcome}`, failure];
    this.check(failure === undefined, parts, 'See docs/errors.md.');
  }
}
