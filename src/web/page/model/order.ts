import { groupBy } from './group-by.js';
import type { License } from './license.js';
import { VALIDITIES, type Validity } from './validity.js';

/** By what a column sorts; null where a license has no value. */
export type SortValue = string | number | null;

export interface SortColumn {
  readonly id: string;
  readonly sortValue: (license: License) => SortValue;
}

export interface Sort {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** By term and by computer the list has headings; by a column it is flat. */
export type Order = 'term' | 'computer' | Sort;

/** The headings by term, from the first to the last one. */
export const TERMS = ['failed', ...VALIDITIES] as const;
export type Term = (typeof TERMS)[number];

export const termOf = ({ isFailed }: License, validity: Validity): Term => (isFailed ? 'failed' : validity);

/**
 * The names of the computers, by how they are compared: ring and the clear text of a file may write the same one
 * differently. The first way to write it counts.
 */
export function computersIn(licenses: Iterable<License>): ReadonlyMap<string, string> {
  const computers = new Map<string, string>();
  for (const [key, [first]] of groupBy(licenses, computerKey)) {
    computers.set(key, first?.facts.computer ?? key);
  }
  return computers;
}

/** Names of computers are the same in capital and small letters. */
export const computerKey = ({ facts }: License) => facts.computer?.toLowerCase() ?? null;

/** Compares texts as people sort them: with numbers by their values. */
export const { compare: compareTexts } = new Intl.Collator('ru', { numeric: true });

function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareTexts(String(a), String(b));
}

/** In the order of a value; those with the same one stay as they are, and those without one come last in either direction. */
export function sortedBy(
  licenses: readonly License[],
  valueOf: (license: License) => SortValue,
  descending = false,
): License[] {
  const valued = licenses.map((license) => ({ license, value: valueOf(license) }));
  valued.sort((a, b) => {
    if (a.value === null && b.value === null) return 0;
    if (a.value === null) return 1;
    if (b.value === null) return -1;

    const ascending = compareValues(a.value, b.value);
    return descending ? -ascending : ascending;
  });
  return valued.map(({ license }) => license);
}
