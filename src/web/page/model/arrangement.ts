import type { Filter } from './filters.js';
import { computerKey, type License } from './license.js';
import type { Validity } from './validity.js';

/** By what a column sorts; null where a license has no value. */
export type SortValue = string | number | null;

export interface SortColumn {
  readonly id: string;
  readonly sortValue: (license: License) => SortValue;
}

export interface Sort {
  /** The id of the column. */
  readonly column: string;
  readonly descending: boolean;
}

/** By term the list has headings; by a column it is flat. */
export type Order = 'term' | Sort;

/** What stands above a row; empty in a flat list. */
export type Heading = Validity | '';

/** How the table stands. It holds no licenses, so that none stays in memory that was removed. */
export interface Arrangement {
  /** The ids of all rows in their order, each with the heading above it. */
  readonly headings: ReadonlyMap<number, Heading>;
  /** The ids of the rows that are shown. */
  readonly shown: ReadonlySet<number>;
  readonly filter: Filter;
  readonly search: string;
  readonly order: Order;
  readonly isReadingOn: boolean;
}

/** What may have changed since the table was arranged. */
export interface ListNow {
  /** All rows. */
  readonly licenses: readonly License[];
  /** Those that the filter and the search leave. */
  readonly matching: readonly License[];
  readonly filter: Filter;
  readonly search: string;
  readonly order: Order;
  /** Whether the service reads, and no pause keeps it from that. */
  readonly isReadingOn: boolean;
  readonly headingOf: (license: License) => Heading;
  /** By what the order sorts. */
  readonly sortValue: (license: License) => SortValue;
}

export const NOTHING_ARRANGED: Arrangement = {
  headings: new Map(),
  shown: new Set(),
  filter: 'all',
  search: '',
  order: 'term',
  isReadingOn: false,
};

/**
 * Arranges the table after something has happened. An answer of the service hides no row, and moves none unless it ends or
 * pauses the reading, so that nothing changes under the pointer. Rows get another place when the user changes the order,
 * adds or removes, and when a reading begins, pauses or ends. A row that is shown stays until the user changes the filter
 * or the search, adds or removes.
 */
export function arrange(before: Arrangement, now: ListNow): Arrangement {
  const { licenses, matching, filter, search, order, isReadingOn } = now;
  const isSameLength = licenses.length === before.headings.size;
  const isSameList = isSameLength && licenses.every(({ id }) => before.headings.has(id));

  const isInOrder = isSameList && order === before.order && isReadingOn === before.isReadingOn;
  const headings = isInOrder ? before.headings : headingsOf(now);

  const shown = new Set(matching.map(({ id }) => id));
  const isSameSelection = filter === before.filter && search === before.search;
  if (isSameList && isSameSelection) {
    for (const id of before.shown) shown.add(id);
  }
  return { headings, shown, filter, search, order, isReadingOn };
}

function headingsOf({ licenses, order, sortValue, headingOf }: ListNow): ReadonlyMap<number, Heading> {
  const isDescending = order !== 'term' && order.descending;
  const sorted = sortedBy(licenses, sortValue, isDescending);
  return new Map(sorted.map((license) => [license.id, headingOf(license)]));
}

/**
 * In the order of a value; those without one come last in either direction. Those with the same value are in the order of
 * their computers, and those of one computer in that of their products.
 */
export function sortedBy(
  licenses: readonly License[],
  valueOf: (license: License) => SortValue,
  isDescending = false,
): License[] {
  const valued = licenses.map((license) => ({ license, value: valueOf(license) }));
  valued.sort((a, b) => {
    const byValue = compareValues(a.value, b.value, isDescending);
    if (byValue !== 0) return byValue;

    const byComputer = compareValues(computerKey(a.license), computerKey(b.license));
    if (byComputer !== 0) return byComputer;
    return compareValues(a.license.facts.product, b.license.facts.product);
  });
  return valued.map(({ license }) => license);
}

function compareValues(a: SortValue, b: SortValue, isDescending = false): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;

  const areNumbers = typeof a === 'number' && typeof b === 'number';
  const ascending = areNumbers ? a - b : compareTexts(String(a), String(b));
  return isDescending ? -ascending : ascending;
}

/** Compares texts as people sort them: with numbers by their values. */
export const { compare: compareTexts } = new Intl.Collator('ru', { numeric: true });
