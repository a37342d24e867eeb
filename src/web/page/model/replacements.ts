import { isExpired, NO_END, type LicenseFacts } from './facts.js';
import { groupBy } from './group-by.js';
import type { License } from './license.js';

/** The license that counts in the place of another one. */
export interface Replacement {
  readonly by: License;
  /**
   * How the page knows; each is the key of a text. `replacedBy`: that one names the PIN code as its previous one.
   * `sameLicense`: it is another version of the same license. `intactCopy`: it was read, and the other one is damaged.
   */
  readonly how: 'replacedBy' | 'sameLicense' | 'intactCopy';
}

export interface Replacements {
  readonly replacements: ReadonlyMap<License, Replacement>;
  /** For each license the one that it replaced, where its previous PIN code tells. */
  readonly predecessors: ReadonlyMap<License, License>;
}

/** @param now YYYY-MM-DDTHH:MM */
export function replacementsIn(licenses: readonly License[], now: string): Replacements {
  const replacements = intactCopiesIn(licenses);
  const predecessors = new Map<License, License>();

  const groups = [...groupBy(licenses, ({ facts }) => facts.ringName).values()];
  const versionsOf = new Map(groups.map((versions) => [bestOf(versions, now), versions]));
  const followers = followersIn([...versionsOf.keys()]);
  for (const [best, versions] of versionsOf) {
    const follower = followers.get(best.facts.pinDigits);
    // A license that was replaced is replaced in all its versions.
    if (follower) {
      predecessors.set(follower, best);
      for (const license of versions) replacements.set(license, { by: follower, how: 'replacedBy' });
      continue;
    }

    // Otherwise the best version replaces the other ones.
    for (const license of versions) {
      if (license !== best) replacements.set(license, { by: best, how: 'sameLicense' });
    }
  }
  return { replacements, predecessors };
}

/** For each file that the service refused, one that was read and has the same license. */
function intactCopiesIn(licenses: readonly License[]): Map<License, Replacement> {
  const intactCopies = new Map<License, Replacement>();
  for (const copies of groupBy(licenses, ({ facts }) => facts.damagedCopyKey).values()) {
    const by = copies.find(({ status }) => status === 'done');
    if (!by) continue;
    for (const license of copies) {
      if (license.status === 'refused') intactCopies.set(license, { by, how: 'intactCopy' });
    }
  }
  return intactCopies;
}

/** The licenses by the PIN codes that they name as the ones before their own. */
function followersIn(licenses: readonly License[]): ReadonlyMap<string | null, License> {
  const followers = new Map<string, License>();
  for (const license of licenses) {
    const { previousPin, pinDigits } = license.facts;
    const isItself = previousPin === pinDigits;
    if (previousPin !== null && !isItself) followers.set(previousPin, license);
  }
  return followers;
}

/** The version of a license that counts. */
const bestOf = (versions: readonly License[], now: string): License =>
  versions.reduce((best, next) => (isBetter(next.facts, best.facts, now) ? next : best));

/** Whether one version of a license counts rather than another one: it has not expired, or it ends later. */
function isBetter(facts: LicenseFacts, other: LicenseFacts, now: string): boolean {
  const hasEnded = isExpired(facts, now);
  const hasOtherEnded = isExpired(other, now);
  if (hasEnded !== hasOtherEnded) return hasOtherEnded;

  return endOf(facts) > endOf(other);
}

function endOf({ validUntil, unlimited }: LicenseFacts): string {
  if (unlimited) return NO_END;
  return validUntil ?? '';
}
