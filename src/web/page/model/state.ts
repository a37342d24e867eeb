import type { Access, AccessAnswer } from './access.js';
import type { Outcome, ServiceStatus } from './connection.js';
import type { Decoded, Facts } from './facts.js';
import type { Problem } from './problem.js';

/** Everything that the page knows, as plain data. What is shown is derived from it; only `reduce` makes another one. */
export interface State {
  /** What the user gave, in the order of the list. */
  readonly files: readonly ListedFile[];
  /** What is known of the bytes of the listed files, by their fingerprints. */
  readonly contents: ReadonlyMap<string, Content>;
  /** What the last drop did not bring into the list; undefined once the user hides it. */
  readonly leftOut: LeftOut | undefined;
  /** How many drops still arrive. */
  readonly arriving: number;
  readonly queue: Queue;
  readonly pause: Pause | undefined;
  /** Whether the page is asking for the status, on which depends whether it goes on sending. */
  readonly isChecking: boolean;
  readonly lastStatus: LastStatus;
  readonly access: Access;
  /** The id of the file that is added next. */
  readonly nextId: number;
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
  /** A later file has a larger one. */
  readonly id: number;
  /** Files with the same bytes have the same fingerprint. */
  readonly fingerprint: string;
}

/** What is known of the bytes of a file. */
export interface Content {
  /** What the page has understood itself; null when that is nothing. */
  readonly clearText: Facts | null;
  /** Whether it is probably no license, because it has neither a known label nor an encrypted part. */
  readonly isUnlikely: boolean;
  /** What is sent. They are taken when the file is given, so it does not matter what happens to the file later. */
  readonly bytes: Blob;
  /** `failed`: reading may work another time. `refused`: it never will, because of what is in the file. */
  readonly status: 'unread' | 'done' | 'failed' | 'refused';
  /** What the service answered. */
  readonly answer: Decoded | null;
  /** Why it failed or was refused the last time. */
  readonly problem: Problem | null;
}

/** A file of which the page knows what it can before anything is sent. */
export interface RecognizedFile extends Place {
  readonly fingerprint: string;
  readonly clearText: Facts | null;
  readonly isUnlikely: boolean;
  readonly bytes: Blob;
}

/** What the last drop did not bring. Names alone, because nothing may hold a file that is not in the list. */
export interface LeftOut {
  /** Those that are named, each with the reason. */
  readonly files: readonly LeftOutFile[];
  /** How many other files there were in folders, whose names are not those of licenses. */
  readonly otherCount: number;
  /** Whether there were more files than a drop may have. */
  readonly isCut: boolean;
}

export interface LeftOutFile {
  readonly name: string;
  readonly reason:
    'notLicense' | 'privateKey' | 'archive' | 'pdf' | 'empty' | 'tooLarge' | 'unreadable' | 'unchanged';
}

export interface Queue {
  /** What was asked for and is not decided, by the fingerprints of contents, in the order in which it is sent. */
  readonly pending: ReadonlyMap<string, Pending>;
  /** How many were asked for since the queue was empty. */
  readonly asked: number;
  /** When the first of these was asked for, in milliseconds since the epoch. */
  readonly firstAskedAt: number;
  /** Whether ring did not finish in time for the file that was decided last. */
  readonly hasTimedOut: boolean;
}

export interface Pending {
  readonly status: 'waiting' | 'reading';
  /** Whether it has failed if it meets another outage. A full queue is none: that did not look at the file. */
  readonly isLastTry: boolean;
}

/** What came of the last question for the status. */
export interface LastStatus {
  /** When it was asked, in milliseconds since the epoch. */
  readonly sentAt: number;
  /** Why the service could not read then: it said so, or did not answer. */
  readonly fault: 'ring_unavailable' | 'noAnswer' | undefined;
}

/** Why the service cannot read at the moment. Nothing is sent until a status says from `until` on that it is ready. */
export interface Pause {
  readonly problem: Problem;
  /** When the status is asked next, in milliseconds since the epoch. */
  readonly until: number;
}

/** All that can happen to the state. */
export type Action =
  // Files arrive.
  | { type: 'dropStarted' }
  | { type: 'dropFound'; leftOut: LeftOut }
  | { type: 'filesRecognized'; files: readonly (RecognizedFile | LeftOutFile)[] }
  | { type: 'dropEnded' }
  // The user changes the list.
  | { type: 'rowsRemoved'; fingerprints: ReadonlySet<string> }
  | { type: 'cleared' }
  | { type: 'leftOutHidden' }
  // Files are read by the service. `answer` is undefined if none came.
  | { type: 'asked'; fingerprints: readonly string[] }
  | { type: 'canceled'; fingerprints: readonly string[] }
  | { type: 'sent'; fingerprint: string }
  | { type: 'answered'; fingerprint: string; outcome: Outcome; answer: AccessAnswer | undefined }
  // `checkWanted`: the user does not want to wait for the end of a pause.
  | { type: 'checkWanted' }
  | { type: 'checkStarted' }
  // The service and the token. `token` is undefined if the user entered none.
  | { type: 'statusLearned'; status: ServiceStatus }
  | { type: 'tokenOffered'; token: string | undefined }
  | { type: 'tokenForgotten' };

export type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>;
