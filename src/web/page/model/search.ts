import { licenseOf, type Item } from './item.js';

const searched = new WeakMap<object, string>();

/** Whether each word is in what a row says of its license. A PIN code is found with and without hyphens. */
export function matches(
  words: readonly string[],
  item: Item,
  row: Readonly<Record<string, string>>,
): boolean {
  let all = searched.get(row);
  if (all === undefined) {
    const texts = { ...row, state: '' };
    const { pin, type } = licenseOf(item);
    all = normalize([...Object.values(texts), type, pin?.replaceAll('-', '')].join('\n'));
    searched.set(row, all);
  }
  const text = all;
  return words.every(
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

export const wordsOf = (search: string) => normalize(search).split(/\s+/).filter(Boolean);
