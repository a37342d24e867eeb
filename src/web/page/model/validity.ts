import { daysBetween } from './day.js';
import type { License } from './license.js';
import type { Standing } from './standing.js';

/** How long a license counts, or why it does not; in the order in which licenses ask for attention. */
export const VALIDITIES = [
  'expired',
  'soon',
  'later',
  'unlimited',
  'notStated',
  'unread',
  'failed',
  'refused',
  'replaced',
  'gone',
] as const;
export type Validity = (typeof VALIDITIES)[number];

export interface ValidityRules {
  standing: Standing | undefined;
  /** Whether it is in the sheet of another day only, although files of today were compared with that. */
  isGone: boolean;
  /** Days before its end in which a license is said to expire soon. */
  horizon: number;
  /** YYYY-MM-DD */
  today: string;
}

export function validityOf(license: License, rules: ValidityRules): Validity {
  const { known, status } = license;
  const { standing, isGone, horizon, today } = rules;
  if (isGone) return 'gone';
  if (standing !== undefined && standing !== 'current') return standing;

  const days = daysLeft(license, today);
  if (days !== null) return days <= horizon ? 'soon' : 'later';
  if (known.unlimited) return 'unlimited';
  if (status === 'failed') return 'failed';
  const wasRead = status === 'done' || known.pin !== null;
  return wasRead ? 'notStated' : 'unread';
}

/** Days from today (YYYY-MM-DD) to the last day of a license; null when that is not known, or there is none. */
export function daysLeft({ known }: License, today: string): number | null {
  return known.validUntil === null ? null : daysBetween(today, known.validUntil);
}
