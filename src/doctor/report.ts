import type { TextKind } from './line-type.js';
import { Mask } from './mask.js';
import { describeRun, type ReportedRun } from './ring-runs.js';

/** The result of a self-check, to be passed on. */
export interface Report {
  /** The versions of everything installed, in one line. */
  versions: string;
  /** The runs that failed, and the outputs that were not understood. */
  problems: readonly string[];
  runs: readonly ReportedRun[];
  /** Empty when the file has none, and without a license. */
  clearText: string;
}

const STDERR = '-- stderr';
const CLEAR_TEXT = '== clear text of the file';
const LAST_LINE = 'Look through this file before you pass it on.';

/** Prints a report with every value masked. */
export function printReport({ versions, problems, runs, clearText }: Report): string {
  const mask = maskFor(runs, clearText);
  const lines = [versions];
  for (const problem of problems) lines.push(`✗ ${problem}`);

  for (const run of runs) {
    const stdout = mask.maskText(run.stdout.trimEnd(), kindOf(run));
    lines.push('', `== ${describeRun(run)}`, stdout);

    if (run.stderr !== '') {
      const stderr = mask.maskText(run.stderr.trimEnd(), 'log');
      lines.push(STDERR, stderr);
    }
  }

  if (clearText !== '') {
    const masked = mask.maskText(clearText.trimEnd(), 'file');
    lines.push('', CLEAR_TEXT, masked);
  }

  lines.push('', LAST_LINE, '');
  return lines.join('\n');
}

/** A value of one text may stand in any other one too, so the mask learns all of them first. */
function maskFor(runs: readonly ReportedRun[], clearText: string): Mask {
  const mask = new Mask();
  mask.learn(clearText, 'file');
  for (const run of runs) {
    mask.learn(run.stdout, kindOf(run));
    mask.learn(run.stderr, 'log');
  }
  return mask;
}

/** What a run has printed on stdout. When `info` fails, that is a message of ring instead of a license. */
function kindOf({ title, exitCode }: ReportedRun): TextKind {
  const isInfo = title.includes(' info ') && exitCode === 0;
  return isInfo ? 'info' : 'log';
}
