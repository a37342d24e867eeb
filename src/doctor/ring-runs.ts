import { argumentsOf, failureOf, outputOf, type Command } from '../ring/commands.js';
import type { Output } from '../ring/output/log-records.js';
import type { RingToRun } from '../ring/installation/monitor.js';
import type { RunOptions } from '../ring/environment.js';
import { run, type RunResult } from '../ring/run.js';
import type { TextKind } from './line-type.js';

/** How the service runs ring, in a private directory. */
export type RingInUse = RingToRun & Required<Pick<RunOptions, 'timeoutMs' | 'directory' | 'jvmOptions'>>;

/** A run, or the attempt, as the report shows it. */
export interface ReportedRun extends Output, Pick<RunResult, 'stdout' | 'isUtf8'> {
  title: string;
  /** The exit status, if there is one, and the time it took. */
  outcome: string;
  /** What keeps ring from running at all. */
  failure: string | undefined;
  kind: TextKind;
}

/** What a run of the command is called in a report. */
export const titleOf = ({ name, debug }: Command, module: string): string =>
  `ring ${debug ? '-l debug ' : ''}${module} ${name}`;

/** Runs a license command. Never throws. */
export async function runCommand(ring: RingInUse, command: Command, licenses: string): Promise<ReportedRun> {
  const { module, language, jvmOptions } = ring;
  const since = performance.now();
  const result = await run(argumentsOf(command, module, licenses), ring).catch((error: unknown) => ({
    ...{ exitCode: undefined, stdout: '', stderr: '', isUtf8: true },
    failure: (error as Error).message,
  }));
  const output = outputOf(result);
  const failure = failureOf(output)?.words;
  const { exitCode } = output;
  const seconds = `${((performance.now() - since) / 1000).toFixed(1)} s`;
  const title = `${titleOf(command, module)} (${language}${jvmOptions.length > 0 ? ', tuned' : ''})`;
  const outcome = exitCode === undefined ? seconds : `exit status ${exitCode}, ${seconds}`;
  const kind: TextKind = exitCode === 0 && command.name === 'info' ? 'info' : 'log';
  return { failure, ...result, ...output, title, outcome, kind };
}
