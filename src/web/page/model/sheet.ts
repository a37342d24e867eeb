import type { Item } from './item.js';
import type { Source } from './facts.js';

/** A row of an exported list. */
export interface SheetRow extends Pick<Item, 'name' | 'folder'> {
  /** Of the bytes that the file had. */
  fingerprint: string | null;
  /** undefined when the row says nothing of the license. */
  source: Source | undefined;
  /** Why the file was not read that day. */
  error: string | null;
}

/** An exported list, which is what was known on a day. */
export interface Sheet {
  /** YYYY-MM-DD */
  day: string;
  /** Whether it may lack licenses that were there that day. */
  isPartial: boolean;
  rows: readonly SheetRow[];
  /** How many values were left out, because they cannot be what their columns are for. */
  unclear: number;
  /** It comes with the sheet, because the page has no use for it before. */
  compare: (files: readonly Item[], rows: readonly Item[], isPartial: boolean) => Comparison;
}

export const DIFFERENCES = ['validUntil', 'users', 'computer', 'file', 'content'] as const;

/** What became of a license since the day of a list. */
export type Change =
  /** `unlisted` is what a partial list does not have, and may be older than that. */
  | { name: 'new' | 'unlisted' | 'gone' }
  | { name: 'changed'; before: Item; differences: readonly (typeof DIFFERENCES)[number][] };

export interface Comparison {
  changes: ReadonlyMap<Item, Change>;
  /** The rows of the list that are licenses of today, with their files. */
  found: ReadonlyMap<Item, Item>;
}
