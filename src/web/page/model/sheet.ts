import type { SheetFacts } from './facts.js';
import type { Place } from './place.js';
import type { Failure } from './problem.js';

/** What a row of an exported sheet says of a license; a PIN code only when its check in the column of the fingerprint fits. */
export interface SheetRow extends Omit<SheetFacts, 'day'> {
  /** Where its files were that day; at least one. */
  readonly places: readonly Place[];
  /** That of the file's bytes, as the page computes it; null when the sheet does not say it. */
  readonly fingerprint: string | null;
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
