import { dayIn, daysBetween } from './day.js';
import { isExpired, NO_END, pinOf, ringNameOf, type LicenseFacts } from './facts.js';
import { groupBy } from './group-by.js';
import { computerKey, kitNumberOf, type License } from './license.js';

/** How long a license counts, or why it does not; in the order in which licenses ask for attention. */
export const VALIDITIES = [
  'soon',
  'expired',
  'later',
  'unlimited',
  'unknown',
  'replaced',
  'unlikely',
] as const;
export type Validity = (typeof VALIDITIES)[number];

/** Days before its end in which a license is said to expire soon. */
export const SOON_DAYS = 90;

export interface ValidityRules {
  replacements: Replacements;
  /** YYYY-MM-DDTHH:MM */
  now: string;
}

export function validityOf(license: License, { replacements, now }: ValidityRules): Validity {
  const { facts } = license;
  if (license.isUnlikely) return 'unlikely';
  if (isReplaced(license, replacements)) return 'replaced';
  if (isExpired(facts, now)) return 'expired';

  const days = daysLeft(license, dayIn(now));
  if (days !== null) return days <= SOON_DAYS ? 'soon' : 'later';
  return facts.unlimited ? 'unlimited' : 'unknown';
}

/** Days from today (YYYY-MM-DD) to the last day of a license; null when that is not known, or the license has none. */
export function daysLeft({ facts }: License, today: string): number | null {
  return facts.validUntil === null ? null : daysBetween(today, facts.validUntil);
}

/** Which licenses have been replaced, and by which. */
export interface Replacements {
  /** The license that came after one, where its previous PIN code tells. */
  readonly successors: ReadonlyMap<License, License>;
  readonly predecessors: ReadonlyMap<License, License>;
  /** From each superseded version of a license to the version that counts. */
  readonly betterVersions: ReadonlyMap<License, License>;
  /** From each file that cannot be read to one that was read and has the same license. */
  readonly intactCopies: ReadonlyMap<License, License>;
}

function isReplaced(license: License, { successors, betterVersions, intactCopies }: Replacements): boolean {
  return successors.has(license) || betterVersions.has(license) || intactCopies.has(license);
}

/** @param now YYYY-MM-DDTHH:MM */
export function replacementsIn(licenses: readonly License[], now: string): Replacements {
  const successors = new Map<License, License>();
  const predecessors = new Map<License, License>();
  const betterVersions = new Map<License, License>();

  const notRefused = licenses.filter(({ cannotBeRead }) => !cannotBeRead);
  const groups = [...groupBy(notRefused, ({ facts }) => ringNameOf(facts)).values()];
  const versionsOf = new Map(groups.map((versions) => [bestOf(versions, now), versions]));
  const followers = followersIn([...versionsOf.keys()]);
  for (const [best, versions] of versionsOf) {
    const follower = followers.get(pinOf(best.facts));
    // A license that was replaced is replaced in all its versions.
    if (follower) {
      predecessors.set(follower, best);
      for (const license of versions) successors.set(license, follower);
      continue;
    }

    // Otherwise the best version replaces the other ones.
    for (const license of versions) {
      if (license !== best) betterVersions.set(license, best);
    }
  }
  return { successors, predecessors, betterVersions, intactCopies: intactCopiesIn(licenses) };
}

function intactCopiesIn(licenses: readonly License[]): ReadonlyMap<License, License> {
  const intactCopies = new Map<License, License>();
  for (const copies of groupBy(licenses, productionOf).values()) {
    const intact = copies.find(({ status }) => status === 'done');
    if (!intact) continue;
    for (const license of copies) {
      if (license.cannotBeRead) intactCopies.set(license, intact);
    }
  }
  return intactCopies;
}

/** What two licenses never share; null if their clear text does not tell all of it. */
function productionOf(license: License): string | null {
  const parts = [kitNumberOf(license), computerKey(license), license.facts.producedAt];
  return parts.includes(null) ? null : parts.join('\n');
}

/** The licenses by the PIN codes that they name as the ones before their own. */
function followersIn(licenses: readonly License[]): ReadonlyMap<string | null, License> {
  const followers = new Map<string, License>();
  for (const license of licenses) {
    const { previousPin } = license.facts;
    const isItself = previousPin === pinOf(license.facts);
    if (previousPin !== null && !isItself) followers.set(previousPin, license);
  }
  return followers;
}

/** The version of a license that counts. */
const bestOf = (versions: readonly License[], now: string): License =>
  versions.reduce((best, next) => (isBetter(next, best, now) ? next : best));

/**
 * Whether one version of a license counts rather than another one. The first difference decides:
 *
 * 1. The one that could be read counts.
 * 2. The one that has not expired counts.
 * 3. The one that ends later counts.
 */
function isBetter(license: License, other: License, now: string): boolean {
  if (license.isFailed !== other.isFailed) return other.isFailed;

  const hasEnded = isExpired(license.facts, now);
  const hasOtherEnded = isExpired(other.facts, now);
  if (hasEnded !== hasOtherEnded) return hasOtherEnded;

  return endOf(license.facts) > endOf(other.facts);
}

function endOf({ validUntil, unlimited }: LicenseFacts): string {
  if (unlimited) return NO_END;
  return validUntil ?? '';
}
