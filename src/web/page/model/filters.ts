import type { Known } from './facts.js';
import type { License } from './license.js';
import { isCurrent, type Validity } from './validity.js';

/** Parts of the list, in the order in which they are offered; each name is the key of its text. */
export const FILTERS = [
  'all',
  'expired',
  'expiring',
  'clients',
  'servers',
  'incomplete',
  'replaced',
  'errors',
] as const;
export type Filter = (typeof FILTERS)[number];

/** The filters that show a license. */
export function filtersOf(license: License, validity: Validity): ReadonlySet<Filter> {
  const filters = new Set<Filter>(['all']);
  if (license.isFailed) filters.add('errors');
  if (validity === 'refused') return filters;

  const { validUntil, unlimited, kind } = license.known;
  if (kind === 'client') filters.add('clients');
  if (kind === 'server') filters.add('servers');
  if (validity === 'expired' || validity === 'replaced') filters.add(validity);
  if (!isCurrent(validity)) return filters;

  if (validity === 'soon') filters.add('expiring');
  const lacksTerm = validUntil === null && !unlimited;
  if (lacksTerm || lacksUsers(license.known)) filters.add('incomplete');
  return filters;
}

/** Whether it may be for users, and it is not known for how many. */
export const lacksUsers = ({ kind, users }: Known) => kind === null || (kind === 'client' && users === null);

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

export interface Users {
  /** The users of those client licenses that state their users and have neither expired nor been replaced. */
  users: number;
  /** Whether there may be more of them, because some licenses do not say it. */
  mayBeMoreUsers: boolean;
}

/** For how many users licenses are good today. */
export function usersOf(licenses: Iterable<License>, validityOf: (license: License) => Validity): Users {
  let users = 0;
  let mayBeMoreUsers = false;
  for (const license of licenses) {
    if (!isCurrent(validityOf(license))) continue;
    if (license.known.kind === 'client') users += license.known.users ?? 0;
    if (lacksUsers(license.known)) mayBeMoreUsers = true;
  }
  return { users, mayBeMoreUsers };
}
