import { numberOf } from './facts.js';
import { groupBy } from './group-by.js';
import type { License } from './license.js';
import type { Validity } from './validity.js';

/** For how many users client licenses are good today, as far as their files tell. */
export interface Seats {
  /** The sum of what the counted licenses say. */
  readonly seats: number;
  /** How many of the counted licenses another one may have replaced: with these the sum is an upper bound. */
  readonly maybeReplaced: number;
  /** How many licenses may be good for more users, because their kind, their term or their number is not known. */
  readonly notCounted: number;
}

/**
 * `counted`: the license adds to the sum. `notCounted`: it might, if more was known of it. `none`: it does not, because it
 * is for a server, has expired or was replaced, or because ring refused its file.
 */
export type SeatRole = 'counted' | 'notCounted' | 'none';

export function seatRoleOf({ facts, cannotBeRead }: License, validity: Validity): SeatRole {
  const hasEnded = validity === 'expired' || validity === 'replaced';
  if (cannotBeRead || hasEnded || validity === 'unlikely' || facts.kind === 'server') return 'none';

  const isKnown = facts.kind === 'client' && facts.users !== null && validity !== 'unknown';
  return isKnown ? 'counted' : 'notCounted';
}

/** For each license that another one may have replaced: all those of which only one may be left. */
export type Rivals = ReadonlyMap<License, readonly License[]>;

/**
 * Finds licenses with one registration number. It is the number of a kit, so they may be several licenses of it, or one and
 * those that replaced it. Which it is only their previous PIN codes tell, and what these connect has the role `none`.
 */
export function rivalsIn(roles: ReadonlyMap<License, SeatRole>): Rivals {
  const candidates = [...roles].filter(([, role]) => role !== 'none').map(([license]) => license);
  const kits = groupBy(candidates, kitOf);

  const rivals = new Map<License, readonly License[]>();
  for (const licenses of kits.values()) {
    const isDoubtful = licenses.length > 1 && licenses.some((license) => roles.get(license) === 'counted');
    if (!isDoubtful) continue;
    for (const license of licenses) rivals.set(license, licenses);
  }
  return rivals;
}

function kitOf({ facts }: License): string | null {
  const { registrationNumber } = facts;
  return registrationNumber ? numberOf(registrationNumber) : null;
}

/**
 * Adds up the seats of some licenses.
 * @param roles those of all licenses of the list
 * @param rivals also those that are not among the licenses: each of them may have replaced one that is
 */
export function seatsOf(
  licenses: Iterable<License>,
  roles: ReadonlyMap<License, SeatRole>,
  rivals: Rivals,
): Seats {
  let seats = 0;
  let notCounted = 0;
  const countedOf = new Map<readonly License[], number>();
  for (const license of licenses) {
    const role = roles.get(license);
    if (role === 'notCounted') notCounted += 1;
    if (role !== 'counted') continue;

    seats += license.facts.users ?? 0;
    const kit = rivals.get(license);
    if (kit) countedOf.set(kit, (countedOf.get(kit) ?? 0) + 1);
  }

  let maybeReplaced = 0;
  // One of each kit has been replaced by none of the others.
  for (const [kit, counted] of countedOf) maybeReplaced += Math.min(counted, kit.length - 1);
  return { seats, maybeReplaced, notCounted };
}
