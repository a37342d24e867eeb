import { addedSeatsIn, kitsIn } from './kits.js';
import type { License } from './license.js';
import { replacementsIn, type Replacement } from './replacements.js';
import { pathOf, type ListedFile } from './state.js';
import { validityOf, type Validity } from './validity.js';
import { whyNotCounted, type WhyNotCounted } from './why-not-counted.js';

/** What the page makes of a license before it looks at the others of its kit. */
interface AssessmentAlone {
  readonly validity: Validity;
  /** What counts in its place. */
  readonly replacement: Replacement | undefined;
  /** The license that it replaced. */
  readonly predecessor: License | undefined;
  /** Why its seats are not in the total; undefined if they are. */
  readonly whyNotCounted: WhyNotCounted | undefined;
  /** Whether all its files were given again later, at the same path and with other bytes. */
  readonly isPreviousCopy: boolean;
}

/** What the page makes of a license, from what is known of it and of the others of the list. */
export interface Assessment extends AssessmentAlone {
  /**
   * The newest one of the same kind with the same number on the same computer, if that was produced later. It may have
   * replaced this one, or be valid beside it.
   */
  readonly newer: License | undefined;
  /** Whether another one may have replaced it, so that its seats may be fewer. */
  readonly maybeReplaced: boolean;
  /** How many seats it adds to the total, whatever is shown. */
  readonly addedSeats: number;
}

/** Tells what the page makes of a license of the list. */
export type AssessmentOf = (license: License) => Assessment;

/**
 * Assesses all licenses of the list.
 * @param now YYYY-MM-DDTHH:MM
 */
export function assess(licenses: readonly License[], now: string): ReadonlyMap<License, Assessment> {
  const previousCopies = previousCopiesIn(licenses);
  const { replacements, predecessors } = replacementsIn(licenses, now);
  const alone = new Map<License, AssessmentAlone>();
  for (const license of licenses) {
    const replacement = replacements.get(license);
    const validity = validityOf(license, replacement !== undefined, now);
    alone.set(license, {
      validity,
      replacement,
      predecessor: predecessors.get(license),
      whyNotCounted: whyNotCounted(license, validity, replacement),
      isPreviousCopy: previousCopies.has(license),
    });
  }

  const reasonOf = (license: License) => alone.get(license)?.whyNotCounted;
  const { newer, maybeReplaced } = kitsIn(licenses, reasonOf);
  const counted = licenses.filter((license) => reasonOf(license) === undefined);
  const addedSeats = addedSeatsIn(counted, maybeReplaced);
  const assessments = new Map<License, Assessment>();
  for (const [license, assessment] of alone) {
    assessments.set(license, {
      ...assessment,
      newer: newer.get(license),
      maybeReplaced: maybeReplaced.has(license),
      addedSeats: addedSeats.get(license) ?? 0,
    });
  }
  return assessments;
}

function previousCopiesIn(licenses: readonly License[]): ReadonlySet<License> {
  const latest = new Map<string, ListedFile>();
  for (const file of licenses.flatMap(({ places }) => places)) {
    const other = latest.get(pathOf(file));
    if (!other || other.id < file.id) latest.set(pathOf(file), file);
  }

  const isOutdated = (file: ListedFile) => latest.get(pathOf(file))?.fingerprint !== file.fingerprint;
  return new Set(licenses.filter(({ places }) => places.every(isOutdated)));
}
