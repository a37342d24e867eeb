import type { Language } from '../../../errors/catalog.js';
import { dayOf, daysBetween } from '../model/day.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The longest period that the list can be filtered by. More days than that say nothing to a reader. */
const MAX_DAYS = 180;

/** Making these takes long, and the table asks for them in each row. */
const DAYS = {
  en: new Intl.RelativeTimeFormat('en', { numeric: 'auto' }),
  ru: new Intl.RelativeTimeFormat('ru', { numeric: 'auto' }),
};
// A year of two digits would leave open which century is meant.
const DATES = {
  en: new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  ru: new Intl.DateTimeFormat('ru', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' }),
};

const NUMBERS = { en: new Intl.NumberFormat('en'), ru: new Intl.NumberFormat('ru') };

export const formatNumber = (number: number, language: Language) => NUMBERS[language].format(number);

/** Days from today in words: "today", "tomorrow", "in 40 days"; from afar "in 9 months", "in 4.5 years". */
export function waitInDays(days: number, language: Language): string {
  const words = DAYS[language];
  if (days <= MAX_DAYS) return words.format(days, 'day');
  const months = Math.round(days / 30.4375);
  return months < 13 ? words.format(months, 'month') : words.format(Math.round(months / 1.2) / 10, 'year');
}

/** A date or a local time of a license (ISO 8601), as a date; other text as it is. */
export function formatDate(text: string, language: Language): string {
  const key = `${language} ${text}`;
  let formatted = formattedDates.get(key);
  if (formatted === undefined) {
    const date = new Date(text.slice(0, 10));
    const isDate = /^\d{4}-\d\d-\d\d/.test(text) && !isNaN(Number(date));
    formattedDates.set(key, (formatted = isDate ? DATES[language].format(date) : text));
  }
  return formatted;
}

/** Two thousand licenses have some hundred dates. */
const formattedDates = new Map<string, string>();

/** A day (YYYY-MM-DD) that is near: without its year. */
export const formatDay = (day: string, language: Language) =>
  new Date(day).toLocaleDateString(language, {
    day: 'numeric',
    month: language === 'ru' ? '2-digit' : 'short',
    timeZone: 'UTC',
  });

/** A point in time with its preposition: the time alone when it is today, else with the day. */
export function formatMoment(time: number, language: Language, now: number): string {
  const clock = new Date(time).toLocaleTimeString(language, { timeStyle: 'short' });
  const days = daysBetween(dayOf(now), dayOf(time));
  const atClock = language === 'ru' ? `в ${clock}` : `at ${clock}`;
  if (days === 0) return atClock;
  const day =
    days === 1
      ? new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(1, 'day')
      : new Date(time).toLocaleDateString(language, { day: 'numeric', month: 'long' });
  return language === 'ru' || days === 1 ? `${day} ${atClock}` : `on ${day} ${atClock}`;
}

/** A number of units after "in": Intl knows the case that Russian asks for. */
function inUnits(count: number, unit: 'second' | 'minute' | 'hour' | 'day', language: Language): string {
  return new Intl.RelativeTimeFormat(language).format(count, unit);
}

/** Milliseconds to wait in words, such as "in 31 minutes". Rounded up, so that nobody comes too early. */
export function formatWait(milliseconds: number, language: Language): string {
  const wait = Math.max(0, milliseconds);
  if (wait < MINUTE_MS) return inUnits(Math.ceil(wait / 1000), 'second', language);
  if (wait < 2 * HOUR_MS) return inUnits(Math.ceil(wait / MINUTE_MS), 'minute', language);
  if (wait < 2 * DAY_MS) return inUnits(Math.ceil(wait / HOUR_MS), 'hour', language);
  return inUnits(Math.ceil(wait / DAY_MS), 'day', language);
}

/** The length of a rate-limit window after a number of files: "per hour", "per day", "in 3 hours". */
export function formatWindow(seconds: number, language: Language): string {
  const [each, one] = language === 'ru' ? ['в', 'за'] : ['per', 'in'];
  const units = { day: 86_400, hour: 3600, minute: 60, second: 1 };
  const names = {
    day: ['day', 'сутки'],
    hour: ['hour', 'час'],
    minute: ['minute', 'минуту'],
    second: ['second', 'секунду'],
  };
  const unit =
    (Object.keys(units) as (keyof typeof units)[]).find((unit) => seconds % units[unit] === 0) ?? 'second';
  const count = seconds / units[unit];
  if (count === 1) return `${each} ${names[unit][language === 'ru' ? 1 : 0] ?? ''}`;
  return inUnits(count, unit, language).replace(/^\S+/, one);
}

const GIGABYTE = 1024 ** 3;
/** From here on a number of bytes is hard to read; up to here it can be one at all. */
const BYTES = { min: GIGABYTE / 2, max: 1024 ** 5 };

/**
 * A value of a hardware list with its large number of bytes also in gigabytes, as Windows counts them:
 * `34359738368` and `Disk, size 480103981056`, but not the digits of a serial number.
 */
export function withGigabytes(name: string, value: string, language: Language): string {
  if (/serial|number|сери|номер|\bid\b/i.test(name)) return value;
  return value.replace(/(?<=^|size[ :=]*|размер[ :=]*)[1-9]\d{8,15}$/i, (digits) => {
    const bytes = Number(digits);
    if (bytes < BYTES.min || bytes > BYTES.max) return digits;
    const size = (bytes / GIGABYTE).toLocaleString(language, { maximumSignificantDigits: 3 });
    return `${digits} (${size} ${language === 'ru' ? 'ГБ' : 'GB'})`;
  });
}
