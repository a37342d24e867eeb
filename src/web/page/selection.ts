import { daysBetween } from './format.js';
import { duplicateKeys, licenseKey } from './duplicates.js';
import type { Item, ItemState } from './item.js';
import { isExpired, rowOf } from './row.js';

export const FILTERS = ['all', 'expired', 'expiring', 'duplicates', 'failed'] as const;
export type Filter = (typeof FILTERS)[number];

export const COLUMNS = [
  'file',
  'pin',
  'owner',
  'product',
  'users',
  'type',
  'registrationNumber',
  'computer',
  'validUntil',
  'state',
] as const;
export type Column = (typeof COLUMNS)[number];

export interface Choice {
  filter: Filter;
  search: string;
  sort: Column | undefined;
  descending: boolean;
}

/** Days before its end in which a license counts as one that expires soon. */
const SOON_DAYS = 90;

/** The texts of an item's cells, in which the search looks. */
export type CellTexts = (item: Item) => Record<Column, string>;

export interface Selection {
  shown: readonly Item[];
  /** How many items each filter has, whatever is searched for. */
  counts: Record<Filter, number>;
  duplicates: ReadonlySet<string>;
}

/** The items that the table shows, in its order. */
export function select(
  items: readonly Item[],
  { filter, search, sort, descending }: Choice,
  textsOf: CellTexts,
  today: string,
): Selection {
  const duplicates = duplicateKeys(items);
  const passes: Record<Filter, (item: Item) => boolean> = {
    all: () => true,
    expired: (item) => isExpired(rowOf(item), today),
    expiring: (item) => expiresSoon(item, today),
    duplicates: (item) => duplicates.has(licenseKey(item)),
    failed: ({ state }) => state.name === 'failed',
  };
  const counts = Object.fromEntries(
    FILTERS.map((name) => [name, items.filter(passes[name]).length]),
  ) as Selection['counts'];

  const words = normalize(search).split(/\s+/).filter(Boolean);
  const shown = items.filter(
    (item) => passes[filter](item) && (words.length === 0 || matches(words, textsOf(item))),
  );
  return { shown: sort ? sortBy(shown, sort, descending, textsOf) : shown, counts, duplicates };
}

function expiresSoon(item: Item, today: string): boolean {
  const { validUntil } = rowOf(item);
  const days = validUntil === null ? -1 : daysBetween(today, validUntil);
  return days >= 0 && days <= SOON_DAYS;
}

const normalize = (text: string) => text.toLowerCase().replaceAll('ё', 'е');

/** Whether each word is in one of the cells. A PIN code is found with and without hyphens. */
function matches(words: readonly string[], texts: Record<Column, string>): boolean {
  const cells = normalize(Object.values(texts).join('\n'));
  const pin = texts.pin.replaceAll('-', '');
  return words.every((word) => {
    const isPin = /^[\d-]*\d[\d-]*$/.test(word);
    return cells.includes(word) || (isPin && pin.includes(word.replaceAll('-', '')));
  });
}

/** What needs attention comes first. */
const STATES: ItemState['name'][] = ['failed', 'canceled', 'decoding', 'waiting', 'done'];

/** Sorts by a column; items without a value come last in either direction. */
function sortBy(items: readonly Item[], column: Column, descending: boolean, textsOf: CellTexts): Item[] {
  const { compare } = new Intl.Collator('ru', { numeric: true });
  const keyed = items.map((item) => ({ item, key: sortKey(item, column, textsOf) }));
  const direction = descending ? -1 : 1;
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === '' || b === '') return Number(a === '') - Number(b === '');
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
    return direction * order;
  });
  return keyed.map(({ item }) => item);
}

function sortKey(item: Item, column: Column, textsOf: CellTexts): string | number {
  const row = rowOf(item);
  if (column === 'users') return row.users ?? '';
  if (column === 'validUntil') return row.validUntil ?? (row.unlimited ? '9999' : '');
  if (column === 'state') return STATES.indexOf(item.state.name);
  if (column === 'file') return `${row.folder}/${row.file}`;
  return textsOf(item)[column];
}
