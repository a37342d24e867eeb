import { digitsOf, isExpired, numberOf, type Known } from './facts.js';
import { groupBy } from './group-by.js';
import type { License } from './license.js';

/** What a license is good for; each has one. An outage or a time-out says nothing about it. */
export type Standing = 'refused' | 'replaced' | 'expired' | 'current';

export interface Standings {
  of: ReadonlyMap<License, Standing>;
  /** The license that replaced one, where its previous PIN code tells. */
  successors: ReadonlyMap<License, License>;
  predecessors: ReadonlyMap<License, License>;
  /** The license that counts in place of one, of two contents of one license. */
  twins: ReadonlyMap<License, License>;
}

/** @param today YYYY-MM-DD */
export function standingsOf(licenses: readonly License[], today: string): Standings {
  const of = new Map<License, Standing>();
  const successors = new Map<License, License>();
  const predecessors = new Map<License, License>();
  const twins = new Map<License, License>();
  const followers = new Map<string, License>();
  for (const license of licenses) {
    const { pin, previousPin } = license.known;
    if (license.isRefused) of.set(license, 'refused');
    // Nothing replaces itself.
    else if (previousPin !== null && (pin === null || digitsOf(pin) !== previousPin))
      followers.set(previousPin, license);
  }
  const named = groupBy(licenses, (license) => [of.has(license) ? null : nameOf(license.known)]);
  for (const group of named.values()) {
    const counted = group.reduce((best, next) => (counts(next.known, best.known, today) ? next : best));
    const follower = followers.get(digitsOf(counted.known.pin ?? ''));
    for (const license of group) {
      if (follower) successors.set(license, follower);
      else if (license !== counted) twins.set(license, counted);
      if (follower || license !== counted) of.set(license, 'replaced');
    }
    if (follower) predecessors.set(follower, counted);
  }
  for (const license of licenses)
    if (!of.has(license)) of.set(license, isExpired(license.known, today) ? 'expired' : 'current');
  return { of, successors, predecessors, twins };
}

/** ring's name of a license; none while no PIN code is known. */
const nameOf = ({ pin, registrationNumber }: Known) =>
  pin && `${digitsOf(pin)}-${numberOf(registrationNumber ?? '')}`;

/** Whether one content of a license counts rather than another before it: a valid one, then the one that ends later. */
function counts(known: Known, before: Known, today: string): boolean {
  const isBefore = Number(isExpired(before, today)) - Number(isExpired(known, today));
  return isBefore > 0 || (isBefore === 0 && endOf(known) > endOf(before));
}

const endOf = ({ validUntil, unlimited }: Known) => (unlimited ? '9999' : (validUntil ?? ''));
