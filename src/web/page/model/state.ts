import type { Access, AccessAnswer } from './access.js';
import type { Outcome, ServiceStatus } from './connection.js';
import type { Decoded, Facts, SheetFacts } from './facts.js';
import type { Failure, Problem, SheetProblem } from './problem.js';

/** Everything that the page knows, as plain data. What is shown is derived from it; only `reduce` makes another one. */
export interface State {
  /** What the user gave, in the order of the list. */
  readonly files: readonly ListedFile[];
  /** What is known of the bytes of the files in the list and in `undo`, by their fingerprints. */
  readonly contents: ReadonlyMap<string, Content>;
  readonly sheet: ListedSheet | undefined;
  readonly undo: Undo | undefined;
  /** What the last drop did not bring into the list; undefined once the user hides it. */
  readonly leftOut: LeftOut | undefined;
  /**
   * The drops that still arrive, each with the paths that it has brought so far. Clear forgets them, and files of a drop
   * that is not here are ignored.
   */
  readonly drops: ReadonlyMap<number, ReadonlySet<string>>;
  readonly queue: Queue;
  readonly pause: Pause | undefined;
  readonly access: Access;
  /** Whether to read more without being asked when the limit is renewed. */
  readonly goesOnByItself: boolean;
  /** The place in the list of what is added next. */
  readonly nextOrder: number;
}

/** Where a file lies, as far as the user or a sheet says. */
export interface Place {
  /** The name of the file. */
  readonly name: string;
  /** The folders above the file, from the one that was chosen; empty for a file that was chosen by itself. */
  readonly folder: string;
}

export const pathOf = ({ name, folder }: Place) => (folder === '' ? name : `${folder}/${name}`);

/** A file that the user gave. */
export interface ListedFile extends Place {
  /** Its place in the list, which it leaves to the file that replaces it. */
  readonly order: number;
  readonly file: File;
  /** Files with the same bytes have the same fingerprint. */
  readonly fingerprint: string;
}

/** What is known of the bytes of a file. */
export interface Content {
  /** What the page has read itself; null when it understood nothing. */
  readonly clearText: Facts | null;
  /** `unfit` does not look like a license: it is sent only when the user asks for it nevertheless. */
  readonly status: 'unread' | 'done' | 'failed' | 'unfit';
  /** What the service answered. */
  readonly answer: Decoded | null;
  /** Why it was not read the last time. */
  readonly failure: Failure | null;
}

/** A file of which the page has read what it can before anything is sent. */
export interface ReadFile extends Place {
  readonly file: File;
  readonly fingerprint: string;
  readonly content: Content;
}

/** What a row of an exported sheet says of a license; a PIN code only when its check in the column of the fingerprint fits. */
export interface SheetRow extends Omit<SheetFacts, 'day'> {
  /** Where its files were that day; at least one. */
  readonly places: readonly Place[];
  /** The fingerprint of the bytes; null when the sheet does not say it. */
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

export interface ListedRow extends SheetRow {
  /** Its place in the list. */
  readonly order: number;
  /** The day of the sheet. */
  readonly day: string;
}

export interface ListedSheet extends Sheet {
  readonly rows: readonly ListedRow[];
}

/** Names alone, because nothing may hold a file that is not in the list. */
export interface LeftOut {
  readonly files: readonly LeftOutFile[];
  /** Whether the drop brought no files and no sheet. */
  readonly isAll: boolean;
}

export interface LeftOutFile {
  readonly name: string;
  readonly reason: 'notLicense' | 'archive' | 'pdf' | 'unreadable' | 'olderSheet' | SheetProblem;
}

/** The list as it was before the last action, and what that did. */
export interface Undo {
  readonly files: readonly ListedFile[];
  readonly sheet: ListedSheet | undefined;
  /** What has come since has this place in the list or a later one. */
  readonly nextOrder: number;
  /** How many rows of the table were removed. */
  readonly removed: number;
  /** How many files were replaced by others at their paths. */
  readonly updated: number;
  /** How many files came again that were in the list, with the same bytes. */
  readonly unchanged: number;
  /** Whether files that still arrived were stopped. They do not come back. */
  readonly hasStoppedFiles: boolean;
}

export interface Queue {
  /** What was asked for and is not decided, by the fingerprints of contents, in the order in which it is sent. */
  readonly pending: ReadonlyMap<string, Pending>;
  /** How many were asked for since the queue was empty. */
  readonly asked: number;
}

export interface Pending {
  readonly status: 'waiting' | 'decoding';
  /** How many attempts at it ended in an outage. */
  readonly outages: number;
}

/** Why the service cannot read at the moment. Nothing is sent meanwhile, whether something waits or not. */
export interface Pause {
  readonly problem: Problem;
  /** When the service is asked next whether it is ready, in milliseconds since the epoch. */
  readonly until: number;
}

/** All that can happen to the state. */
export type Action =
  // Files and sheets arrive.
  | { type: 'dropStarted'; drop: number }
  | { type: 'dropFound'; drop: number; sheet: Sheet | undefined; leftOut: LeftOut }
  | { type: 'filesRead'; drop: number; files: readonly ReadFile[] }
  | { type: 'dropEnded'; drop: number }
  // The user changes the list. `removed` is the number of rows of the table.
  | {
      type: 'rowsRemoved';
      fingerprints: ReadonlySet<string>;
      sheetOrders: ReadonlySet<number>;
      removed: number;
    }
  | { type: 'cleared'; removed: number }
  | { type: 'sheetRemoved' }
  | { type: 'undone' }
  | { type: 'noticeHidden' }
  | { type: 'leftOutHidden' }
  // Files are read by the service. `answer` is undefined if none came.
  | { type: 'asked'; fingerprints: readonly string[] }
  | { type: 'canceled'; fingerprints: readonly string[] }
  | { type: 'sent'; fingerprint: string }
  | { type: 'answered'; fingerprint: string; outcome: Outcome; answer: AccessAnswer | undefined }
  | { type: 'goesOnByItself'; isWanted: boolean }
  // The service and the token. `token` is undefined if the user entered none.
  | { type: 'statusLearned'; status: ServiceStatus }
  | { type: 'tokenOffered'; token: string | undefined }
  | { type: 'tokenForgotten' }
  | { type: 'tokenMenuToggled'; isOpen: boolean };

export type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>;
