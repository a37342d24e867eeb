import { describeRun, type ReportedRun } from './ring-runs.js';

/** Prints a line for each check, and keeps the problems. */
export class Findings {
  /** Faults that keep the service from decoding, and outputs that were not understood. */
  readonly problems: string[] = [];
  private warnings = 0;

  /** @param note prints a line */
  constructor(readonly note: (line: string) => void) {}

  /** Something is as the service needs it. */
  good(text: string): void {
    this.note(`✓ ${text}`);
  }

  /** Something keeps the service from decoding, or was not understood. */
  problem(text: string, advice = ''): void {
    this.problems.push(text);
    this.note(`✗ ${withAdvice(text, advice)}`);
  }

  /** Something is wrong that the service can do without. */
  warning(text: string, advice: string): void {
    this.warnings += 1;
    this.note(`! ${withAdvice(text, advice)}`);
  }

  /** Prints the text as good or as a problem. The advice is only for a problem. */
  check(isGood: boolean, text: string, advice = ''): void {
    if (isGood) {
      this.good(text);
    } else {
      this.problem(text, advice);
    }
  }

  /** Says whether a command ran. Its exit status does not matter: ring also ends with 1 when a license does not fit. */
  checkRun(run: ReportedRun): void {
    const hasRun = run.failure === undefined;
    this.check(hasRun, describeRun(run), 'See docs/trouble.md.');

    if (!run.isUtf8) {
      this.warning(`${run.title}: not UTF-8, and read as windows-1251`, 'Remove encodings from RING_OPTS.');
    }
  }

  /**
   * Warns once if the awk that ring's launcher calls has failed. Its messages begin with its name, on stdout or stderr.
   */
  checkAwk(runs: readonly ReportedRun[]): void {
    const hasFailed = runs.some(({ stdout, stderr }) => /^m?awk: /m.test(`${stdout}\n${stderr}`));
    if (!hasFailed) return;

    this.warning(
      "the awk that ring's launcher calls failed",
      'Install gawk: only it has all that ring needs.',
    );
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

/** Joins the parts of a line, without those that are undefined or empty. */
export function joinParts(parts: readonly (string | undefined)[]): string {
  const present = parts.filter((part) => part !== undefined && part !== '');
  return present.join(', ');
}

function withAdvice(text: string, advice: string): string {
  if (advice === '') return text;

  const withoutFullStop = text.replace(/\.$/, '');
  return `${withoutFullStop}. ${advice}`;
}
