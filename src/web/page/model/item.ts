import type { Content } from './content.js';

/** A file as the user gave it. */
export interface ChosenFile {
  file: File;
  /** The folders above the file, from the one that was chosen; empty for a file that was chosen by itself. */
  folder: string;
}

/**
 * A row of the table: a place where a license is, which is a file that the user gave or one that a list names. Two
 * places of one license are two rows.
 */
export interface Item {
  /** A file that takes the place of another one keeps its id. */
  readonly id: number;
  /** The name of the file. */
  readonly name: string;
  /** The folders above the file, as far as the user gave them; empty for a single file. */
  readonly folder: string;
  readonly content: Content;
  /** YYYY-MM-DD, the day of the list that has the row; undefined for a file. */
  readonly day?: string;
}

/** The path of a file as far as the user gave it. */
export const pathOf = ({ name, folder }: Pick<Item, 'name' | 'folder'>) =>
  folder === '' ? name : `${folder}/${name}`;

/** Whether it is no row of a list of another day. */
export const isFile = ({ day }: Item) => day === undefined;

export const stateOf = ({ content }: Item) => content.state;

/** What is known of the license of a row. */
export const licenseOf = ({ content }: Item) => content.license;

/** Whether there is a reason why an item has not been read. */
export const isFailed = (item: Item) => ['failed', 'unfit'].includes(stateOf(item).name);

/** Whether an item is being read or waits for it. */
export const isPending = (item: Item) => ['waiting', 'decoding'].includes(stateOf(item).name);

/** Whether an item is read only when the user asks for it. */
export const isUnread = (item: Item) => stateOf(item).name !== 'failed' && item.content.canBeAsked;
