import type { Access, AccessAnswer } from './access.js';
import type { Outcome, ServiceStatus } from './connection.js';
import type { Decoded, Facts } from './facts.js';
import type { Failure, Problem } from './problem.js';

/** Everything that the page knows, as plain data. What is shown is derived from it; only `reduce` makes another one. */
export interface State {
  /** What the user gave, in the order of the list. */
  readonly files: readonly ListedFile[];
  /**
   * What is known of the bytes of files, by their fingerprints. Answers of the service stay when their files are removed,
   * so that nothing is read twice.
   */
  readonly contents: ReadonlyMap<string, Content>;
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

/** Where a file lies, as far as the browser says. */
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
  /** Files with the same bytes have the same fingerprint. */
  readonly fingerprint: string;
}

/** What is known of the bytes of a file. */
export interface Content {
  /** What the page has understood itself; null when that is nothing. */
  readonly clearText: Facts | null;
  /** What is sent. They are taken when the file is given, so it does not matter what happens to the file later. */
  readonly bytes: Blob;
  readonly status: 'unread' | 'done' | 'failed';
  /** What the service answered. */
  readonly answer: Decoded | null;
  /** Why it was not read the last time. */
  readonly failure: Failure | null;
}

/** A file of which the page knows what it can before anything is sent. */
export interface RecognizedFile extends Place {
  readonly fingerprint: string;
  readonly clearText: Facts | null;
  readonly bytes: Blob;
}

/** What the last drop did not bring. Names alone, because nothing may hold a file that is not in the list. */
export interface LeftOut {
  readonly files: readonly LeftOutFile[];
  /** Whether the drop brought no files. */
  readonly isAll: boolean;
  /** Whether there were more files than a drop may have. */
  readonly isCut: boolean;
}

export interface LeftOutFile {
  readonly name: string;
  readonly reason: 'notLicense' | 'archive' | 'pdf' | 'empty' | 'tooLarge' | 'unreadable' | 'unchanged';
}

export interface Queue {
  /** What was asked for and is not decided, by the fingerprints of contents, in the order in which it is sent. */
  readonly pending: ReadonlyMap<string, Pending>;
  /** How many were asked for since the queue was empty. */
  readonly asked: number;
  /** From when on it is measured how fast they are read. */
  readonly measured: Measured;
}

/** The beginning of the reading, or of what follows its last pause. */
export interface Measured {
  /** In milliseconds since the epoch. */
  readonly since: number;
  /** How many files were decided by then. */
  readonly decided: number;
}

export interface Pending {
  readonly status: 'waiting' | 'decoding';
  /** Whether it was last sent with a token. Then it is not sent without one unless the user asks again. */
  readonly hadToken: boolean;
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
  // Files arrive.
  | { type: 'dropStarted'; drop: number }
  | { type: 'dropFound'; drop: number; leftOut: LeftOut }
  | { type: 'filesRecognized'; drop: number; files: readonly (RecognizedFile | LeftOutFile)[] }
  | { type: 'dropEnded'; drop: number }
  // The user changes the list.
  | { type: 'rowsRemoved'; fingerprints: ReadonlySet<string> }
  | { type: 'cleared' }
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
  | { type: 'tokenForgotten' };

export type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>;
