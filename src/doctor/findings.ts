import type { Runs } from './ring-runs.js';

/** Parts of a line; undefined ones are left out. */
type Parts = readonly (string | undefined)[];

/** Prints a line for each check, and keeps the problems. */
export class Findings {
  /** Faults that keep the service from decoding, and outputs that were not understood. */
  readonly problems: string[] = [];
  private warnings = 0;

  constructor(readonly note: (line: string) => void) {}

  /**
   * Says whether something is as the service needs it. If not, it is a problem.
   * @param advice for that case
   */
  check(isGood: boolean, parts: Parts, advice = ''): void {
    const text = joinParts(parts);
    if (isGood) {
      this.note(`✓ ${text}`);
      return;
    }
    this.note(`✗ ${withAdvice(text, advice)}`);
    this.problems.push(text);
  }

  /** Says the same of something that the service can do without. If it is not good, that is only a warning. */
  checkOptional(isGood: boolean, parts: Parts, advice: string): void {
    const text = joinParts(parts);
    if (isGood) {
      this.note(`✓ ${text}`);
      return;
    }
    this.note(`! ${withAdvice(text, advice)}`);
    this.warnings += 1;
  }

  /** Says whether a command ran. */
  checkRuns({ untuned, tuned }: Runs): void {
    const { title, outcome } = untuned;
    const failure = untuned.failure ?? tuned?.failure;
    const ofTuned = tuned === undefined ? undefined : `tuned: ${tuned.outcome}`;
    this.check(failure === undefined, [`${title}: ${outcome}`, ofTuned, failure], 'See docs/errors.md.');

    const areUtf8 = untuned.isUtf8 && tuned?.isUtf8 !== false;
    if (areUtf8) return;
    const encoding = `${title}: not UTF-8, and read as windows-1251`;
    this.checkOptional(false, [encoding], 'Remove encodings from RING_OPTS.');
  }

  /** Prints the last line: whether there was a problem. */
  sum(): void {
    if (this.problems.length > 0) {
      this.note(`Problems: ${this.problems.length}, see ✗.`);
    } else if (this.warnings > 0) {
      this.note('Nothing keeps the service from decoding, but see !.');
    } else {
      this.note('Everything is fine.');
    }
  }
}

/** Joins the parts of a line that are there. */
export function joinParts(parts: Parts, separator = ', '): string {
  const present = parts.filter((part) => part !== undefined && part !== '');
  return present.join(separator);
}

function withAdvice(text: string, advice: string): string {
  if (advice === '') return text;
  const withoutFullStop = text.replace(/\.$/, '');
  return `${withoutFullStop}. ${advice}`;
}
