import { tmpdir } from 'node:os';
import { ringEnvironment, type RingLanguage } from './environment.js';
import { run, type RunResult } from './run.js';

/** One run of ring. */
export interface RingCommand {
  /** Path of ring's launcher. */
  launcher: string;
  language: RingLanguage;
  /** What ring inherits from, see {@link ringEnvironment}. */
  env: NodeJS.ProcessEnv;
  /** Working directory, and where the JVM unpacks what it needs; the system's one for temporary files when not given. */
  directory?: string;
  /** Options that make the JVM faster. */
  jvmOptions?: readonly string[];
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs ring. The only way to it: every run gets the same environment.
 * @returns also for an exit status other than 0
 * @throws {RunError}
 */
export function runRing(args: readonly string[], command: RingCommand): Promise<RunResult> {
  const { launcher, language, env, directory = tmpdir(), jvmOptions = [], timeoutMs, signal } = command;
  const ringEnv = ringEnvironment(env, { language, tmpDirectory: directory, jvmOptions });
  return run(launcher, args, { cwd: directory, env: ringEnv, timeoutMs, signal });
}

/**
 * The arguments of a license command. Without `--send-statistics false` ring sends data to its vendor.
 * @param module `license`, or with a version `license@0.15.0`
 * @param command such as `['list']`
 * @param licenses directory of the licenses
 * @param options of ring itself, which come before the module
 */
export const licenseArguments = (
  module: string,
  command: readonly string[],
  licenses: string,
  options: readonly string[] = [],
): string[] => [...options, module, ...command, '--path', licenses, '--send-statistics', 'false'];
