import type { Quota } from './access.js';
import type { Problem } from './problem.js';
import type { Measured, Pause } from './state.js';

/** What the strip is about. A number counts files; those with the same bytes count once. */
export interface StripFacts {
  readonly pause: Pause | undefined;
  /** Whether the page still looks through dropped folders and files. */
  readonly isArriving: boolean;
  /** What was asked for since the queue was last empty, and how much of it is decided. */
  readonly asked: number;
  readonly decided: number;
  readonly measured: Measured;
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
  readonly goesOnByItself: boolean;
  readonly now: number;
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
  | 'minutesLeft'
  | 'lastMinute'
  | 'adding'
  | 'unreadFiles'
  | 'needsToken'
  | 'limitUsedUp'
  | 'canGoOnAt'
  | 'goesOnAt'
  | 'failedFiles'
  | 'reasons'
  | 'retryAt'
  | 'allRead'
  | 'oneRead';

/** What a button of the strip does, and the key of its text, which takes `count`. */
export interface StripButton {
  readonly does: 'check' | 'read' | 'retry' | 'goOn' | 'goOnNoMore';
  readonly text:
    | 'checkNow'
    | 'read'
    | 'readSome'
    | 'readShown'
    | 'readUrgent'
    | 'retry'
    | 'retryAll'
    | 'goOnByItself'
    | 'goOnNoMore';
  readonly count?: number;
}

const MINUTE_MS = 60_000;

/** Says only the first thing that applies. */
export function stripOf(facts: StripFacts): Strip {
  const { pause, asked, isArriving, unread, failed, listed } = facts;
  if (pause) return paused(pause, facts);
  if (asked > 0) return reading(facts);
  if (isArriving) return { tone: 'quiet', says: ['adding'] };
  if (unread > 0) return withFailures(unreadFiles(facts), facts);
  if (failed > 0) return failedFiles(facts);
  if (listed > 1) return { tone: 'quiet', says: ['allRead'] };
  return { tone: 'quiet', says: listed === 1 ? ['oneRead'] : [] };
}

/** What is said each second stands beside why the service cannot read, which is said once. */
function paused({ problem, until }: Pause, { asked, now }: StripFacts): Strip {
  const isLimited = 'key' in problem && problem.key === 'limitReached';
  const isChecking = now >= until;
  return {
    tone: isLimited ? 'waits' : 'broken',
    problem,
    says: asked > 0 ? ['goesOn'] : [],
    shows: [isChecking ? 'checking' : 'nextCheck'],
    until,
    button: { does: 'check', text: 'checkNow' },
  };
}

function reading(facts: StripFacts): Strip {
  const { asked, decided, listed } = facts;
  if (listed === 1) return { tone: 'can', says: ['readingOne'] };

  const minutes = minutesLeft(facts);
  const values = { asked, decided, minutes: minutes ?? 0 };
  return { tone: 'can', says: ['readingFiles'], shows: ['progress', ...timeTexts(minutes)], values };
}

/** How long the rest takes, rounded up, if it goes on as fast as so far; undefined before the first answer. */
function minutesLeft({ asked, decided, measured, now }: StripFacts): number | undefined {
  const measuredFiles = decided - measured.decided;
  if (measuredFiles === 0) return undefined;

  const perFile = (now - measured.since) / measuredFiles;
  const rest = asked - decided;
  return Math.ceil((perFile * rest) / MINUTE_MS);
}

function timeTexts(minutes: number | undefined): StripText[] {
  if (minutes === undefined) return [];
  return minutes > 1 ? ['minutesLeft'] : ['lastMinute'];
}

function unreadFiles(facts: StripFacts): Strip {
  const { unread, unreadShown, left } = facts;
  if (left <= 0) return outOfLimit(facts);

  const values = { unread };
  if (unreadShown === 0) return { tone: 'quiet', says: ['unreadFiles'], values };
  return { tone: 'can', says: ['unreadFiles'], values, button: { does: 'read', ...readText(facts) } };
}

/** Of the files shown, the button reads as many as the limit allows. */
function readText({ unread, unreadShown, left }: StripFacts): Pick<StripButton, 'text' | 'count'> {
  const count = Math.min(left, unreadShown);
  if (count < unreadShown) return { text: 'readUrgent', count };
  if (count < unread) return { text: 'readShown', count };
  return count === 1 ? { text: 'read' } : { text: 'readSome', count };
}

function outOfLimit({ quota, goesOnByItself }: StripFacts): Strip {
  if (quota.limit === 0) return { tone: 'waits', says: ['needsToken'], offersToken: true };

  const waiting = { tone: 'waits', until: quota.resetAt, offersToken: true } as const;
  if (goesOnByItself) {
    return {
      ...waiting,
      says: ['limitUsedUp', 'goesOnAt'],
      button: { does: 'goOnNoMore', text: 'goOnNoMore' },
    };
  }
  return {
    ...waiting,
    says: ['limitUsedUp', 'canGoOnAt'],
    button: { does: 'goOn', text: 'goOnByItself' },
  };
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
