import { digitsOf } from './facts.js';
import type { License } from './license.js';

/** All that a row says of a license in the language of the page. */
type RowTexts = Readonly<Record<string, string>>;

/** The words of the page about a license, which the model does not know. */
export type Words = (license: License) => RowTexts;

/** The words that a row must have. What is copied out of a sentence or a list may end with a comma. */
export const wordsOf = (search: string): string[] =>
  normalize(search)
    .split(/\s+/)
    .map((word) => word.replace(/[,;.:]+$/, ''))
    .filter(Boolean);

/** The name of the file, if the search is a path: ring prints `file://C:/ProgramData/1C/licenses/X.lic`. */
export const fileNameIn = (search: string): string => search.replace(/^.*[\\/]/, '');

export function matches(words: readonly string[], license: License, row: RowTexts): boolean {
  const text = searchable(license, row);
  return words.every((word) => hasWord(text, word));
}

/** A PIN code is found with and without hyphens. */
function hasWord(text: string, word: string): boolean {
  if (text.includes(word)) return true;

  const isNumber = /^[\d-]*\d$/.test(word);
  return isNumber && text.includes(digitsOf(word));
}

/** What is searched of each row, for as long as its texts are kept. */
const searchables = new WeakMap<RowTexts, string>();

function searchable({ facts }: License, row: RowTexts): string {
  const existing = searchables.get(row);
  if (existing !== undefined) return existing;

  const digits = facts.pin === null ? '' : digitsOf(facts.pin);
  const texts = [...Object.values(row), facts.type ?? '', digits];
  const text = texts.map(normalize).join('\n');
  searchables.set(row, text);
  return text;
}

/** Cyrillic letters, as codes because they look like Latin ones. */
const CYRILLIC_IE = '\u0435';
const CYRILLIC_ES = '\u0441';

/** What people type in place of what stands there; macOS writes й and ё in the names of files as two characters. */
const normalize = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ё', CYRILLIC_IE)
    .replace(/(?<=1)c/g, CYRILLIC_ES)
    .replace(/[«»„“”]/g, '"')
    .replace(/[‐-―−]/g, '-');
