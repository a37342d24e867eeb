import type { License } from './license.js';
import { whyNotCounted, type SeatStatus } from './seat-status.js';
import type { Validity } from './validity.js';

/** Parts of the list that are offered with their figures, in this order; each name is the key of its text. */
export const OFFERED_FILTERS = ['expired', 'expiring', 'clients', 'servers', 'notRead', 'failures'] as const;

/** Also those that the total of seats offers, and `all` for none. */
export const FILTERS = ['all', ...OFFERED_FILTERS, 'maybeReplaced', 'notCounted'] as const;
export type Filter = (typeof FILTERS)[number];

/** What decides which filters show a license, besides what is known of itself. */
export interface FilterInput {
  validity: Validity;
  seatStatus: SeatStatus;
  isDoubtful: boolean;
}

/** The filters that show a license. */
export function filtersOf(
  { facts, status, isFailed, isUnlikely, cannotBeRead }: License,
  { validity, seatStatus, isDoubtful }: FilterInput,
): ReadonlySet<Filter> {
  const filters = new Set<Filter>(['all']);
  if (status !== 'done' && !cannotBeRead && !isUnlikely) filters.add('notRead');
  if (isFailed) filters.add('failures');
  if (facts.kind === 'client') filters.add('clients');
  if (facts.kind === 'server') filters.add('servers');
  if (validity === 'expired') filters.add('expired');
  if (validity === 'soon') filters.add('expiring');
  if (whyNotCounted(seatStatus)) filters.add('notCounted');
  if (isDoubtful) filters.add('maybeReplaced');
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
