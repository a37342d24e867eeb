import type { Access, Quota } from './access.js';
import type { Filter } from './filters.js';
import type { Problem } from './problem.js';
import type { LastStatus, Pause } from './state.js';

/** What the strip is about. A number counts files; those with the same bytes count once. */
export interface StripInput {
  readonly pause: Pause | undefined;
  /** Whether the page asks for the status. */
  readonly isChecking: boolean;
  /** Why the service could not read a moment ago. */
  readonly fault: LastStatus['fault'];
  /** Whether the page still looks through dropped folders and files. */
  readonly isArriving: boolean;
  /** What was asked for since the queue was last empty, and how much of it is decided. */
  readonly asked: number;
  readonly decided: number;
  /** How many the list has, without the unlikely. */
  readonly listed: number;
  readonly unread: number;
  /** How many of the unread are in the table, as the search and the filter leave it. */
  readonly unreadShown: number;
  /** How many are probably no licenses, and were not read. */
  readonly unlikely: number;
  /** How many could not be read or are no licenses. */
  readonly failed: number;
  /** How many of the failed can be asked for again. */
  readonly retriable: number;
  /** How many more files can be asked for; infinite with a token. */
  readonly left: number;
  readonly quota: Quota;
  /** Why the token that was in use is no longer accepted. */
  readonly lostToken: Access['problem'];
  /** Whether the service can accept a token. */
  readonly acceptsTokens: boolean;
  /** Milliseconds since the epoch. */
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
  /** The keys of texts, which take `values`. Screen readers say them as soon as they change. */
  readonly announced?: readonly StripText[];
  /** The key of a text that changes with each answer or second. Screen readers would not come to an end with it. */
  readonly silent?: StripText;
  readonly values?: Record<string, number>;
  /** The moment of which the texts tell, in milliseconds since the epoch. */
  readonly until?: number;
  readonly button?: StripButton;
  /** The filter that shows the files of which it tells. */
  readonly filter?: Filter;
}

export type StripText =
  | 'nextCheck'
  | 'checking'
  | 'readingOne'
  | 'readingFiles'
  | 'progress'
  | 'adding'
  | 'unreadFiles'
  | 'nowAndLater'
  | 'needsToken'
  | 'limitUsedUp'
  | 'failedFiles'
  | 'allRead';

/** What a button of the strip does, and the key of its text, which takes `count`. */
export interface StripButton {
  readonly does: 'check' | 'read' | 'retry' | 'enterToken';
  readonly text:
    'checkNow' | 'readSome' | 'readUrgent' | 'retry' | 'retryAll' | 'enterToken' | 'enterNewToken';
  readonly count?: number;
}

/** What the strip offers where only a token helps; nothing if the service accepts none. */
const tokenButton = ({ acceptsTokens }: StripInput) =>
  acceptsTokens && ({ button: { does: 'enterToken', text: 'enterToken' } } as const);

/** Says only the first thing that applies. */
export function stripOf(input: StripInput): Strip {
  const { pause, asked, isArriving, unread, unlikely, failed, fault, lostToken } = input;
  if (pause) return paused(pause, input);
  if (asked > 0) return reading(input);
  if (isArriving) return { tone: 'quiet', announced: ['adding'] };
  if (unread > 0 && fault) return cannotRead(fault, input);
  if (unread > 0 && lostToken) return tokenLost(lostToken, input);
  if (unread > 0) return unreadFiles(input);
  if (failed > 0) return failedFiles(input);
  return unlikely > 0 ? { tone: 'quiet' } : { tone: 'quiet', announced: ['allRead'] };
}

/** What is said each second stands beside why the service cannot read, which is said once. */
function paused({ problem, until }: Pause, { isChecking }: StripInput): Strip {
  if (isChecking) return { tone: 'broken', problem, silent: 'checking' };
  const button = { does: 'check', text: 'checkNow' } as const;
  return { tone: 'broken', problem, silent: 'nextCheck', until, button };
}

function reading({ asked, decided, listed }: StripInput): Strip {
  if (listed === 1) return { tone: 'can', announced: ['readingOne'] };
  return { tone: 'can', announced: ['readingFiles'], silent: 'progress', values: { asked, decided } };
}

/** A press has the service asked first, so it does not say how many can be read. */
function cannotRead(fault: NonNullable<LastStatus['fault']>, input: StripInput): Strip {
  const { button } = unreadFiles(input);
  const values = { unread: input.unread };
  const problem = { key: fault };
  return { tone: 'broken', problem, announced: ['unreadFiles'], values, ...(button && { button }) };
}

/** The same as without a token, because that is what holds now, but with the way to another one. */
function tokenLost(reason: Access['problem'], input: StripInput): Strip {
  const key = reason === 'expired' ? 'tokenHasExpired' : 'tokenIsLost';
  const button = { does: 'enterToken', text: 'enterNewToken' } as const;
  return { ...unreadFiles(input), tone: 'broken', problem: { key }, button };
}

function unreadFiles(input: StripInput): Strip {
  const { unread, unreadShown, left } = input;
  if (left <= 0) return outOfLimit('unreadFiles', unread, input);

  const values = { unread, left, next: nextOf(unread - left, input) };
  const count = Math.min(left, unreadShown);
  const isPart = left < unread;
  // The end of a window that has not begun moves on with the clock.
  const later = isPart && ({ silent: 'nowAndLater', until: renewalOf(input) } as const);
  const said = { announced: ['unreadFiles'], values, ...later } as const;
  if (count === 0) return { tone: 'quiet', ...said };

  // The most urgent of all: with a search or a filter the user has chosen others.
  const isChoice = isPart && unreadShown === unread && count > 1;
  const text = isChoice ? 'readUrgent' : 'readSome';
  return { tone: 'can', ...said, button: { does: 'read', text, count } };
}

/**
 * Says of files that they are not read, and when the limit allows that.
 * @param rest how many of them can be read then
 */
function outOfLimit(announced: 'unreadFiles' | 'failedFiles', rest: number, input: StripInput): Strip {
  const { quota, unread, failed } = input;
  const values = { unread, failed, next: nextOf(rest, input) };
  const reason = quota.limit === 0 ? 'needsToken' : 'limitUsedUp';
  return {
    tone: 'waits',
    announced: [announced, reason],
    values,
    until: renewalOf(input),
    ...tokenButton(input),
  };
}

/** How many of the rest can be read once the limit is available again. */
const nextOf = (rest: number, { quota }: StripInput): number => Math.min(rest, quota.limit);

/** When the whole limit is available again: at the end of the window, which begins now if there is none. */
function renewalOf({ quota, now }: StripInput): number {
  const { resetAt, windowSeconds } = quota;
  return now < resetAt ? resetAt : now + 1000 * windowSeconds;
}

function failedFiles(input: StripInput): Strip {
  const { failed, listed, retriable, left } = input;
  const filter = listed > 1 && ({ filter: 'failures' } as const);
  if (retriable > 0 && left <= 0) return { ...outOfLimit('failedFiles', retriable, input), ...filter };

  const text = listed === 1 ? 'retry' : 'retryAll';
  const button = retriable > 0 && ({ button: { does: 'retry', text } } as const);
  return { tone: 'broken', announced: ['failedFiles'], values: { failed }, ...filter, ...button };
}
