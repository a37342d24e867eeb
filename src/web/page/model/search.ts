import { digitsOf } from './facts.js';
import type { License } from './license.js';

/** All that a row says of a license in the language of the page. */
type RowTexts = Readonly<Record<string, string>>;

/** The words of the page about a license, which the model does not know. */
export type Words = (license: License) => RowTexts;

/** A PIN code whose groups stand apart: 15 digits in threes or fives, or 16 in fours. */
const GROUPED_PIN = /(?<!\d)(?:(?:\d{3}\s+){4}\d{3}|(?:\d{5}\s+){2}\d{5}|(?:\d{4}\s+){3}\d{4})(?!\d)/g;

/** What stands around a word that is copied out of a sentence or a list. */
const AROUND_WORD = /^["']+|["',;.:]+$/g;

/** The words that a row must have. */
export const wordsOf = (search: string): string[] =>
  normalize(search)
    .replace(GROUPED_PIN, (pin) => pin.replace(/\s/g, ''))
    .split(/\s+/)
    .map((word) => word.replace(AROUND_WORD, ''))
    .filter(Boolean);

/**
 * What a search may mean, the likeliest first. A path from another computer has folders that the list does not have: ring
 * prints `file://C:/ProgramData/1C/licenses/X.lic`. The cluster's console adds numbers to that of the license, and a name
 * of ring has a PIN code that is not known before reading: `8100886831G0`, `Server, 8100886831 500 113000`.
 */
export function meaningsOf(search: string): string[] {
  const fileName = search.replace(/^.*[\\/]/, '');
  const registrationNumbers = search.match(/(?<!\d)\d{9,10}(?!\d)/g) ?? [];
  return [search, fileName, ...registrationNumbers];
}

/** Whether a search is the name of the license's computer or owner, and nothing else. */
export function isNamed({ facts }: License, search: string): boolean {
  const name = search.trim().toLowerCase();
  return [facts.computer, facts.owner].some((text) => text?.toLowerCase() === name);
}

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

/** What stands before a license where people copy it from: in 1C:Enterprise, and in the output of its program `rac`. */
const LABELS = 'рег. номер series full-name';

/** What is searched of each row, for as long as its texts are kept. */
const searchables = new WeakMap<RowTexts, string>();

function searchable({ facts }: License, row: RowTexts): string {
  const existing = searchables.get(row);
  if (existing !== undefined) return existing;

  const { type, pinDigits, ringName } = facts;
  const texts = [...Object.values(row), type, pinDigits, ringName, LABELS];
  const text = texts.map((part) => normalize(part ?? '')).join('\n');
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
