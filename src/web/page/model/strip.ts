import type { Quota } from './access.js';
import type { Problem } from './problem.js';
import type { Pause } from './state.js';

/** What the strip is about. Unless said otherwise, a number counts files; those with the same bytes count once. */
export interface StripFacts {
  readonly pause: Pause | undefined;
  /** Whether the page still looks through dropped folders and files. */
  readonly isArriving: boolean;
  /** What was asked for since the queue was last empty, and how much of it is decided. */
  readonly asked: number;
  readonly decided: number;
  /** How many the user has added. */
  readonly given: number;
  /** How many are unread, how many of them the search and the filter show, and whether these show any row at all. */
  readonly unread: number;
  readonly unreadShown: number;
  readonly isAnythingShown: boolean;
  /** How many failed or are no licenses, and how many of them can be asked for again. */
  readonly failed: number;
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
  /** Why the service cannot read, which is said first, and whether to link to the service's own status. */
  readonly problem?: Problem;
  readonly linksToStatus?: boolean;
  /** Keys of texts, which take `values`. */
  readonly says: readonly StripText[];
  readonly values?: Record<string, number>;
  /** The moment of which the sentences tell, in milliseconds since the epoch. */
  readonly until?: number;
  readonly button?: StripButton;
}

type StripText =
  | 'goesOn'
  | 'nextCheck'
  | 'checking'
  | 'readingOne'
  | 'progress'
  | 'adding'
  | 'unreadFiles'
  | 'limitIs'
  | 'limitLeft'
  | 'needsToken'
  | 'nextAt'
  | 'nextOneAt'
  | 'nextByItself'
  | 'failedFiles'
  | 'reasons'
  | 'canRetry'
  | 'retryAt'
  | 'allRead';

/** What a button of the strip does, and the key of its text, which takes `count`. */
export interface StripButton {
  readonly does: 'check' | 'read' | 'retry' | 'goOn' | 'goOnNoMore' | 'askForToken';
  readonly text:
    | 'checkNow'
    | 'read'
    | 'readSome'
    | 'readShown'
    | 'readUrgent'
    | 'retry'
    | 'retryAll'
    | 'readWhenRenewed'
    | 'readNoMore'
    | 'haveToken';
  readonly count?: number;
}

const SILENT: Strip = { tone: 'quiet', says: [] };

/** Says only the first thing that applies. */
export function stripOf(facts: StripFacts): Strip {
  const { pause, asked, isArriving, unread, failed, given } = facts;
  if (pause) return paused(pause, facts);
  if (asked > 0) return reading(facts);
  if (isArriving) return { tone: 'quiet', says: ['adding'] };
  if (unread > 0) return unreadFiles(facts);
  if (failed > 0 && given === 1) return onlyFileFailed(facts);
  if (facts.retriable > 0) return failedFiles(facts);
  if (failed > 0) return { tone: 'broken', says: ['failedFiles', 'reasons'], values: { count: failed } };
  if (given > 0) return { tone: 'quiet', says: ['allRead'] };
  return SILENT;
}

/** Problems that the service's own status does not show. */
const NOT_OF_SERVICE: ReadonlySet<string> = new Set(['noAnswer', 'notTheService', 'limitReached']);

function paused({ problem, until }: Pause, { asked, now }: StripFacts): Strip {
  const key = 'key' in problem ? problem.key : '';
  const next = asked > 0 ? 'goesOn' : 'nextCheck';
  return {
    tone: key === 'limitReached' ? 'waits' : 'broken',
    problem,
    linksToStatus: !NOT_OF_SERVICE.has(key),
    says: [now < until ? next : 'checking'],
    until,
    button: { does: 'check', text: 'checkNow' },
  };
}

function reading({ asked, decided, given }: StripFacts): Strip {
  if (given === 1) return { tone: 'can', says: ['readingOne'] };
  return { tone: 'can', says: ['progress'], values: { asked, decided, total: given } };
}

function unreadFiles(facts: StripFacts): Strip {
  const { unread, unreadShown, isAnythingShown, left, quota } = facts;
  const values = { count: unread, limit: quota.limit };
  if (left <= 0) return outOfLimit(facts);
  // The table says already that nothing matches.
  if (!isAnythingShown) return SILENT;
  if (unreadShown === 0) return { tone: 'quiet', says: ['unreadFiles'], values };

  return {
    tone: 'can',
    says: ['unreadFiles', ...limitTexts(facts)],
    values: { ...values, left },
    button: { does: 'read', ...readText(facts) },
  };
}

/** What is left of the limit, if there is one. */
function limitTexts({ left, quota }: StripFacts): StripText[] {
  if (left === Infinity) return [];
  return left < quota.limit ? ['limitLeft'] : ['limitIs'];
}

/** Of the files shown, the button reads as many as the limit allows. */
function readText({ unread, unreadShown, left }: StripFacts): Pick<StripButton, 'text' | 'count'> {
  const count = Math.min(left, unreadShown);
  if (count < unreadShown) return { text: 'readUrgent', count };
  if (count < unread) return { text: 'readShown', count };
  return count === 1 ? { text: 'read' } : { text: 'readSome', count };
}

function outOfLimit({ unread, quota, goesOnByItself }: StripFacts): Strip {
  if (quota.limit === 0) {
    return { tone: 'waits', says: ['needsToken'], button: { does: 'askForToken', text: 'haveToken' } };
  }

  const count = Math.min(quota.limit, unread);
  const waiting = { tone: 'waits', values: { count }, until: quota.resetAt } as const;
  if (goesOnByItself) {
    return { ...waiting, says: ['nextByItself'], button: { does: 'goOnNoMore', text: 'readNoMore' } };
  }
  return {
    ...waiting,
    says: [count === 1 ? 'nextOneAt' : 'nextAt'],
    button: { does: 'goOn', text: 'readWhenRenewed' },
  };
}

/** The card of the only license says already that it failed and why, so only what can be done is left. */
function onlyFileFailed({ retriable, left, quota }: StripFacts): Strip {
  if (retriable === 0) return SILENT;
  if (left > 0) return { tone: 'can', says: ['canRetry'], button: { does: 'retry', text: 'retry' } };
  return { tone: 'waits', says: ['retryAt'], until: quota.resetAt };
}

function failedFiles({ failed, left, quota }: StripFacts): Strip {
  const values = { count: failed };
  if (left > 0) {
    return { tone: 'broken', says: ['failedFiles'], values, button: { does: 'retry', text: 'retryAll' } };
  }
  return { tone: 'waits', says: ['failedFiles', 'retryAt'], values, until: quota.resetAt };
}
