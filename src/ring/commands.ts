import { readDebugRecords, type DebugDetails } from './output/debug-records.js';
import { launcherError } from './output/launcher-error.js';
import { parseList, type LicenseName } from './output/license-name.js';
import { splitLogRecords, type Output } from './output/log-records.js';
import { startFailureOf } from './output/start-failures.js';
import { verdictOf } from './output/verdict.js';
import { RingError } from './ring-error.js';
import type { RunResult } from './run.js';

/** A command of the license module. */
export interface Command {
  name: 'list' | 'info' | 'validate';
  /** ring's name of the license, which `list` finds out. */
  license?: string;
  /** Adds the debug records. */
  debug?: boolean;
}

/** The result of `validate`. */
export interface Validation extends DebugDetails {
  /** Whether the license fits this machine; null without a verdict. */
  valid: boolean | null;
  text: string;
}

/**
 * The arguments of a run. Without `--send-statistics false` ring sends data to its vendor.
 * @param module `license`, or with a version `license@0.15.0`
 * @param licenses their directory
 */
export function argumentsOf(command: Command, module: string, licenses: string): string[] {
  const { name, license, debug } = command;
  const args: string[] = [];
  if (debug) args.push('-l', 'debug');
  args.push(module, name);
  if (license !== undefined) args.push('--name', license);
  args.push('--path', licenses, '--send-statistics', 'false');
  return args;
}

type Ended = Pick<RunResult, 'stdout' | 'stderr'> & Pick<Output, 'exitCode'>;

/** Separates ring's own text from the log records that a run printed among it. */
export function outputOf({ exitCode, stdout, stderr }: Ended): Output {
  return { ...splitLogRecords(stdout), exitCode, stderr };
}

/**
 * Why a command that has ended did not reach the license module. The launcher may refuse a command because of its module,
 * of the arguments or of the file.
 * @returns undefined when the module itself has answered, whatever it said
 */
export function failureOf(output: Output): RingError | undefined {
  const startFailure = startFailureOf(output);
  if (startFailure) return startFailure;

  const refusal = launcherError(output);
  return refusal === undefined ? undefined : new RingError('refused', refusal);
}

/** A sentence of the license module, at the beginning of a line, as it was seen in every command with a wrong path. */
const NO_DIRECTORY = /^ *(?:По причине: )?Директория не найдена: "/m;
/**
 * The line of an exception of the JDK that nobody caught, for a file that the operating system refused. It names the
 * path; all but the first kind also name the reason (strerror(3)).
 */
const ACCESS_DENIED = /^Exception in thread "main" java\.nio\.file\.AccessDeniedException: /m;
const REFUSED =
  /^Exception in thread "main" java\.(?:nio\.file|io)\.\w+: .*(?:Permission denied|Read-only file system|No space left on device|Disk quota exceeded)\)?$/m;

/**
 * Whether the command failed because a directory is missing or cannot be written, which no file can cause. Sentences
 * that only speak of ring's storage do not count: a damaged file may bring them too.
 */
export function isDirectoryFault({ exitCode, text, stderr }: Output): boolean {
  if (exitCode === 0) return false;
  if (NO_DIRECTORY.test(text)) return true;
  return ACCESS_DENIED.test(stderr) || REFUSED.test(stderr);
}

/** The license that `list` names, if it does. */
export function readList({ exitCode, text }: Output): LicenseName | undefined {
  if (exitCode !== 0) return undefined;
  return parseList(text);
}

/** The text of `info`, if there is one. */
export function readInfoText({ exitCode, text }: Output): string | undefined {
  if (exitCode !== 0 || text === '') return undefined;
  return text;
}

/** The verdict of `validate`, with the hardware after a run with debug records. */
export function readValidation(output: Output, pin: string): Validation {
  const valid = verdictOf(output.exitCode, output.text);
  return { valid, text: output.text, ...readDebugRecords(output.records, pin) };
}
