import type { DecodeResult } from '../../decode/response-schema.js';
import type { StructuredLicense } from '../../license/schema.js';
import type { Problem } from './problem.js';

/** The answer with `structured=true`. */
export type Decoded = DecodeResult & { structured: StructuredLicense };

export type ItemState =
  | { name: 'waiting' | 'decoding' | 'canceled' }
  | { name: 'done'; result: Decoded }
  | { name: 'failed'; problem: Problem; canRetry: boolean };

/** A file that the user gave, and what is known of it. Never changed: a new one takes its place. */
export interface Item {
  readonly id: number;
  readonly file: File;
  /** The folders above the file, as far as the user gave them; empty for a single file. */
  readonly folder: string;
  /** The first item with the same bytes; what becomes of that becomes of all of them. */
  readonly content: number;
  /** What the browser read from the clear text of the file; null when it has none. */
  readonly clearText: StructuredLicense['file'];
  readonly state: ItemState;
}

/** Whether an item is not decided yet. */
export const isPending = ({ state }: Item) => state.name === 'waiting' || state.name === 'decoding';
