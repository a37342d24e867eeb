import { describe, expect, it } from 'vitest';
import { formatDate, formatTime, formatWait, isExpired } from '../../../src/web/browser/format.js';
import { textIn } from '../../../src/web/browser/texts.js';

describe('a date', () => {
  it.each([
    ['2026-12-31', 'ru', '31.12.2026'],
    ['2026-12-31', 'en', 'Dec 31, 2026'],
    ['2024-01-15T23:59:59', 'ru', '15.01.2024'],
    ['не ограничен', 'ru', 'не ограничен'],
    ['', 'en', ''],
  ] as const)('%s in %s is %s', (text, language, expected) =>
    expect(formatDate(text, language)).toBe(expected),
  );
});

it('a time is that of the day, a wait is in whole minutes', () => {
  expect(formatTime(new Date(2026, 0, 5, 15, 42).getTime(), 'ru')).toBe('15:42');
  expect(formatWait(30 * 60_000 + 1, 'ru')).toBe('через 31 минуту');
  expect(formatWait(-5, 'en')).toBe('in 0 minutes');
});

it('a license expires after its last day', () => {
  const now = new Date(2026, 11, 31, 23, 59).getTime();
  expect(isExpired('2026-12-31', now)).toBe(false);
  expect(isExpired('2026-12-30', now)).toBe(true);
  expect(isExpired('never', now)).toBe(false);
  expect(isExpired('', now)).toBe(false);
});

it('a text keeps a placeholder without a value', () => {
  expect(textIn('en', 'progress', { done: 2 })).toBe('Read: 2 of {total}');
});
