import { digitsOf } from './facts.js';
import type { License } from './license.js';

/** All that a row says of a license in the language of the page. */
type RowTexts = Readonly<Record<string, string>>;
export type Describe = (license: License) => RowTexts;

const searched = new WeakMap<object, { text: string; cells: ReadonlySet<string> }>();

/** What a search asks for: words that a row has, or with `=` before it a whole cell. */
export type Search = { words: readonly string[] } | { cell: string };

export function searchOf(text: string): Search {
  const search = normalize(text).trim();
  if (search.startsWith('=')) return { cell: search.slice(1).trim() };
  return { words: search.split(/\s+/).filter(Boolean) };
}

/** Whether a row has what a search asks for. A PIN code is found with and without hyphens. */
export function matches(search: Search, license: License, row: RowTexts): boolean {
  let all = searched.get(row);
  if (all === undefined) {
    const { pin, type } = license.known;
    const digits = pin === null ? '' : digitsOf(pin);
    const texts = Object.values({ ...row, ownType: type ?? '', digits });
    const cells = texts.map(normalize);
    all = { text: cells.join('\n'), cells: new Set(cells.flatMap((cell) => cell.split('\n'))) };
    searched.set(row, all);
  }
  const { text, cells } = all;
  if ('cell' in search) return search.cell === '' || cells.has(search.cell);
  return search.words.every(
    (word) => text.includes(word) || (/^[\d-]*\d$/.test(word) && text.includes(word.replaceAll('-', ''))),
  );
}

/** What people type in place of what stands there; macOS writes й and ё in the names of files as two characters. */
const normalize = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/(?<=1)c/g, 'с')
    .replace(/[«»„“”]/g, '"')
    .replace(/[‐-―−]/g, '-');
