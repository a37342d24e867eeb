import type { Language } from '../../../errors/catalog.js';
import { dayOf, daysBetween } from '../model/day.js';

/** More days than these say nothing to a reader. */
const MAX_DAYS = 180;

const DAYS_PER_MONTH = 30.4375;
const MONTHS_PER_YEAR = 12;

/** What words numbers and times in one language. Making these takes long, and the table asks for them in each row. */
interface Words {
  number: Intl.NumberFormat;
  date: Intl.DateTimeFormat;
  day: Intl.NumberFormat;
  month: Intl.NumberFormat;
  year: Intl.NumberFormat;
  relative: Intl.RelativeTimeFormat;
}

type DateLook = Pick<Intl.DateTimeFormatOptions, 'day' | 'month'>;

function wordsOf(language: Language, date: DateLook, monthDisplay: 'short' | 'long'): Words {
  const unitOf = (unit: string, unitDisplay: 'short' | 'long' = 'long') =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay });
  return {
    number: new Intl.NumberFormat(language),
    // A year of two digits would leave open which century is meant.
    date: new Intl.DateTimeFormat(language, { ...date, year: 'numeric', timeZone: 'UTC' }),
    day: unitOf('day'),
    month: unitOf('month', monthDisplay),
    year: unitOf('year'),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
  };
}

const WORDS: Record<Language, Words> = {
  en: wordsOf('en', { day: 'numeric', month: 'short' }, 'long'),
  // The short form is the usual one: «7 мес.».
  ru: wordsOf('ru', { day: '2-digit', month: '2-digit' }, 'short'),
};

export const formatNumber = (number: number, language: Language) => WORDS[language].number.format(number);

/** Days in words: "1 day", "40 days"; longer times as "9 months" and "1 year 7 months". */
export function formatDays(days: number, language: Language): string {
  const words = WORDS[language];
  if (days <= MAX_DAYS) return words.day.format(days);

  const allMonths = Math.floor(days / DAYS_PER_MONTH);
  const years = Math.floor(allMonths / MONTHS_PER_YEAR);
  const parts: string[] = [];
  if (years > 0) parts.push(words.year.format(years));

  const months = allMonths % MONTHS_PER_YEAR;
  if (months > 0) parts.push(words.month.format(months));
  return parts.join(' ');
}

/** A date or a local time of a license (ISO 8601), as a date; other text as it is. */
export function formatDate(text: string, language: Language): string {
  const date = new Date(text.slice(0, 10));
  const isDate = /^\d{4}-\d\d-\d\d/.test(text) && !isNaN(Number(date));
  return isDate ? WORDS[language].date.format(date) : text;
}

const MINUTE_MS = 60_000;

const FROM: Record<Language, (clock: string) => string> = {
  en: (clock) => `from ${clock}`,
  ru: (clock) => `с ${clock}`,
};
/** What stands before a day that has a time. */
const ON = { en: 'on ', ru: '' } as const satisfies Record<Language, string>;

/**
 * From when on something is possible: the time alone when it is today, else with the day. Rounded up, so that nobody
 * comes too early.
 */
export function formatFrom(moment: number, language: Language, now: number): string {
  const time = Math.ceil(moment / MINUTE_MS) * MINUTE_MS;
  const clock = new Date(time).toLocaleTimeString(language, { timeStyle: 'short' });
  const fromClock = FROM[language](clock);

  const days = daysBetween(dayOf(now), dayOf(time));
  if (days === 0) return fromClock;
  if (days === 1) return `${WORDS[language].relative.format(1, 'day')} ${fromClock}`;

  const day = new Date(time).toLocaleDateString(language, { day: 'numeric', month: 'long' });
  return `${ON[language]}${day} ${fromClock}`;
}

/** Milliseconds to wait in words, such as "in 31 minutes". Rounded up, so that nobody comes too early. */
export function formatWait(milliseconds: number, language: Language): string {
  const words = new Intl.RelativeTimeFormat(language);
  const seconds = Math.ceil(Math.max(0, milliseconds) / 1000);
  if (seconds < 60) return words.format(seconds, 'second');
  return words.format(Math.ceil(seconds / 60), 'minute');
}

const SECOND = { unit: 'second', seconds: 1, each: { en: 'a second', ru: 'в секунду' } } as const;
/** The longest first. */
const UNITS = [
  { unit: 'day', seconds: 86_400, each: { en: 'a day', ru: 'в сутки' } },
  { unit: 'hour', seconds: 3600, each: { en: 'an hour', ru: 'в час' } },
  { unit: 'minute', seconds: 60, each: { en: 'a minute', ru: 'в минуту' } },
] as const;

/** The length of a rate-limit window after a number of files: "an hour", "a day", "in 3 hours". */
export function formatWindow(window: number, language: Language): string {
  const longest = UNITS.find(({ seconds }) => window % seconds === 0);
  const { unit, seconds, each } = longest ?? SECOND;
  if (window === seconds) return each[language];

  const words = new Intl.RelativeTimeFormat(language);
  const wait = words.format(window / seconds, unit);
  return wait.replace(/^через/, 'за');
}
