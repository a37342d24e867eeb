import type { Quota } from './access.js';
import type { Problem } from './problem.js';
import type { Pause } from './state.js';

/** What the strip is about. A number counts files; those with the same bytes count once. */
export interface StripFacts {
  readonly pause: Pause | undefined;
  /** Whether the page still looks through dropped folders and files. */
  readonly isArriving: boolean;
  /** What was asked for since the queue was last empty, and how much of it is decided. */
  readonly asked: number;
  readonly decided: number;
  /** How many the list has. */
  readonly listed: number;
  readonly unread: number;
  /** How many of the unread are in the table, as the search and the filter leave it. */
  readonly unreadShown: number;
  /** How many could not be read or are no licenses. */
  readonly failed: number;
  /** How many of the failed can be asked for again. */
  readonly retriable: number;
  /** How many more files can be asked for; infinite with a token. */
  readonly left: number;
  readonly quota: Quota;
}

/** What the strip says of the reading, and what can be done about it. */
export interface Strip {
  /**
   * `broken`: something is out of order. `waits`: the user has to wait. `can`: files are read, or can be. `quiet`: only
   * information.
   */
  readonly tone: 'broken' | 'waits' | 'can' | 'quiet';
  /** Why the service cannot read, which is said first. */
  readonly problem?: Problem;
  /** Keys of texts, which take `values`. Screen readers say them as soon as they change. */
  readonly says: readonly StripText[];
  /** Keys of texts that change with each answer or second. Screen readers would not come to an end with them. */
  readonly shows?: readonly StripText[];
  readonly values?: Record<string, number>;
  /** The moment of which the sentences tell, in milliseconds since the epoch. */
  readonly until?: number;
  readonly button?: StripButton;
  /** Whether a token would lift what one has to wait for. */
  readonly offersToken?: boolean;
}

type StripText =
  | 'goesOn'
  | 'nextCheck'
  | 'checking'
  | 'readingOne'
  | 'readingFiles'
  | 'progress'
  | 'adding'
  | 'unreadFiles'
  | 'needsToken'
  | 'limitUsedUp'
  | 'canGoOnAt'
  | 'failedFiles'
  | 'reasons'
  | 'retryAt'
  | 'allRead'
  | 'oneRead';

/** What a button of the strip does, and the key of its text, which takes `count`. */
export interface StripButton {
  readonly does: 'tryNow' | 'read' | 'retry';
  readonly text: 'tryNow' | 'readSome' | 'retry' | 'retryAll';
  readonly count?: number;
}

/** Says only the first thing that applies. */
export function stripOf(facts: StripFacts): Strip {
  const { pause, asked, isArriving, unread, failed, listed } = facts;
  if (pause) return paused(pause);
  if (asked > 0) return reading(facts);
  if (isArriving) return { tone: 'quiet', says: ['adding'] };
  if (unread > 0) return withFailures(unreadFiles(facts), facts);
  if (failed > 0) return failedFiles(facts);
  if (listed > 1) return { tone: 'quiet', says: ['allRead'] };
  return { tone: 'quiet', says: listed === 1 ? ['oneRead'] : [] };
}

/** What is said each second stands beside why the service cannot read, which is said once. */
function paused({ problem, until }: Pause): Strip {
  const paused = { tone: 'broken', problem, says: ['goesOn'] } as const;
  if (until === 0) return { ...paused, shows: ['checking'] };
  return { ...paused, shows: ['nextCheck'], until, button: { does: 'tryNow', text: 'tryNow' } };
}

function reading({ asked, decided, listed }: StripFacts): Strip {
  if (listed === 1) return { tone: 'can', says: ['readingOne'] };
  return { tone: 'can', says: ['readingFiles'], shows: ['progress'], values: { asked, decided } };
}

function unreadFiles(facts: StripFacts): Strip {
  const { unread, unreadShown, left } = facts;
  if (left <= 0) return outOfLimit(facts);

  const values = { unread };
  if (unreadShown === 0) return { tone: 'quiet', says: ['unreadFiles'], values };
  const button = { does: 'read', text: 'readSome', count: Math.min(left, unreadShown) } as const;
  return { tone: 'can', says: ['unreadFiles'], values, button };
}

function outOfLimit({ quota }: StripFacts): Strip {
  if (quota.limit === 0) return { tone: 'waits', says: ['needsToken'], offersToken: true };
  return { tone: 'waits', says: ['limitUsedUp', 'canGoOnAt'], until: quota.resetAt, offersToken: true };
}

/** What failed is said first, because nobody asked for it. */
function withFailures(strip: Strip, { failed }: StripFacts): Strip {
  if (failed === 0) return strip;
  return { ...strip, says: ['failedFiles', ...strip.says], values: { ...strip.values, failed } };
}

function failedFiles({ failed, listed, retriable, left, quota }: StripFacts): Strip {
  const isOnlyFile = listed === 1;
  const values = { failed };
  if (retriable === 0) {
    // The card of the only file says why.
    return { tone: 'broken', says: isOnlyFile ? ['failedFiles'] : ['failedFiles', 'reasons'], values };
  }

  if (left > 0) {
    const text = isOnlyFile ? 'retry' : 'retryAll';
    return { tone: 'broken', says: ['failedFiles'], values, button: { does: 'retry', text } };
  }
  if (quota.limit === 0) {
    return { tone: 'waits', says: ['failedFiles', 'needsToken'], values, offersToken: true };
  }
  return { tone: 'waits', says: ['failedFiles', 'retryAt'], values, until: quota.resetAt, offersToken: true };
}
