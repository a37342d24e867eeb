import type { Content, License, Place } from './license.js';

/** A row of an exported list: a license with its files. */
export interface SheetRow extends Content {
  places: readonly Pick<Place, 'name' | 'folder'>[];
}

/** What stays of an exported list, which is what was known on a day, beside its rows: they may leave one by one. */
export interface SheetInfo {
  /** YYYY-MM-DD */
  day: string;
  /** Whether it may lack licenses that were there that day. */
  isPartial: boolean;
  /** How many values were left out, because they cannot be what their columns are for. */
  unclear: number;
  /** It comes with the sheet, because the page has no use for it before. */
  compare: (licenses: readonly License[], rows: readonly License[]) => Matches;
}

export interface Sheet extends SheetInfo {
  rows: readonly SheetRow[];
}

/** What can differ, in the order in which changes are shown. What else a file holds is no change. */
export const DIFFERENCES = ['validUntil', 'users', 'computer', 'pin', 'folder'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** What became of a license since the day of a list. */
export type Change =
  { name: 'new' | 'gone' } | { name: 'changed'; before: License; differences: readonly Difference[] };

/** What two lists have in common, and what not. */
export interface Matches {
  changes: ReadonlyMap<License, Change>;
  /** The licenses of today that the list of another day has, with its rows. */
  rowsOf: ReadonlyMap<License, readonly License[]>;
}
