import { argumentsOf, failureOf, outputOf, type Command } from '../ring/commands.js';
import type { RunOptions } from '../ring/environment.js';
import type { RingToRun } from '../ring/installation/monitor.js';
import type { Output } from '../ring/output/log-records.js';
import { run, type RunResult } from '../ring/run.js';
import type { TextKind } from './line-type.js';

/** How the service runs ring, in a private directory. */
export type RingInUse = RingToRun & Required<Pick<RunOptions, 'timeoutMs' | 'directory' | 'jvmOptions'>>;

/** A run, or an attempt at one, as the report shows it. */
export interface ReportedRun extends Output, Pick<RunResult, 'stdout' | 'isUtf8'> {
  title: string;
  /** The exit status, if there is one, and the time it took. */
  outcome: string;
  /** The fault that keeps ring from running at all. */
  failure: string | undefined;
  kind: TextKind;
}

/** The runs of one command. */
export interface Runs {
  untuned: ReportedRun;
  /** Undefined when tuning is off. */
  tuned?: ReportedRun | undefined;
}

/** The title of a command's runs in a report. */
export function titleOf(command: Command, module: string): string {
  const options = command.debug ? '-l debug ' : '';
  return `ring ${options}${module} ${command.name}`;
}

/** The origin of a run's stdout. When `info` fails, it prints a message of ring instead of a license. */
export function kindOf(isInfo: boolean, exitCode: number | undefined): TextKind {
  return isInfo && exitCode === 0 ? 'info' : 'log';
}

/** Runs a license command. Never throws. */
export async function runCommand(ring: RingInUse, command: Command, licenses: string): Promise<ReportedRun> {
  const start = performance.now();
  const { result, error } = await attempt(argumentsOf(command, ring.module, licenses), ring);
  const seconds = (performance.now() - start) / 1000;
  const duration = `${seconds.toFixed(1)} s`;

  const output = outputOf(result);
  const { exitCode } = output;
  const tuned = ring.jvmOptions.length > 0 ? ', tuned' : '';
  return {
    ...output,
    title: `${titleOf(command, ring.module)} (${ring.language}${tuned})`,
    outcome: exitCode === undefined ? duration : `exit status ${exitCode}, ${duration}`,
    failure: error ?? failureOf(output)?.words,
    kind: kindOf(command.name === 'info', exitCode),
    stdout: result.stdout,
    isUtf8: result.isUtf8,
  };
}

type Result = Pick<RunResult, 'stdout' | 'stderr' | 'isUtf8'> & Pick<Output, 'exitCode'>;

/** Runs ring. The result of a run that failed is empty, and the error says why. */
async function attempt(args: string[], ring: RingInUse): Promise<{ result: Result; error?: string }> {
  try {
    return { result: await run(args, ring) };
  } catch (error) {
    const result = { exitCode: undefined, stdout: '', stderr: '', isUtf8: true };
    return { result, error: (error as Error).message };
  }
}
