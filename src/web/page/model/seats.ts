import { groupBy } from './group-by.js';
import { kitSizeOf, usersOf, type Kits } from './kits.js';
import { kitNumberOf, type License } from './license.js';
import { whyNotCounted, type SeatStatus } from './seat-status.js';

/** For how many users client licenses are good today, as far as their files tell. */
export interface Seats {
  /** The sum of what the counted licenses say, of a small kit at most its size. */
  readonly seats: number;
  /** Whether there may be fewer, because the sum has seats of licenses that another one may have replaced. */
  readonly isUpperBound: boolean;
  /** How many licenses another one may have replaced. */
  readonly maybeReplaced: number;
  /** How many licenses may be good for more users. */
  readonly notCounted: number;
}

/**
 * Adds up the seats of some licenses.
 * @param statuses those of all licenses of the list
 * @param kits also those that are not among the licenses: each of them may have replaced one that is
 */
export function seatsOf(
  licenses: readonly License[],
  statuses: ReadonlyMap<License, SeatStatus>,
  { doubtful }: Kits,
): Seats {
  const statusOf = (license: License) => statuses.get(license) ?? 'noLicense';
  const isDoubtful = (license: License) => doubtful.has(license);

  const counted = licenses.filter((license) => statusOf(license) === 'counted');
  const kits = groupBy(counted, (license) => kitNumberOf(license) ?? `license ${license.id}`);
  let seats = 0;
  let isUpperBound = false;
  for (const kit of kits.values()) {
    const size = kitSizeOf(kit) ?? Infinity;
    const all = Math.min(usersOf(kit), size);
    const sure = usersOf(kit.filter((license) => !isDoubtful(license)));
    seats += all;
    if (sure < all) isUpperBound = true;
  }

  const maybeReplaced = licenses.filter(isDoubtful).length;
  const notCounted = licenses.filter((license) => whyNotCounted(statusOf(license))).length;
  return { seats, isUpperBound, maybeReplaced, notCounted };
}
