import type { Assessment } from './assessment.js';
import type { License } from './license.js';
import { addsLicense, mayHaveSeats } from './why-not-counted.js';

/** Parts of the list that are offered with their figures, in this order; each name is the key of its text. */
export const OFFERED_FILTERS = ['expired', 'expiring', 'clients', 'servers', 'notRead', 'failures'] as const;

/** Also those that the total of seats offers, and `all` for none. */
export const FILTERS = ['all', ...OFFERED_FILTERS, 'maybeReplaced', 'notCounted'] as const;
export type Filter = (typeof FILTERS)[number];

/** The filters that show a license. */
export function filtersOf(
  { facts, status, problem, isUnlikely }: License,
  { validity, whyNotCounted, maybeReplaced }: Assessment,
): ReadonlySet<Filter> {
  const filters = new Set<Filter>(['all']);
  const isOfItsOwn = addsLicense(whyNotCounted);
  if (status !== 'done' && status !== 'refused' && !isUnlikely) filters.add('notRead');
  if (problem) filters.add('failures');
  if (facts.kind === 'client' && isOfItsOwn) filters.add('clients');
  if (facts.kind === 'server' && isOfItsOwn) filters.add('servers');
  if (validity === 'expired') filters.add('expired');
  if (validity === 'soon') filters.add('expiring');
  if (mayHaveSeats(whyNotCounted)) filters.add('notCounted');
  if (maybeReplaced) filters.add('maybeReplaced');
  return filters;
}

/**
 * How many of these licenses each filter shows.
 * @param filters those that show each license
 */
export function countsOf(
  licenses: Iterable<License>,
  filters: ReadonlyMap<License, ReadonlySet<Filter>>,
): Record<Filter, number> {
  const counts = Object.fromEntries(FILTERS.map((filter) => [filter, 0])) as Record<Filter, number>;
  for (const license of licenses) {
    for (const filter of filters.get(license) ?? []) counts[filter] += 1;
  }
  return counts;
}
