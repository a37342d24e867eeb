import { readDebugRecords, type DebugDetails } from './output/debug-records.js';
import { launcherError } from './output/launcher-error.js';
import { parseList, type LicenseName } from './output/license-name.js';
import { splitLogRecords, type Output } from './output/log-records.js';
import { describeStartFailure } from './output/start-failures.js';
import { verdictOf } from './output/verdict.js';
import type { RunResult } from './run.js';

/** A command of the license module. */
export interface Command {
  name: 'list' | 'info' | 'validate';
  /** ring's name of the license, which `list` finds out. */
  license?: string;
  /** Adds the debug records. */
  debug?: boolean;
}

/** What `validate` says. */
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
export function argumentsOf({ name, license, debug }: Command, module: string, licenses: string): string[] {
  const words = license === undefined ? [name] : [name, '--name', license];
  const options = debug ? ['-l', 'debug'] : [];
  return [...options, module, ...words, '--path', licenses, '--send-statistics', 'false'];
}

type Ended = Pick<RunResult, 'stdout' | 'stderr'> & Pick<Output, 'exitCode'>;

/** Separates what a run printed. */
export const outputOf = ({ exitCode, stdout, stderr }: Ended): Output => ({
  ...splitLogRecords(stdout),
  exitCode,
  stderr,
});

/** What kept a command from the license module: ring or its JVM did not start, the launcher refused, or none answered. */
export interface Failure {
  kind: 'not_started' | 'refused' | 'no_answer';
  /** For the log. */
  words: string;
}

/** @returns undefined when the module itself has answered, whatever it said */
export function failureOf(output: Output): Failure | undefined {
  const notStarted = describeStartFailure(output);
  if (notStarted !== undefined) return { kind: 'not_started', words: notStarted };
  const refused = launcherError(output);
  return refused === undefined ? undefined : { kind: 'refused', words: refused };
}

/** The license that `list` names, if it does. */
export const readList = ({ exitCode, text }: Output): LicenseName | undefined =>
  exitCode === 0 ? parseList(text) : undefined;

/** The text of `info`, if there is one. */
export const readInfoText = ({ exitCode, text }: Output): string | undefined =>
  exitCode === 0 && text !== '' ? text : undefined;

/** The verdict of `validate`, with the hardware after a run with debug records. */
export const readValidation = (output: Output, pin: string): Validation => ({
  valid: verdictOf(output.exitCode, output.text),
  text: output.text,
  ...readDebugRecords(output.records, pin),
});
