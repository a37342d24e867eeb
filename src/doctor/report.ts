import { readLines } from '../license/text-lines.js';
import type { Mask } from './mask.js';
import { failureOf, outputOf } from '../ring/commands.js';
import type { ReportedRun } from './ring-runs.js';

/** What a self-check found, to be passed on. */
export interface Report {
  /** What is installed, in one line. */
  versions: string;
  /** What was not understood. */
  problems: readonly string[];
  runs: readonly ReportedRun[];
  /** Empty when the file has none. */
  clearText: string;
}

const SAME = '(the same output)';
const STDERR = '-- stderr';
const CLEAR_TEXT = '== clear text of the file';
const LAST_LINE = 'Look through this file before you pass it on.';
const RUN = /^== (ring .+?): ((?:exit status (\d+), )?[\d.]+ s)(?:, (.+))?$/;

/** Prints a report with every value masked. */
export function printReport({ versions, problems, runs, clearText }: Report, mask: Mask): string {
  const lines = [versions, ...problems.map((problem) => `✗ ${problem}`)];
  runs.forEach(({ title, outcome, failure, stdout, stderr, kind }, i) => {
    lines.push('', `== ${[`${title}: ${outcome}`, failure].filter(Boolean).join(', ')}`);
    lines.push(stdout === runs[i - 1]?.stdout ? SAME : mask.text(stdout.trimEnd(), kind));
    if (stderr !== '') lines.push(STDERR, mask.text(stderr.trimEnd(), 'log'));
  });
  if (clearText !== '') lines.push('', CLEAR_TEXT, mask.text(clearText.trimEnd(), 'file'));
  return [...lines, '', LAST_LINE, ''].join('\n');
}

/**
 * Reads what {@link printReport} has printed.
 * @throws {Error} when the text has no run of ring
 */
export function readReport(text: string): Pick<Report, 'runs' | 'clearText'> {
  // A masked value has the form of the value, but no calendar has this day.
  const lines = readLines(text.replaceAll('00.00.0000', '01.01.2000'));
  const end = lines.lastIndexOf(LAST_LINE);
  if (end !== -1) lines.length = end;
  const starts = lines.flatMap((line, i) => (line === CLEAR_TEXT || RUN.test(line) ? [i] : []));
  const report = { runs: [] as ReportedRun[], clearText: '' };
  starts.forEach((start, i) => {
    const body = lines.slice(start + 1, starts[i + 1]);
    const heading = RUN.exec(lines[start] ?? '');
    if (heading) report.runs.push(readRun(heading, body, report.runs.at(-1)?.stdout));
    else report.clearText = body.join('\n');
  });
  if (report.runs.length === 0) throw new Error('This is no report of the self-check.');
  return report;
}

function readRun(
  [, title = '', outcome = '', status, failure]: string[],
  body: string[],
  last = '',
): ReportedRun {
  const split = [...body, STDERR].indexOf(STDERR);
  const stdout = body[0] === SAME ? last : body.slice(0, split).join('\n');
  const stderr = body.slice(split + 1).join('\n');
  const exitCode = status === undefined ? undefined : Number(status);
  const output = outputOf({ exitCode, stdout, stderr });
  return {
    title,
    outcome,
    kind: exitCode === 0 && title.includes(' info ') ? 'info' : 'log',
    stdout,
    isUtf8: true,
    failure: failure ?? failureOf(output)?.words,
    ...output,
  };
}
