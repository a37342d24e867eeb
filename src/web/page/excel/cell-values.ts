import { parseTimestamp } from '../../../license/dates.js';
import type { Cell } from './workbook.js';

/** Days from 30 December 1899 to 1 March 1900, before which Excel counts a day that never was. */
const FIRST_DAY = 61;
const DAYS_TO_1970 = 25_569;
const DAYS_TO_10000 = 2_958_466;
const SECONDS_PER_DAY = 86_400;

/** As programs write it (`2026-11-28T00:00:00.000Z`), and as people do: `28.11.26`, `1.2.2026 г.` */
const MOMENT =
  /^(?<date>\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.(?:\d\d)?\d\d)(?:(?:T|\s+)(?<time>\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z?)?(?:\s*г\.?)?$/;

/**
 * A local time, such as `2026-12-31T00:00:00`: Excel knows no time zones. Null when the cell has none.
 * @param firstDay that of the workbook, for cells that are dates to Excel
 */
export function asMoment(cell: Cell, firstDay = 0): string | null {
  if (typeof cell === 'string') return momentOfText(cell.trim());
  return momentOfDays(cell + firstDay);
}

function momentOfDays(days: number): string | null {
  const isInRange = days >= FIRST_DAY && days < DAYS_TO_10000;
  if (!isInRange) return null;

  const seconds = Math.round((days - DAYS_TO_1970) * SECONDS_PER_DAY);
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

function momentOfText(text: string): string | null {
  const groups = MOMENT.exec(text)?.groups;
  if (!groups) return null;

  const { date = '', time = '00:00:00' } = groups;
  return parseTimestamp(`${fullDateOf(date)} ${time}`);
}

/** `2026-02-01` and `1.2.26` as `01.02.2026`. */
function fullDateOf(date: string): string {
  const isIso = date.includes('-');
  const parts = isIso ? date.split('-').reverse() : date.split('.');
  const [day = '', month = '', year = ''] = parts;
  const fullDay = day.padStart(2, '0');
  const fullMonth = month.padStart(2, '0');
  const fullYear = year.padStart(4, '20');
  return `${fullDay}.${fullMonth}.${fullYear}`;
}

/**
 * The digits of a PIN code, whatever people put between them. Null when these are not all: of a number Excel keeps 15
 * digits, and no zeros before the first.
 */
export function asPin(cell: Cell): string | null {
  const digits = String(cell).replace(/[\s\p{Pd}]/gu, '');
  const pattern = typeof cell === 'number' ? /^\d{15}$/ : /^\d{15,16}$/;
  return pattern.test(digits) ? digits : null;
}
