import type { Facts } from './facts.js';
import type { License } from './license.js';
import type { Place } from './place.js';
import type { Failure } from './problem.js';

/** What a row of an exported sheet says of a license. */
export interface SheetRow {
  /** Where its files were that day; at least one. */
  readonly places: readonly Place[];
  /** That of the file's bytes, as the page computes it; null when the sheet does not say it. */
  readonly fingerprint: string | null;
  /** Null where the row says nothing. A PIN code only when its check in the column of the fingerprint fits. */
  readonly facts: Facts;
  /** Whether another license had replaced it that day. */
  readonly wasReplaced: boolean;
  /** Why it had not been read that day. */
  readonly failure: Failure | null;
}

/** A sheet that the page exported on some day, and that was read back. */
export interface Sheet {
  /** YYYY-MM-DD */
  readonly day: string;
  /** Whether it says itself that it has only a part of that day's list. */
  readonly isPart: boolean;
  /** How many values were left out because they cannot be what their columns are for. */
  readonly unclear: number;
  readonly rows: readonly SheetRow[];
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
