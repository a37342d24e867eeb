import { digitsOf, isExpired, NO_END, numberOf, pinOf, type Known } from './facts.js';
import { groupBy } from './group-by.js';
import type { License } from './license.js';

/** Replacements one after the other that are followed to see whether they lead back to where they began. */
const MAX_CHAIN = 100;

/** What a license is good for; each has one. An outage or a time-out says nothing about it. */
export type Standing = 'refused' | 'replaced' | 'expired' | 'current';

export interface Standings {
  of: ReadonlyMap<License, Standing>;
  /** The license that replaced one, where its previous PIN code tells. */
  successors: ReadonlyMap<License, License>;
  predecessors: ReadonlyMap<License, License>;
  /** For content that does not count: the content of the same license that does. */
  twins: ReadonlyMap<License, License>;
}

/** @param today YYYY-MM-DD */
export function standingsOf(licenses: readonly License[], today: string): Standings {
  const of = new Map<License, Standing>();
  const successors = new Map<License, License>();
  const predecessors = new Map<License, License>();
  const twins = new Map<License, License>();

  for (const license of licenses) if (license.isRefused) of.set(license, 'refused');
  const followers = followersOf(licenses);
  const named = groupBy(licenses, (license) => [license.isRefused ? null : ringNameOf(license.known)]);

  for (const contents of named.values()) {
    const counted = contents.reduce((best, next) => (counts(next, best, today) ? next : best));
    const pin = pinOf(counted.known);
    const follower = pin !== null && !leadsBack(pin, followers) ? followers.get(pin) : undefined;
    if (follower) predecessors.set(follower, counted);
    for (const license of contents) {
      if (follower) {
        successors.set(license, follower);
        of.set(license, 'replaced');
      } else if (license !== counted) {
        twins.set(license, counted);
        of.set(license, 'replaced');
      }
    }
  }

  for (const license of licenses) if (!of.has(license)) of.set(license, standingAlone(license.known, today));
  return { of, successors, predecessors, twins };
}

/** The standing of a license that no other one in the list replaces. */
function standingAlone(known: Known, today: string): Standing {
  if (known.wasReplaced) return 'replaced';
  return isExpired(known, today) ? 'expired' : 'current';
}

/** The license that names each PIN code as the one before its own. Nothing replaces itself. */
function followersOf(licenses: readonly License[]): ReadonlyMap<string, License> {
  const followers = new Map<string, License>();
  for (const license of licenses) {
    const { previousPin } = license.known;
    if (license.isRefused || previousPin === null || previousPin === pinOf(license.known)) continue;
    followers.set(previousPin, license);
  }
  return followers;
}

/** Whether licenses replaced each other in a circle, in which none of them can be the last. */
function leadsBack(start: string, followers: ReadonlyMap<string, License>): boolean {
  let pin = start;
  for (let step = 0; step < MAX_CHAIN; step += 1) {
    const follower = followers.get(pin);
    const next = follower && pinOf(follower.known);
    if (!next) return false;
    if (next === start) return true;
    pin = next;
  }
  return false;
}

/** ring's name of a license; none while no PIN code is known. */
const ringNameOf = ({ pin, registrationNumber }: Known) =>
  pin && `${digitsOf(pin)}-${numberOf(registrationNumber ?? '')}`;

/**
 * Whether one content of a license counts rather than another of the same license. The first difference decides:
 *
 * 1. The one that could be read counts.
 * 2. The one that has not expired counts.
 * 3. The one that ends later counts.
 */
function counts(license: License, other: License, today: string): boolean {
  if (license.isFailed !== other.isFailed) return other.isFailed;
  const isOver = isExpired(license.known, today);
  const isOtherOver = isExpired(other.known, today);
  if (isOver !== isOtherOver) return isOtherOver;
  return endOf(license.known) > endOf(other.known);
}

const endOf = ({ validUntil, unlimited }: Known) => (unlimited ? NO_END : (validUntil ?? ''));
