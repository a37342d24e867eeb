import type { Known } from './facts.js';
import type { License } from './license.js';
import { isCurrent, isKnownToBeValid, type Validity } from './validity.js';

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

  const { kind } = license.known;
  if (kind === 'client') filters.add('clients');
  if (kind === 'server') filters.add('servers');
  if (validity === 'expired' || validity === 'replaced') filters.add(validity);
  if (!isCurrent(validity)) return filters;

  if (validity === 'soon') filters.add('expiring');
  if (lacksTerm(license.known) || lacksUsers(license.known)) filters.add('incomplete');
  return filters;
}

const lacksTerm = ({ validUntil, unlimited }: Known) => validUntil === null && !unlimited;

/** Whether it may be for users, and it is not known for how many. */
const lacksUsers = ({ kind, users }: Known) => kind === null || (kind === 'client' && users === null);

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
  /** The users of the client licenses that are known to be valid today. */
  users: number;
  /** How many licenses may be good for more users, because their term or their users are not known. */
  unknown: number;
}

/** For how many users licenses are good today. */
export function usersOf(licenses: Iterable<License>, validityOf: (license: License) => Validity): Users {
  let users = 0;
  let unknown = 0;
  for (const license of licenses) {
    const ownUsers = validUsers(license, validityOf(license));
    if (ownUsers === null) unknown += 1;
    else users += ownUsers;
  }
  return { users, unknown };
}

/** For how many users a license is good today; null when its kind, its term or its users are not known. */
export function validUsers({ known }: License, validity: Validity): number | null {
  const isForServer = known.kind === 'server';
  if (isForServer || !isCurrent(validity)) return 0;

  if (known.kind === null || !isKnownToBeValid(validity)) return null;
  return known.users;
}
