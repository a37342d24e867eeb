import { parseTimestamp } from '../../../license/dates.js';
import type { Cell } from './workbook.js';

/** Days from 30 December 1899 on: to 1 March 1900, before which Excel counts a day that never was, to 1970 and to 10000. */
const SERIAL = { first: 61, unixEpoch: 25_569, end: 2_958_466 };
/** As programs write it (`2026-11-28T00:00:00.000Z`), and as people do: `28.11.26`, `1.2.2026 г.` */
const MOMENT =
  /^(\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.(?:\d\d)?\d\d)(?:(?:T|\s+)(\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z?)?(?:\s*г\.?)?$/;

/** A local time, such as `2026-12-31T00:00:00`: Excel knows no time zones. */
export function asMoment(text: string, cell: Cell, firstDay = 0): string | null {
  if (typeof cell === 'number') {
    const days = cell + firstDay;
    if (!(days >= SERIAL.first && days < SERIAL.end)) return null;
    const seconds = Math.round((days - SERIAL.unixEpoch) * 24 * 60 * 60);
    return new Date(seconds * 1000).toISOString().slice(0, 19);
  }
  const [, date = '', time = '00:00:00'] = MOMENT.exec(text) ?? [];
  const [year = '', month = '', day = ''] = date.includes('.') ? date.split('.').reverse() : date.split('-');
  return parseTimestamp(
    `${day.padStart(2, '0')}.${month.padStart(2, '0')}.${year.padStart(4, '20')} ${time}`,
  );
}

/** As a number Excel keeps 15 digits of it, and no zeros before the first. */
export function asPin(text: string, cell: Cell): { sure?: string; unsure?: string } | null {
  const digits = text.replace(/[\s\p{Pd}]/gu, '');
  if ((typeof cell === 'string' ? /^\d{15,16}$/ : /^\d{15}$/).test(digits)) return { sure: digits };
  return /^\d[\d.,]{0,19}(?:E\+?\d\d)?$/i.test(digits) ? { unsure: text } : null;
}
