import type { Output } from './log-records.js';

const LEVEL = /^\[ERROR *\] /;
/** Level ERROR without a logger. A module's records name one: `[ERROR ] com._1c.license… - text`. */
export const LAUNCHER_ERROR = /^\[ERROR *\] (?![\w.$]+ - )./s;
/** Characters that are read, of a sentence that takes a few hundred. */
const MAX_READ_CHARS = 4_000;
/** Characters that are kept, for the log. */
const MAX_CHARS = 300;
const VERSION = String.raw`\d+(?:\.\d+)+(?:[-+]\d+)?`;
const FOR_PLATFORM = `${VERSION}(?::x86(?:_64)?)?`;

/** What the launcher says of modules and versions, as seen, and in the other language as it may be. */
const SENTENCES = `
  Неправильный вызов команды (для справки см. ring help): Модуль license не зарегистрирован в реестре команд.
  Incorrect command call (for help see ring help): Module license_manager is not registered in the command registry.
  Укажите версию для модуля license. Доступные версии: Specify version for module license. Available versions:`;
const WORDS = new Set(SENTENCES.toLowerCase().match(/[\p{L}_]+/gu));
/** The group is a word without what stands around it, and without a module's version. */
const WORD = new RegExp(String.raw`^[("]*([\p{L}_]+)(?:@${FOR_PLATFORM})?[)".,:;]*$`, 'u');
/** The group is a list of versions. */
const PART = new RegExp(String.raw`((?:versions|версии):(?:\s+${FOR_PLATFORM}[.,;]?(?!\S))+)|\S+`, 'giu');

/** The words that the launcher is known to say, and the versions it offers: it may quote whatever it was given. */
export function shownWords(words: string): string {
  const shown = words.replace(PART, (part, versions?: string) => {
    const word = WORD.exec(part)?.[1] ?? '';
    return versions ?? (WORDS.has(word.toLowerCase()) ? part : '…');
  });
  const text = shown.replace(/\s+/g, ' ').replace(/…(?: …)+/g, '…');
  return text.trim().slice(0, MAX_CHARS);
}

/**
 * Finds out whether ring's launcher refused a command before any module ran: the module is not registered, or there are
 * several versions of it.
 * @returns what may be shown of the launcher's words, or undefined when it did not
 */
export function launcherError({ exitCode, records }: Output): string | undefined {
  if (exitCode === 0) return undefined;
  const last = records.findLast((record) => LAUNCHER_ERROR.test(record));
  return last && shownWords(last.replace(LEVEL, '').slice(0, MAX_READ_CHARS));
}

/**
 * The versions to choose from, where the launcher asks for one: `Specify version for module "license". Available
 * versions: 0.9.2, 0.15.0.`
 * @returns undefined when it asks for no version; empty when it does, but its list cannot be read
 */
export function versionsOffered(words: string): string[] | undefined {
  if (!/version|верси/i.test(words) || !/module|модул/i.test(words)) return undefined;
  const [, list = ''] = /.*(?:version|верси)\p{L}*\s*:(.*)/isu.exec(words) ?? [];
  return list.match(new RegExp(VERSION, 'g')) ?? [];
}
