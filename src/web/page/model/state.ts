import type { Access, AccessAnswer } from './access.js';
import type { Outcome, ServiceStatus } from './connection.js';
import type { Decoded, Facts } from './facts.js';
import type { Place } from './place.js';
import type { Failure, Problem, SheetProblem } from './problem.js';
import type { Sheet, SheetRow } from './sheet.js';

/** Everything that the page knows, as plain data. What is shown is derived from it; only `reduce` makes another one. */
export interface State {
  /** What the user gave, in the order of the list. */
  readonly files: readonly ListedFile[];
  /** What is known of the bytes of the files in the list and in `undo`, by `ListedFile.contentKey`. */
  readonly contents: ReadonlyMap<string, Content>;
  readonly sheet: ListedSheet | undefined;
  readonly undo: Undo | undefined;
  /** What the last drop did not bring into the list; undefined once the user hides it. */
  readonly leftOut: LeftOut | undefined;
  /** The drops that still arrive, each with the paths that it has brought so far. Clear forgets them. */
  readonly drops: ReadonlyMap<number, ReadonlySet<string>>;
  readonly queue: Queue;
  readonly pause: Pause | undefined;
  readonly access: Access;
  /** Whether to read more without being asked when the limit is renewed. */
  readonly goesOnByItself: boolean;
  /** How often reading gave a reason to bring the rows into a new order. In between, answers move no row. */
  readonly readingArrangements: number;
  /** The place in the list of what is added next. */
  readonly nextOrder: number;
}

/** A file that the user gave. Files with the same bytes have the same key. */
export interface ListedFile extends Place {
  /** Its place in the list, which it leaves to the file that replaces it. */
  readonly order: number;
  readonly file: File;
  readonly contentKey: string;
}

/**
 * `unread` is sent when the user asks for it, `waiting` and `decoding` were asked for. `failed` can be asked for again if
 * its failure says so. `unfit` does not look like a license: it is sent only when its failure allows that and the user
 * asks for it nevertheless.
 */
export type Status = 'unread' | 'waiting' | 'decoding' | 'done' | 'failed' | 'unfit';

/** What is known of the bytes of a file. */
export interface Content {
  /** See `fingerprintOf`; null when the file could not be opened. */
  readonly fingerprint: string | null;
  /** What the page has read itself; null when it understood nothing. */
  readonly clearText: Facts | null;
  readonly status: Status;
  /** What the service answered. */
  readonly answer: Decoded | null;
  /** Why it was not read the last time. What is asked for again keeps it until it is decided. */
  readonly failure: Failure | null;
  /** How many attempts at it ended in an outage since it was asked for. */
  readonly outages: number;
}

/** A row of the sheet with its place in the list. */
export interface ListedRow extends SheetRow {
  readonly order: number;
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

/** What the last action took out of the list and put into it. */
export interface Undo {
  readonly removedFiles: readonly ListedFile[];
  /** Files that took the place of removed ones. */
  readonly replacements: readonly ListedFile[];
  /** The sheet as it was, when rows of it were removed. */
  readonly sheetBefore: ListedSheet | undefined;
  /** How many rows of the table were removed. */
  readonly removed: number;
  /** How many files came again that were in the list, with the same bytes. */
  readonly unchanged: number;
}

/** What the user asked for and is not decided yet; the keys of contents. */
export interface Queue {
  /** In the order in which it is sent. */
  readonly waiting: readonly string[];
  readonly sent: readonly string[];
  /** How many were asked for since the queue was empty. */
  readonly asked: number;
}

/** Why the service cannot read at the moment. Nothing is sent meanwhile, whether something waits or not. */
export interface Pause {
  readonly problem: Problem;
  /** When the service is asked next whether it is ready, in milliseconds since the epoch. */
  readonly until: number;
}

/** What the page reads of a file before anything is sent. */
export type FileContent = Pick<Content, 'fingerprint' | 'clearText' | 'status' | 'failure'>;

export interface ReadFile extends Place {
  readonly file: File;
  readonly content: FileContent;
}

/** All that can happen to the state. `now` is in milliseconds since the epoch. */
export type Action =
  // Files and sheets arrive.
  | { type: 'dropStarted'; drop: number }
  | { type: 'dropFound'; drop: number; hasFiles: boolean; sheet: Sheet | undefined; leftOut: LeftOut }
  | { type: 'filesRead'; drop: number; files: readonly ReadFile[] }
  | { type: 'dropEnded'; drop: number }
  // The user changes the list. `removed` is the number of rows of the table.
  | {
      type: 'rowsRemoved';
      contentKeys: ReadonlySet<string>;
      sheetOrders: ReadonlySet<number>;
      removed: number;
    }
  | { type: 'cleared'; removed: number }
  | { type: 'sheetRemoved' }
  | { type: 'undone' }
  | { type: 'noticeHidden' }
  | { type: 'leftOutHidden' }
  // Files are read by the service.
  | { type: 'asked'; contentKeys: readonly string[]; now: number }
  | { type: 'canceled'; contentKeys: readonly string[] }
  | { type: 'sent'; contentKey: string; now: number }
  | { type: 'answered'; contentKey: string; outcome: Outcome; token: string | undefined; now: number }
  | { type: 'goesOnByItself'; isWanted: boolean }
  // The service, its limit and the token.
  | { type: 'statusLearned'; status: ServiceStatus; token: string | undefined; now: number }
  | { type: 'accessLearned'; answer: AccessAnswer; token: string | undefined; now: number }
  | { type: 'tokenOffered'; token: string | undefined }
  | { type: 'tokenForgotten'; now: number }
  | { type: 'tokenFormShown'; isShown: boolean };
