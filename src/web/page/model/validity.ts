import { dayIn, daysBetween } from './day.js';
import { isExpired } from './facts.js';
import type { License } from './license.js';

/** How long a license counts, or why it does not; in the order in which licenses ask for attention. */
export const VALIDITIES = [
  'soon',
  'expired',
  'later',
  'unlimited',
  'unknown',
  'replaced',
  'unlikely',
] as const;
export type Validity = (typeof VALIDITIES)[number];

/** Days before its end in which a license is said to expire soon. */
export const SOON_DAYS = 90;

/**
 * @param isReplaced whether another license of the list counts in its place
 * @param now YYYY-MM-DDTHH:MM
 */
export function validityOf(license: License, isReplaced: boolean, now: string): Validity {
  const { facts, isUnlikely } = license;
  if (isUnlikely) return 'unlikely';
  if (isReplaced) return 'replaced';
  if (isExpired(facts, now)) return 'expired';

  const days = daysLeft(license, dayIn(now));
  if (days !== null) return days <= SOON_DAYS ? 'soon' : 'later';
  return facts.unlimited ? 'unlimited' : 'unknown';
}

/** Days from today (YYYY-MM-DD) to the last day of a license; null when that is not known, or the license has none. */
export function daysLeft({ facts }: License, today: string): number | null {
  return facts.validUntil === null ? null : daysBetween(today, facts.validUntil);
}
