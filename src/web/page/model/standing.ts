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
  const following = withoutCircles(followers);
  const named = groupBy(licenses, (license) => [of.has(license) ? null : nameOf(license.known)]);
  for (const group of named.values()) {
    const counted = group.reduce((best, next) => (counts(next, best, today) ? next : best));
    const follower = following.get(digitsOf(counted.known.pin ?? ''));
    for (const license of group) {
      if (follower) successors.set(license, follower);
      else if (license !== counted) twins.set(license, counted);
      if (follower || license !== counted) of.set(license, 'replaced');
    }
    if (follower) predecessors.set(follower, counted);
  }
  for (const license of licenses) {
    if (of.has(license)) continue;
    const isOver = isExpired(license.known, today);
    of.set(license, wasReplaced(license.known) ? 'replaced' : isOver ? 'expired' : 'current');
  }
  return { of, successors, predecessors, twins };
}

/** Leaves out what would replace each other in a circle. */
function withoutCircles(followers: ReadonlyMap<string, License>): ReadonlyMap<string, License> {
  const left = new Map(followers);
  const pinAfter = (pin: string) => digitsOf(followers.get(pin)?.known.pin ?? '');
  const passed = new Map<string, string>();
  for (const start of followers.keys()) {
    let pin = start;
    for (; followers.has(pin) && !passed.has(pin); pin = pinAfter(pin)) passed.set(pin, start);
    if (passed.get(pin) === start) while (left.delete(pin)) pin = pinAfter(pin);
  }
  return left;
}

/** Whether a list of another day says so, and has no PIN codes from which it could be told today. */
const wasReplaced = ({ sources }: Known) =>
  sources.some(({ wasReplaced, facts }) => wasReplaced === true && facts.pin === null);

/** ring's name of a license; none while no PIN code is known. */
const nameOf = ({ pin, registrationNumber }: Known) =>
  pin && `${digitsOf(pin)}-${numberOf(registrationNumber ?? '')}`;

/** Whether one content of a license counts rather than another: what was not in vain, what is valid, what ends later. */
function counts(license: License, before: License, today: string): boolean {
  const isWorse =
    Number(before.isFailed) - Number(license.isFailed) ||
    Number(isExpired(before.known, today)) - Number(isExpired(license.known, today));
  return isWorse > 0 || (isWorse === 0 && endOf(license.known) > endOf(before.known));
}

const endOf = ({ validUntil, unlimited }: Known) => (unlimited ? '9999' : (validUntil ?? ''));
