import type { ReportedRun } from './ring-runs.js';

/** Prints what was checked, line by line, and keeps what is wrong. */
export class Findings {
  /** What keeps the service from decoding, or was not understood. */
  readonly problems: string[] = [];
  private warnings = 0;

  constructor(readonly note: (line: string) => void) {}

  /**
   * @param parts the line; undefined ones are left out
   * @param advice what to do when it is not good
   * @param isNeeded whether the service cannot do without it
   */
  check = (isGood: boolean, parts: (string | undefined)[], advice = '', isNeeded = true): void => {
    const text = parts.filter(Boolean).join(', ');
    const withAdvice = advice === '' ? text : `${text.replace(/\.$/, '')}. ${advice}`;
    this.note(isGood ? `✓ ${text}` : `${isNeeded ? '✗' : '!'} ${withAdvice}`);
    if (isGood) return;
    if (isNeeded) this.problems.push(text);
    else this.warnings += 1;
  };

  /** Checks that a command ran, and tuned as well if there are two runs. */
  checkRun([run, tuned]: ReportedRun[]): void {
    const failure = run?.failure ?? tuned?.failure;
    const parts = [`${run?.title}: ${run?.outcome}`, tuned && `tuned: ${tuned.outcome}`, failure];
    this.check(failure === undefined, parts, 'See docs/errors.md.');
    const isUtf8 = [run, tuned].every((one) => one?.isUtf8 !== false);
    const encoding = `${run?.title}: not UTF-8, and read as windows-1251`;
    if (!isUtf8) this.check(false, [encoding], 'Remove encodings from RING_OPTS.', false);
  }

  /** The last line: whether there was a problem. */
  sum(): void {
    if (this.problems.length > 0) this.note(`Problems: ${this.problems.length}, see ✗.`);
    else if (this.warnings > 0) this.note('Nothing keeps the service from decoding, but see !.');
    else this.note('Everything is fine.');
  }
}
