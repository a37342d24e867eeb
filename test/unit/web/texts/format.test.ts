import { dayOf, daysBetween } from '../../../../src/web/page/model/day.js';
import { expect, it } from 'vitest';
import {
  formatDate,
  formatDays,
  formatFrom,
  formatWait,
  formatWindow,
} from '../../../../src/web/page/texts/format.js';

const NOON = new Date(2026, 10, 22, 12, 0).getTime();
const HOUR = 3_600_000;

it.each([
  ['2026-12-31', 'ru', '31.12.2026'],
  ['2026-12-31', 'en', 'Dec 31, 2026'],
  ['2024-01-15T23:59:59', 'ru', '15.01.2024'],
  ['не ограничен', 'ru', 'не ограничен'],
] as const)('the date %s in %s is %s', (text, language, expected) =>
  expect(formatDate(text, language)).toBe(expected),
);

it('days are counted by the calendar, where the browser is', () => {
  expect(dayOf(new Date(2026, 2, 1, 23, 59).getTime())).toBe('2026-03-01');
  expect(daysBetween('2026-11-22', '2026-12-31')).toBe(39);
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
  expect(daysBetween('2026-11-22', '2026-11-20')).toBe(-2);
});

it.each([
  [
    [1, 2, 180, 275, 400, 580, 1480, 3040],
    'ru',
    '1 день, 2 дня, 180 дней, 9 мес., 1 год 1 мес., 1 год 7 мес., 4 года, 8 лет 3 мес.',
  ],
  [[1, 180, 275, 580, 3040], 'en', '1 day, 180 days, 9 months, 1 year 7 months, 8 years 3 months'],
] as const)('%j days in %s are %s', (days, language, expected) => {
  expect(days.map((count) => formatDays(count, language)).join(', ')).toBe(expected);
});

it.each([
  [NOON + HOUR, 'ru', 'с 13:00'],
  [NOON + HOUR, 'en', 'from 1:00 PM'],
  [NOON + 20 * HOUR, 'ru', 'завтра с 08:00'],
  [NOON + 20 * HOUR, 'en', 'tomorrow from 8:00 AM'],
  [NOON + 50 * HOUR, 'ru', '24 ноября с 14:00'],
  [NOON + 50 * HOUR, 'en', 'on November 24 from 2:00 PM'],
] as const)('a moment has its day when that is not today', (time, language, expected) =>
  expect(formatFrom(time, language, NOON)).toBe(expected),
);

it.each([
  [-5, 'en', 'in 0 seconds'],
  [1500, 'ru', 'через 2 секунды'],
  [30 * 60_000 + 1, 'ru', 'через 31 минуту'],
  [HOUR, 'en', 'in 60 minutes'],
] as const)('a wait of %i ms in %s is %s', (wait, language, expected) =>
  expect(formatWait(wait, language)).toBe(expected),
);

it.each([
  [3600, 'в час', 'an hour'],
  [86_400, 'в сутки', 'a day'],
  [60, 'в минуту', 'a minute'],
  [1, 'в секунду', 'a second'],
  [10_800, 'за 3 часа', 'in 3 hours'],
  [1260, 'за 21 минуту', 'in 21 minutes'],
  [90, 'за 90 секунд', 'in 90 seconds'],
  [172_800, 'за 2 дня', 'in 2 days'],
])('a window of %i seconds is "%s", "%s"', (seconds, ru, en) => {
  expect(formatWindow(seconds, 'ru')).toBe(ru);
  expect(formatWindow(seconds, 'en')).toBe(en);
});
