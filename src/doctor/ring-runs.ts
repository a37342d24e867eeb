import { launcherError } from '../ring/output/launcher-error.js';
import { splitLogRecords, type SplitOutput } from '../ring/output/log-records.js';
import { describeStartFailure } from '../ring/output/start-failures.js';
import { licenseArguments, runRing, type RingLanguage } from '../ring/ring-command.js';
import type { RunResult } from '../ring/run.js';
import type { TextKind } from './mask.js';

/** How the service runs ring. */
export interface RingSetup {
  launcher: string;
  /** What ring calls its license module. */
  module: string;
  timeoutMs: number;
  /** A private directory. */
  work: string;
  /** The options of its JVM; empty when tuning is off. */
  jvmOptions: readonly string[];
}

/** A run, or the attempt: without an exit status it did not end by itself. */
export interface RingRun extends SplitOutput {
  title: string;
  /** The exit status, if there is one, and the time it took. */
  outcome: string;
  /** What keeps ring from running at all. */
  failure: string | undefined;
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
  kind: TextKind;
}

/**
 * Runs a license command. Never throws.
 * @param command such as `['list']`
 * @param options of ring itself
 */
export async function runLicenseCommand(
  { launcher, module, timeoutMs, work, jvmOptions }: RingSetup,
  command: string[],
  licenses: string,
  language: RingLanguage,
  options: string[] = [],
): Promise<RingRun> {
  const [name = ''] = command;
  const since = performance.now();
  const args = licenseArguments(module, command, licenses, options);
  const { env } = process;
  const ring = { launcher, language, env, directory: work, jvmOptions, timeoutMs };
  const result = await runRing(args, ring).then(
    (ended) => ({ ...ended, failure: failureOf(ended) }),
    (error: unknown) => ({ exitCode: undefined, stdout: '', stderr: '', failure: (error as Error).message }),
  );
  const { exitCode, stdout } = result;
  const seconds = `${((performance.now() - since) / 1000).toFixed(1)} s`;
  const title = `ring ${[...options, module, name].join(' ')} (${language}${jvmOptions.length > 0 ? ', tuned' : ''})`;
  const outcome = exitCode === undefined ? seconds : `exit status ${exitCode}, ${seconds}`;
  const kind: TextKind = exitCode === 0 && name === 'info' ? 'info' : 'log';
  return { ...result, ...splitLogRecords(stdout), title, outcome, kind };
}

/** What keeps ring from running at all. */
export const failureOf = (result: RunResult): string | undefined =>
  describeStartFailure(result) ?? launcherError(result);
