import type { AssessmentOf } from './assessment.js';
import { groupBy } from './group-by.js';
import { kitSizeOf } from './kits.js';
import type { License } from './license.js';
import { mayHaveSeats } from './why-not-counted.js';

/** For how many users client licenses are good today, as far as their files tell. */
export interface Seats {
  readonly total: number;
  /** Whether there may be fewer, because the total has seats of licenses that another one may have replaced. */
  readonly isUpperBound: boolean;
  /** How many licenses another one may have replaced. */
  readonly maybeReplaced: number;
  /** How many licenses may be good for more users. */
  readonly notCounted: number;
}

/**
 * How many seats each license of the list adds to the total: those that it states, but the licenses of a small kit add no
 * more than its size, those first that nothing may have replaced.
 */
export function addedSeatsOf(
  licenses: readonly License[],
  assessmentOf: AssessmentOf,
): ReadonlyMap<License, number> {
  const added = new Map<License, number>();
  const counted = licenses.filter((license) => assessmentOf(license).whyNotCounted === undefined);
  const rankOf = (license: License) => Number(assessmentOf(license).maybeReplaced);
  const kits = groupBy(counted, ({ id, facts }) => facts.kitNumber ?? `license ${id}`);
  for (const kit of kits.values()) {
    const surestFirst = [...kit].sort((a, b) => rankOf(a) - rankOf(b));
    let left = kitSizeOf(kit) ?? Infinity;
    for (const license of surestFirst) {
      const seats = Math.min(license.facts.users ?? 0, left);
      added.set(license, seats);
      left -= seats;
    }
  }
  return added;
}

/**
 * Adds up the seats of some licenses.
 * @param added how many each of them adds
 */
export function seatsOf(
  licenses: readonly License[],
  added: ReadonlyMap<License, number>,
  assessmentOf: AssessmentOf,
): Seats {
  let total = 0;
  let isUpperBound = false;
  let maybeReplaced = 0;
  let notCounted = 0;
  for (const license of licenses) {
    const seats = added.get(license) ?? 0;
    const assessment = assessmentOf(license);
    total += seats;
    if (mayHaveSeats(assessment.whyNotCounted)) notCounted += 1;
    if (!assessment.maybeReplaced) continue;

    maybeReplaced += 1;
    if (seats > 0) isUpperBound = true;
  }
  return { total, isUpperBound, maybeReplaced, notCounted };
}
