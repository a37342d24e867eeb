import type { Output } from './log-records.js';
import { redactSentence, VERSION } from './redact.js';

const LEVEL = /^\[ERROR *\] /;

/**
 * An error of ring's launcher. It has no logger, unlike an error of a module: `[ERROR ] com._1c.license… - text`.
 */
export const LAUNCHER_ERROR = /^\[ERROR *\] (?![\w.$]+ - )./s;

/**
 * Finds out whether ring's launcher refused a command before any module ran, because the module is not registered or
 * because there are several versions of it.
 * @returns the launcher's words, redacted for the log; undefined when it did not refuse the command
 */
export function launcherError({ exitCode, records }: Output): string | undefined {
  if (exitCode === 0) return undefined;

  const record = records.findLast((each) => LAUNCHER_ERROR.test(each));
  if (record === undefined) return undefined;

  const words = record.replace(LEVEL, '');
  return redactSentence(words);
}

/**
 * Reads the versions to choose from where the launcher asks for one: `Specify version for module "license". Available
 * versions: 0.9.2, 0.15.0.`
 * @returns undefined when it asks for no version; an empty list when it asks for one, but its list cannot be read
 */
export function versionsOffered(words: string): string[] | undefined {
  const namesVersions = /version|верси/i.test(words);
  const namesModule = /module|модул/i.test(words);
  if (!namesVersions || !namesModule) return undefined;

  const listed = /.*(?:version|верси)\p{L}*\s*:(.*)/isu.exec(words);
  const versions = listed?.[1]?.match(new RegExp(VERSION, 'g'));
  return versions ?? [];
}
