import { digitsOf } from './facts.js';
import type { License } from './license.js';

/** All that a row says of a license in the language of the page. */
type RowTexts = Readonly<Record<string, string>>;
export type Describe = (license: License) => RowTexts;

/** What a search asks for: words that a row has, or with `=` before it a whole cell. */
export type Search = { words: readonly string[] } | { cell: string };

export function searchOf(text: string): Search {
  const search = normalize(text).trim();
  if (search.startsWith('=')) {
    const cell = search.slice(1);
    return { cell: cell.trim() };
  }

  const words = search.split(/\s+/);
  return { words: words.filter(Boolean) };
}

/** Whether a row has what a search asks for. */
export function matches(search: Search, license: License, row: RowTexts): boolean {
  const { text, cells } = searchable(license, row);
  if ('words' in search) return search.words.every((word) => hasWord(text, word));

  const { cell } = search;
  return cell === '' || cells.has(cell);
}

/** A PIN code is found with and without hyphens. */
function hasWord(text: string, word: string): boolean {
  if (text.includes(word)) return true;

  const isNumber = /^[\d-]*\d$/.test(word);
  return isNumber && text.includes(digitsOf(word));
}

interface Searchable {
  text: string;
  cells: ReadonlySet<string>;
}

/** What is searched of each row, for as long as its texts are kept. */
const searchables = new WeakMap<RowTexts, Searchable>();

function searchable({ known }: License, row: RowTexts): Searchable {
  const existing = searchables.get(row);
  if (existing) return existing;

  const digits = known.pin === null ? '' : digitsOf(known.pin);
  const texts = [...Object.values(row), known.type ?? '', digits];
  const text = texts.map(normalize).join('\n');
  const all = { text, cells: new Set(text.split('\n')) };
  searchables.set(row, all);
  return all;
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
