import { readLines } from '../license/text-lines.js';
import { failureOf, outputOf } from '../ring/commands.js';
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
/** The heading of a run; the groups are its title, outcome, exit status and failure. */
const RUN = /^== (ring .+?): ((?:exit status (\d+), )?[\d.]+ s)(?:, (.+))?$/;

/** Prints a report with every value masked. {@link readReport} reads it. */
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
      runs.push(readRun(run, body));
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
  const sections: Section[] = [];
  for (const line of lines) {
    if (line === LAST_LINE) break;

    if (line === CLEAR_TEXT || RUN.test(line)) {
      sections.push({ heading: line, body: [] });
    } else {
      sections.at(-1)?.body.push(line);
    }
  }
  return sections;
}

function readRun(heading: RegExpExecArray, body: readonly string[]): ReportedRun {
  const [, title = '', outcome = '', status, failure] = heading;
  const { stdout, stderr } = splitStreams(body);
  const exitCode = status === undefined ? undefined : Number(status);
  const output = outputOf({ exitCode, stdout, stderr });
  const recognized = failureOf(output);
  return {
    ...output,
    title,
    outcome,
    // The parsers may recognize a failure today that they did not know when the report was written.
    failure: failure ?? recognized?.message,
    isRefused: recognized?.reason === 'refused',
    stdout,
    isUtf8: true,
  };
}

function splitStreams(body: readonly string[]): { stdout: string; stderr: string } {
  const separator = body.indexOf(STDERR);
  const hasStderr = separator !== -1;
  if (!hasStderr) {
    return { stdout: body.join('\n'), stderr: '' };
  }

  const stdoutLines = body.slice(0, separator);
  const stderrLines = body.slice(separator + 1);
  return {
    stdout: stdoutLines.join('\n'),
    stderr: stderrLines.join('\n'),
  };
}
