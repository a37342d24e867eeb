import type { RunResult } from '../run.js';
import { splitLogRecords } from './log-records.js';

/** Level ERROR without a logger. A module's records name one: `[ERROR ] com._1c.license… - text`. */
const LAUNCHER_ERROR = /^\[ERROR *\] (?![\w.$]+ - )(.+)/s;
/** The name of a license: the launcher may quote its arguments. */
const NAME = /\d{12,}(?:-\w+)?/g;
/** Characters that are kept, for the log. */
const MAX_CHARS = 300;
const VERSION = /\d+(?:\.\d+)+(?:[-+]\d+)?/g;

/**
 * Finds out whether ring's launcher refused a command before any module ran: the module is not registered, or there are
 * several versions of it.
 * @returns the launcher's words, for the log, or undefined when it did not
 */
export function launcherError({ exitCode, stdout }: RunResult): string | undefined {
  if (exitCode === 0) return undefined;
  const words = splitLogRecords(stdout).records.flatMap((record) => LAUNCHER_ERROR.exec(record)?.[1] ?? []);
  return words.at(-1)?.replace(NAME, '…').slice(0, MAX_CHARS).trim();
}

/**
 * The versions to choose from, where the launcher asks for one: `Specify version for module "license". Available
 * versions: 0.9.2, 0.15.0.`
 * @returns undefined when it asks for no version; empty when it does, but its list cannot be read
 */
export function versionsOffered(words: string): string[] | undefined {
  if (!/version|верси/i.test(words) || !/module|модул/i.test(words)) return undefined;
  const [, list = ''] = /.*(?:version|верси)\p{L}*\s*:(.*)/isu.exec(words) ?? [];
  return list.match(VERSION) ?? [];
}
