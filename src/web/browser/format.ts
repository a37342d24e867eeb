import type { Language } from '../../errors/catalog.js';

/** A date or a local time of a license (ISO 8601), as a date; other text as it is. */
export function formatDate(text: string, language: Language): string {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return text;
  const options = { dateStyle: language === 'ru' ? 'short' : 'medium', timeZone: 'UTC' } as const;
  return new Date(text.slice(0, 10)).toLocaleDateString(language, options);
}

/** The time of day. */
export const formatTime = (time: number, language: Language) =>
  new Date(time).toLocaleTimeString(language, { timeStyle: 'short' });

/** Milliseconds to wait in words, such as "in 31 minutes". */
export const formatWait = (milliseconds: number, language: Language) =>
  new Intl.RelativeTimeFormat(language).format(Math.ceil(Math.max(0, milliseconds) / 60_000), 'minute');

/** Whether an expiry date (YYYY-MM-DD) is over; other text never is. */
export const isExpired = (text: string, now = Date.now()) =>
  /^\d{4}-/.test(text) && now > Date.parse(`${text}T23:59:59`);
