import type { AssessmentOf } from './assessment.js';
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

/** Adds up the seats of some licenses. */
export function seatsOf(licenses: readonly License[], assessmentOf: AssessmentOf): Seats {
  let total = 0;
  let isUpperBound = false;
  let maybeReplaced = 0;
  let notCounted = 0;
  for (const license of licenses) {
    const assessment = assessmentOf(license);
    total += assessment.addedSeats;
    if (mayHaveSeats(assessment.whyNotCounted)) notCounted += 1;
    if (!assessment.maybeReplaced) continue;

    maybeReplaced += 1;
    if (assessment.addedSeats > 0) isUpperBound = true;
  }
  return { total, isUpperBound, maybeReplaced, notCounted };
}
