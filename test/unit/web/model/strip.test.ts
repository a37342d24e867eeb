import { expect, it } from 'vitest';
import { stripOf, type StripFacts } from '../../../../src/web/page/model/strip.js';

const NOW = 1_000_000;
const RENEWAL = NOW + 1_800_000;
const QUOTA = { limit: 3, windowSeconds: 3600, remaining: 3, resetAt: 0 };
const USED_UP = { left: 0, quota: { ...QUOTA, remaining: 0, resetAt: RENEWAL } };
const EMPTY: StripFacts = {
  pause: undefined,
  isArriving: false,
  asked: 0,
  decided: 0,
  listed: 0,
  unread: 0,
  unreadShown: 0,
  failed: 0,
  retriable: 0,
  left: 3,
  quota: QUOTA,
};
const outage = { problem: { key: 'noAnswer' }, until: NOW + 9000 } as const;
const only = { listed: 1 };
const twelve = { listed: 12, unread: 12, unreadShown: 12 };

/** Tone, what is said, in brackets what is shown besides, and the text of the button with its number. */
it.each<[string, Partial<StripFacts>, string]>([
  ['nothing in an empty list', {}, 'quiet:'],
  [
    'an outage before all else',
    { pause: outage, ...twelve, isArriving: true },
    'broken: goesOn (nextCheck) [tryNow]',
  ],
  ['that a file is tried in an outage', { pause: { ...outage, until: 0 } }, 'broken: goesOn (checking)'],
  ['how far reading is', { asked: 3, ...twelve }, 'can: readingFiles (progress)'],
  ['that the only file is being read', { asked: 1, ...only }, 'can: readingOne'],
  ['that files arrive', { ...twelve, isArriving: true }, 'quiet: adding'],
  ['what is unread', twelve, 'can: unreadFiles [readSome 3]'],
  ['what is unread with a token', { ...twelve, left: Infinity }, 'can: unreadFiles [readSome 12]'],
  ['one unread file', { ...only, unread: 1, unreadShown: 1 }, 'can: unreadFiles [readSome 1]'],
  ['what failed and what is unread', { ...twelve, failed: 1 }, 'can: failedFiles unreadFiles [readSome 3]'],
  ['what a search leaves', { ...twelve, unreadShown: 2 }, 'can: unreadFiles [readSome 2]'],
  ['no button where all that is shown is read', { ...twelve, unreadShown: 0 }, 'quiet: unreadFiles'],
  [
    'that the limit is used up, and when it is renewed',
    { ...twelve, unread: 9, ...USED_UP },
    'waits: limitUsedUp canGoOnAt token',
  ],
  [
    'that a token is needed',
    { ...twelve, left: 0, quota: { ...QUOTA, limit: 0 } },
    'waits: needsToken token',
  ],
  [
    'to send a token, and not to wait, for what can be retried where only tokens decode',
    { listed: 2, failed: 1, retriable: 1, left: 0, quota: { ...QUOTA, limit: 0 } },
    'waits: failedFiles needsToken token',
  ],
  ['what failed', { listed: 12, failed: 3, retriable: 2 }, 'broken: failedFiles [retryAll]'],
  [
    'when what failed can be tried again',
    { listed: 12, failed: 3, retriable: 2, ...USED_UP },
    'waits: failedFiles retryAt token',
  ],
  ['what no one can read', { listed: 12, failed: 1 }, 'broken: failedFiles reasons'],
  [
    'that no one can read the only file, of which the card says why',
    { ...only, failed: 1 },
    'broken: failedFiles',
  ],
  [
    'that the only file can be tried again',
    { ...only, failed: 1, retriable: 1 },
    'broken: failedFiles [retry]',
  ],
  ['that all is read', { listed: 12 }, 'quiet: allRead'],
  ['that the only file is read', only, 'quiet: oneRead'],
])('the strip says %s', (_what, facts, expected) => {
  const { tone, says, shows = [], button, offersToken } = stripOf({ ...EMPTY, ...facts });
  const shown = shows.length > 0 && `(${shows.join(' ')})`;
  const buttonText = button && `[${[button.text, button.count].filter(Boolean).join(' ')}]`;
  const parts = [`${tone}:`, ...says, shown, buttonText, offersToken && 'token'].filter(Boolean);
  expect(parts.join(' ')).toBe(expected);
});

it('the strip tells of the moment for which one waits', () => {
  expect(stripOf({ ...EMPTY, pause: outage }).until).toBe(outage.until);
  expect(stripOf({ ...EMPTY, ...twelve, ...USED_UP }).until).toBe(RENEWAL);
});
