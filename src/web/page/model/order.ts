import { DIFFERENCES, type Change } from './comparison.js';
import { daysBetween } from './day.js';
import type { License } from './license.js';
import type { Standing } from './standing.js';
import type { Status } from './state.js';

/** The columns of the table, in its order. */
export const COLUMNS = [
  'validUntil',
  'owner',
  'product',
  'users',
  'computer',
  'registrationNumber',
  'pin',
  'file',
  'state',
] as const;
export type Column = (typeof COLUMNS)[number];

export interface Sort {
  column: Column;
  descending: boolean;
}

/** What a row says in a language. */
export type RowTexts = Record<Column | 'type', string>;
export type Describe = (license: License) => RowTexts;

interface Urgency {
  /** YYYY-MM-DD */
  today: string;
  /** Days before its end in which a license is said to expire soon. */
  horizon: number;
  standings: ReadonlyMap<License, Standing>;
}

/** What needs attention comes first: what ends or ended just now. Long ended and replaced licenses come last. */
export const byUrgency = (licenses: readonly License[], urgency: Urgency): License[] =>
  sortedBy(licenses, (license) => urgencyOf(license, urgency));

function urgencyOf(license: License, { today, horizon, standings }: Urgency): string {
  const { validUntil, unlimited, isBlank } = license.known;
  if (standings.get(license) === 'replaced') return '6';
  if (validUntil === null && unlimited) return '2';
  if (validUntil === null) return isBlank ? '4' : '3';

  const days = daysBetween(today, validUntil);
  if (days < -horizon) return `5 ${validUntil}`;
  return days <= horizon ? `0 ${validUntil}` : `1 ${validUntil}`;
}

/** By what has changed. */
export const byChange = (licenses: readonly License[], changes: ReadonlyMap<number, Change>): License[] =>
  sortedBy(licenses, ({ id }) => rankOf(changes.get(id)));

/** The place of a change among others: what is gone, what is new, then by what has changed first. */
function rankOf(change: Change | undefined): number {
  if (!change) return Infinity;
  if (change.name !== 'changed') return change.name === 'gone' ? 0 : 1;
  return 2 + DIFFERENCES.findIndex((name) => change.differences.includes(name));
}

type Key = string | number;

const byKey = (a: Key, b: Key) => Number(a > b) - Number(a < b);

/** In the order of a key; those with the same one stay as they are. */
export function sortedBy(
  licenses: readonly License[],
  keyOf: (license: License) => Key,
  order = byKey,
): License[] {
  const keyed = licenses.map((license) => ({ license, key: keyOf(license) }));
  keyed.sort((a, b) => order(a.key, b.key));
  return keyed.map(({ license }) => license);
}

const { compare } = new Intl.Collator('ru', { numeric: true });

/** By a column; licenses without a value come last in either direction. */
export function byColumn(licenses: readonly License[], { column, descending }: Sort, describe: Describe) {
  const keyOf = (license: License) => keyIn(column, license, describe);
  const order = (a: Key, b: Key) => {
    if (a === '') return b === '' ? 0 : 1;
    if (b === '') return -1;
    return descending ? -compareKeys(a, b) : compareKeys(a, b);
  };
  return sortedBy(licenses, keyOf, order);
}

function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compare(String(a), String(b));
}

function keyIn(column: Column, license: License, describe: Describe): Key {
  const { users, validUntil, unlimited } = license.known;
  if (column === 'users') return users ?? '';
  if (column === 'validUntil') return validUntil ?? (unlimited ? '9999' : '');
  if (column === 'state') return STATUSES.indexOf(license.status);
  return describe(license)[column];
}

/** What needs attention comes first. */
const STATUSES: Status[] = ['failed', 'unfit', 'decoding', 'waiting', 'unread', 'done'];
