import { expect, it } from 'vitest';
import { stripOf, type StripInput } from '../../../../src/web/page/model/strip.js';

const NOW = 1_000_000;
const RENEWAL = NOW + 1_800_000;
const QUOTA = { limit: 3, windowSeconds: 3600, remaining: 3, resetAt: 0 };
const USED_UP = { left: 0, quota: { ...QUOTA, remaining: 0, resetAt: RENEWAL } };
const EMPTY: StripInput = {
  pause: undefined,
  isChecking: false,
  fault: undefined,
  isArriving: false,
  asked: 0,
  decided: 0,
  listed: 0,
  unread: 0,
  unreadShown: 0,
  unlikely: 0,
  failed: 0,
  retriable: 0,
  left: 3,
  quota: QUOTA,
  lostToken: undefined,
  acceptsTokens: true,
  now: NOW,
};
const outage = { problem: { key: 'noAnswer' }, until: NOW + 9000 } as const;
const only = { listed: 1 };
const twelve = { listed: 12, unread: 12, unreadShown: 12 };

/** Tone, what is said, in brackets what is shown besides, and the text of the button with its number. */
it.each<[string, Partial<StripInput>, string]>([
  [
    'an outage before all else',
    { pause: outage, ...twelve, isArriving: true },
    'broken: (nextCheck) [checkNow]',
  ],
  ['that the service is asked in an outage', { pause: outage, isChecking: true }, 'broken: (checking)'],
  [
    'that the service does not respond, and not how many can be read now',
    { ...twelve, fault: 'noAnswer' },
    'broken: noAnswer unreadFiles [readUrgent 3]',
  ],
  ['how far reading is', { asked: 3, ...twelve }, 'can: readingFiles (progress)'],
  ['that the only file is being read', { asked: 1, ...only }, 'can: readingOne'],
  ['that files arrive', { ...twelve, isArriving: true }, 'quiet: adding'],
  ['what the limit suffices for', twelve, 'can: unreadFiles (nowAndLater) [readUrgent 3]'],
  ['what a token suffices for', { ...twelve, left: Infinity }, 'can: unreadFiles [readSome 12]'],
  ['one unread file', { ...only, unread: 1, unreadShown: 1 }, 'can: unreadFiles [readSome 1]'],
  [
    'what is unread before what failed',
    { ...twelve, failed: 1 },
    'can: unreadFiles (nowAndLater) [readUrgent 3]',
  ],
  ['what a search leaves', { ...twelve, unreadShown: 2 }, 'can: unreadFiles (nowAndLater) [readSome 2]'],
  [
    'no button where all that is shown is read',
    { ...twelve, unreadShown: 0 },
    'quiet: unreadFiles (nowAndLater)',
  ],
  [
    'that the limit is used up',
    { ...twelve, unread: 9, ...USED_UP },
    'waits: unreadFiles limitUsedUp [enterToken]',
  ],
  [
    'of no token where none is accepted',
    { ...twelve, unread: 9, ...USED_UP, acceptsTokens: false },
    'waits: unreadFiles limitUsedUp',
  ],
  [
    'of no token for what failed where none is accepted',
    { listed: 12, failed: 2, retriable: 2, ...USED_UP, acceptsTokens: false },
    'waits: failedFiles limitUsedUp',
  ],
  [
    'that a token is needed',
    { ...twelve, left: 0, quota: { ...QUOTA, limit: 0 } },
    'waits: unreadFiles needsToken [enterToken]',
  ],
  [
    'that the token has expired before what the limit suffices for',
    { ...twelve, lostToken: 'expired' },
    'broken: tokenHasExpired unreadFiles (nowAndLater) [enterNewToken]',
  ],
  [
    'that the token is no longer accepted',
    { ...twelve, lostToken: 'invalid' },
    'broken: tokenIsLost unreadFiles (nowAndLater) [enterNewToken]',
  ],
  ['nothing of a lost token that nothing needs', { listed: 12, lostToken: 'expired' }, 'quiet: allRead'],
  [
    'to send a token, and not to wait, for what can be retried where only tokens decode',
    { listed: 2, failed: 1, retriable: 1, left: 0, quota: { ...QUOTA, limit: 0 } },
    'waits: failedFiles needsToken [enterToken]',
  ],
  ['what failed', { listed: 12, failed: 3, retriable: 2 }, 'broken: failedFiles [retryAll]'],
  [
    'when what failed can be tried again',
    { listed: 12, failed: 3, retriable: 3, ...USED_UP },
    'waits: failedFiles limitUsedUp [enterToken]',
  ],
  ['what no one can read', { listed: 12, failed: 1 }, 'broken: failedFiles'],
  [
    'that the only file can be tried again',
    { ...only, failed: 1, retriable: 1 },
    'broken: failedFiles [retry]',
  ],
  ['nothing while what is probably no license is not read', { listed: 12, unlikely: 1 }, 'quiet:'],
  ['where the list is when all is read', { listed: 12 }, 'quiet: allRead'],
])('the strip says %s', (_what, facts, expected) => {
  const { tone, problem, announced, silent, button } = stripOf({ ...EMPTY, ...facts });
  const why = problem && problem !== outage.problem && 'key' in problem && problem.key;
  const buttonText = button && `[${[button.text, button.count].filter(Boolean).join(' ')}]`;
  const parts = [`${tone}:`, why, announced?.join(' '), silent && `(${silent})`, buttonText].filter(Boolean);
  expect(parts.join(' ')).toBe(expected);
});

it.each<[string, Partial<StripInput>, number]>([
  ['the next question for the status', { pause: outage }, outage.until],
  ['the end of the window', { ...twelve, ...USED_UP }, RENEWAL],
  ['the end of the window that the next file begins', twelve, NOW + 3_600_000],
])('the strip tells of %s', (_what, facts, until) => {
  expect(stripOf({ ...EMPTY, ...facts }).until).toBe(until);
});

it.each<[string, Partial<StripInput>, Record<string, number>]>([
  [
    'how many can be read at the end of the window when the limit is used up',
    { ...twelve, unread: 9, ...USED_UP },
    { unread: 9, next: 3 },
  ],
  ['how many can be read now and then', twelve, { unread: 12, left: 3, next: 3 }],
  ['how many can be read then, if that is all', { ...twelve, unread: 5 }, { left: 3, next: 2 }],
  ['how many can be tried again', { ...twelve, unread: 0, failed: 5, retriable: 4, ...USED_UP }, { next: 3 }],
])('the strip counts %s', (_what, facts, values) => {
  expect(stripOf({ ...EMPTY, ...facts }).values).toMatchObject(values);
});
