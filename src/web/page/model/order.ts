import type { License } from './license.js';

/** By what a column sorts; null where a license has no value. */
export type SortValue = string | number | null;

export interface SortColumn {
  readonly id: string;
  /** `urgency` is the default order, which one column of the table stands for. */
  readonly sortValue: ((license: License) => SortValue) | 'urgency';
}

export interface Sort {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** Compares texts as people sort them: with numbers by their values. */
export const { compare: compareTexts } = new Intl.Collator('ru', { numeric: true });

function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareTexts(String(a), String(b));
}

/** In the order of a value; those with the same one stay as they are. */
export function sortedBy(
  licenses: readonly License[],
  valueOf: (license: License) => SortValue,
  order = compareValues,
): License[] {
  const valued = licenses.map((license) => ({ license, value: valueOf(license) }));
  valued.sort((a, b) => order(a.value, b.value));
  return valued.map(({ license }) => license);
}

/** By a column; licenses without a value come last in either direction. */
export function byColumn(licenses: readonly License[], { column, descending }: Sort): License[] {
  const valueOf = column.sortValue === 'urgency' ? () => null : column.sortValue;
  return sortedBy(licenses, valueOf, (a, b) => {
    if (a === null && b === null) return 0;
    if (a === null) return 1;
    if (b === null) return -1;

    const ascending = compareValues(a, b);
    return descending ? -ascending : ascending;
  });
}
