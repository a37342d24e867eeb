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
  given: 0,
  unread: 0,
  unreadShown: 0,
  isAnythingShown: true,
  failed: 0,
  retriable: 0,
  left: 3,
  quota: QUOTA,
  goesOnByItself: false,
  now: NOW,
};
const outage = { problem: { key: 'noAnswer' }, until: NOW + 9000 } as const;
const limited = { problem: { key: 'limitReached' }, until: NOW + 9000 } as const;
const card = { given: 1 };
const twelve = { given: 12, unread: 12, unreadShown: 12 };

/** Tone, sentences, and the text of the button with its number. */
it.each<[string, Partial<StripFacts>, string]>([
  ['nothing in an empty list', {}, 'quiet:'],
  ['an outage', { pause: outage }, 'broken: nextCheck [checkNow]'],
  ['an outage while something waits', { pause: outage, asked: 2 }, 'broken: goesOn [checkNow]'],
  ['that an outage is being checked', { pause: { ...outage, until: NOW } }, 'broken: checking [checkNow]'],
  [
    'an outage before all else',
    { pause: outage, ...twelve, isArriving: true },
    'broken: nextCheck [checkNow]',
  ],
  ['that a proxy wants to be waited for', { pause: limited, asked: 1 }, 'waits: goesOn [checkNow]'],
  ['how far reading is', { asked: 3, decided: 1, ...twelve }, 'can: progress'],
  ['that the only file is read', { asked: 1, given: 1 }, 'can: readingOne'],
  ['that files arrive', { ...twelve, isArriving: true }, 'quiet: adding'],
  ['what is unread and the limit', twelve, 'can: unreadFiles limitIs [readUrgent 3]'],
  ['what is unread with a token', { ...twelve, left: Infinity }, 'can: unreadFiles [readSome 12]'],
  ['one unread file', { given: 1, unread: 1, unreadShown: 1 }, 'can: unreadFiles limitIs [read]'],
  ['what is left of the limit', { ...twelve, left: 2 }, 'can: unreadFiles limitLeft [readUrgent 2]'],
  ['what a search leaves', { ...twelve, unreadShown: 2 }, 'can: unreadFiles limitIs [readShown 2]'],
  [
    'more than the limit in a search',
    { ...twelve, unreadShown: 5 },
    'can: unreadFiles limitIs [readUrgent 3]',
  ],
  ['no button where all that is shown is read', { ...twelve, unreadShown: 0 }, 'quiet: unreadFiles'],
  ['nothing where a search finds nothing', { ...twelve, unreadShown: 0, isAnythingShown: false }, 'quiet:'],
  ['when more can be read', { ...twelve, unread: 9, ...USED_UP }, 'waits: nextAt [readWhenRenewed]'],
  [
    'when the last one can be read',
    { ...twelve, unread: 1, ...USED_UP },
    'waits: nextOneAt [readWhenRenewed]',
  ],
  [
    'that more is read by itself',
    { ...twelve, ...USED_UP, goesOnByItself: true },
    'waits: nextByItself [readNoMore]',
  ],
  [
    'that a token is needed',
    { ...twelve, left: 0, quota: { ...QUOTA, limit: 0 } },
    'waits: needsToken [haveToken]',
  ],
  ['what failed', { given: 12, failed: 3, retriable: 2 }, 'broken: failedFiles [retryAll]'],
  [
    'when what failed can be tried again',
    { given: 12, failed: 3, retriable: 2, ...USED_UP },
    'waits: failedFiles retryAt',
  ],
  ['what no one can read', { given: 12, failed: 1 }, 'broken: failedFiles reasons'],
  [
    'nothing of the only file that no one can read, of which the card tells',
    { ...card, failed: 1 },
    'quiet:',
  ],
  ['that the only file can be tried again', { ...card, failed: 1, retriable: 1 }, 'can: canRetry [retry]'],
  [
    'when the only file can be tried again',
    { ...card, failed: 1, retriable: 1, ...USED_UP },
    'waits: retryAt',
  ],
  ['that all is read', { given: 12 }, 'quiet: allRead'],
])('the strip says %s', (_what, facts, expected) => {
  const { tone, says, button } = stripOf({ ...EMPTY, ...facts });
  const buttonText = button && `[${[button.text, button.count].filter(Boolean).join(' ')}]`;
  const parts = [`${tone}:`, ...says, buttonText].filter(Boolean);
  expect(parts.join(' ')).toBe(expected);
});

it('the strip tells of the moment for which one waits', () => {
  expect(stripOf({ ...EMPTY, pause: outage }).until).toBe(outage.until);
  expect(stripOf({ ...EMPTY, ...twelve, ...USED_UP }).until).toBe(RENEWAL);
});
