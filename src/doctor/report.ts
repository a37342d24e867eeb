import { readLines } from '../license/text-lines.js';
import { failureOf, outputOf } from '../ring/commands.js';
import { joinParts } from './findings.js';
import type { Mask } from './mask.js';
import { kindOf, type ReportedRun } from './ring-runs.js';

/** The result of a self-check, to be passed on. */
export interface Report {
  /** The versions of everything installed, in one line. */
  versions: string;
  /** The outputs that were not understood. */
  problems: readonly string[];
  runs: readonly ReportedRun[];
  /** Empty when the file has none. */
  clearText: string;
}

const SAME_OUTPUT = '(the same output)';
const STDERR = '-- stderr';
const CLEAR_TEXT = '== clear text of the file';
const LAST_LINE = 'Look through this file before you pass it on.';
/** The heading of a run; the groups are its title, outcome, exit status and failure. */
const RUN = /^== (ring .+?): ((?:exit status (\d+), )?[\d.]+ s)(?:, (.+))?$/;

/** Prints a report with every value masked. */
export function printReport({ versions, problems, runs, clearText }: Report, mask: Mask): string {
  const lines = [versions];
  for (const problem of problems) lines.push(`✗ ${problem}`);

  let previous: string | undefined;
  for (const run of runs) {
    const heading = joinParts([`${run.title}: ${run.outcome}`, run.failure]);
    lines.push('', `== ${heading}`);
    const isSame = run.stdout === previous;
    lines.push(isSame ? SAME_OUTPUT : mask.text(run.stdout.trimEnd(), run.kind));
    if (run.stderr !== '') lines.push(STDERR, mask.text(run.stderr.trimEnd(), 'log'));
    previous = run.stdout;
  }

  if (clearText !== '') lines.push('', CLEAR_TEXT, mask.text(clearText.trimEnd(), 'file'));
  lines.push('', LAST_LINE, '');
  return lines.join('\n');
}

/**
 * Reads a report that {@link printReport} has printed.
 * @throws {Error} when the text has no run of ring
 */
export function readReport(text: string): Pick<Report, 'runs' | 'clearText'> {
  const runs: ReportedRun[] = [];
  let clearText = '';
  for (const { heading, body } of sectionsOf(text)) {
    const run = RUN.exec(heading);
    if (run === null) {
      clearText = body.join('\n');
    } else {
      runs.push(readRun(run, body, runs.at(-1)?.stdout));
    }
  }
  if (runs.length === 0) throw new Error('This is no report of the self-check.');
  return { runs, clearText };
}

interface Section {
  heading: string;
  body: string[];
}

/** The sections of a report, which are the runs and the clear text. The lines before the first one are left out. */
function sectionsOf(text: string): Section[] {
  // A masked value has the form of the value. Only a date would not be read as one, because no calendar has this day.
  const lines = readLines(text.replaceAll('00.00.0000', '01.01.2000'));
  const end = lines.lastIndexOf(LAST_LINE);
  const sections: Section[] = [];
  for (const line of end === -1 ? lines : lines.slice(0, end)) {
    if (line === CLEAR_TEXT || RUN.test(line)) {
      sections.push({ heading: line, body: [] });
    } else {
      sections.at(-1)?.body.push(line);
    }
  }
  return sections;
}

/** @param previous stdout of the run before, for one with the same output */
function readRun(heading: RegExpExecArray, body: string[], previous = ''): ReportedRun {
  const [, title = '', outcome = '', status, failure] = heading;
  const stderrLine = body.indexOf(STDERR);
  const stdoutLines = stderrLine === -1 ? body : body.slice(0, stderrLine);
  const stderrLines = stderrLine === -1 ? [] : body.slice(stderrLine + 1);

  const stdout = body[0] === SAME_OUTPUT ? previous : stdoutLines.join('\n');
  const exitCode = status === undefined ? undefined : Number(status);
  const output = outputOf({ exitCode, stdout, stderr: stderrLines.join('\n') });
  return {
    ...output,
    title,
    outcome,
    // The parsers may recognize a failure today that they did not know when the report was written.
    failure: failure ?? failureOf(output)?.words,
    kind: kindOf(title.includes(' info '), exitCode),
    stdout,
    isUtf8: true,
  };
}
