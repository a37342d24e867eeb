import { argumentsOf, failureOf, outputOf, type Command } from '../ring/commands.js';
import type { RingLanguage, RunOptions } from '../ring/environment.js';
import type { RingToRun } from '../ring/installation/monitor.js';
import type { Output } from '../ring/output/log-records.js';
import { run, type RunResult } from '../ring/run.js';

/** How the service runs ring, in a private directory. */
export type RingInUse = RingToRun & Required<Pick<RunOptions, 'timeoutMs' | 'directory'>>;

/** A run, or an attempt at one, as the report shows it. */
export interface ReportedRun extends Output {
  /** Tells the runs of a report apart: `ring -l debug license validate (ru)`. */
  title: string;
  /** The exit status, if there is one, and the time it took. */
  outcome: string;
  /** Why the command did not reach the license module. */
  failure: string | undefined;
  /** Whether ring's launcher refused the command, because of its module or because of the file. */
  isRefused: boolean;
  /** All that was printed, with the log records. */
  stdout: string;
  /** False when it was read as windows-1251. */
  isUtf8: boolean;
}

/** What a run was and how it ended, in one line. */
export function describeRun({ title, outcome, failure }: ReportedRun): string {
  const ended = `${title}: ${outcome}`;
  if (failure === undefined) return ended;
  return `${ended}, ${failure}`;
}

function titleOf({ name, debug }: Command, language: RingLanguage): string {
  const options = debug ? '-l debug ' : '';
  return `ring ${options}license ${name} (${language})`;
}

/** The same run, on something else than the license. */
export function onOther(run: ReportedRun, what: string): ReportedRun {
  return { ...run, title: `${run.title} on a ${what}` };
}

/** Runs a license command. Never throws. */
export async function runCommand(ring: RingInUse, command: Command, licenses: string): Promise<ReportedRun> {
  const args = argumentsOf(command, ring.module, licenses);
  const startedAt = performance.now();
  const { result, error } = await attempt(args, ring);
  const seconds = (performance.now() - startedAt) / 1000;

  const output = outputOf(result);
  const { exitCode } = output;
  const failure = failureOf(output);
  const duration = `${seconds.toFixed(1)} s`;
  return {
    ...output,
    title: titleOf(command, ring.language),
    outcome: exitCode === undefined ? duration : `exit status ${exitCode}, ${duration}`,
    failure: error ?? failure?.message,
    isRefused: failure?.reason === 'refused',
    stdout: result.stdout,
    isUtf8: result.isUtf8,
  };
}

interface Attempt {
  result: Omit<RunResult, 'exitCode'> & Pick<Output, 'exitCode'>;
  /** Why ring gave no result. `result` is empty then. */
  error?: string;
}

/** Runs ring. Never throws. */
export async function attempt(args: string[], ring: RunOptions): Promise<Attempt> {
  try {
    const result = await run(args, ring);
    return { result };
  } catch (error) {
    const { message } = error as Error;
    const nothing = {
      exitCode: undefined,
      stdout: '',
      stderr: '',
      isUtf8: true,
    };
    return { result: nothing, error: message };
  }
}
