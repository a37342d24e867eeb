import type { Signal } from '@preact/signals';
import type { DecodeResult } from '../../../decode/response-schema.js';
import type { StructuredLicense } from '../../../license/schema.js';
import type { Problem } from './problem.js';

/** A file as the user gave it. */
export interface ChosenFile {
  file: File;
  /** The folders above the file, from the one that was chosen; empty for a file that was chosen by itself. */
  folder: string;
}

/** The answer with `structured=true`. */
export type Decoded = DecodeResult & { structured: StructuredLicense };

export type ItemState =
  /** `unread` and `canceled` are sent only when the user asks for them. */
  | { name: 'unread' | 'canceled' | 'waiting' | 'decoding' }
  | { name: 'done'; result: Decoded }
  | { name: 'failed'; problem: Problem; canRetry: boolean };

/** Bytes that the user gave, in one file or several: what is learned of them holds for all these files. */
export interface Content {
  readonly file: File;
  /** What the browser read from the clear text of the file; null when it has none. */
  readonly clearText: StructuredLicense['file'];
  readonly state: Signal<ItemState>;
}

/** A file that the user gave: a row of the table. */
export interface Item {
  readonly id: number;
  readonly file: File;
  /** The folders above the file, as far as the user gave them; empty for a single file. */
  readonly folder: string;
  readonly content: Content;
}

/** The path of a file as far as the user gave it. */
export const pathOf = ({ file, folder }: Pick<Item, 'file' | 'folder'>) =>
  folder === '' ? file.name : `${folder}/${file.name}`;

export const stateOf = ({ content }: Item) => content.state.value;

/** Whether an item is being read or waits for it. */
export const isPending = (item: Item) => ['waiting', 'decoding'].includes(stateOf(item).name);

/** Whether an item is read only when the user asks for it. */
export const isUnread = (item: Item) => ['unread', 'canceled'].includes(stateOf(item).name);
