import { isUnknownFile, type License } from './license.js';
import type { Replacement } from './replacements.js';
import type { Validity } from './validity.js';

/** Why a license is not counted that may be good for users all the same. */
const OPEN_REASONS = ['seatsNotRead', 'seatsNoTerm', 'seatsNoKind', 'seatsNoNumber'] as const;

/**
 * Why the seats of a license are not in the total; but for `noLicense` and `server`, each is the key of a text.
 * `seatsEnded`: it has expired or was replaced. `seatsElsewhere`: the same license is in another file, by which it counts
 * or not.
 */
export type WhyNotCounted =
  'noLicense' | 'server' | 'seatsEnded' | 'seatsElsewhere' | (typeof OPEN_REASONS)[number];

/** @returns undefined for a license that is counted */
export function whyNotCounted(
  license: License,
  validity: Validity,
  replacement: Replacement | undefined,
): WhyNotCounted | undefined {
  const { facts, status } = license;
  if (isUnknownFile(license)) return 'noLicense';
  if (validity === 'expired' || replacement?.how === 'replacedBy') return 'seatsEnded';
  if (replacement) return 'seatsElsewhere';
  if (facts.kind === 'server') return 'server';

  if (status === 'refused') return 'seatsNotRead';
  if (validity === 'unknown') return 'seatsNoTerm';
  if (facts.kind === null) return 'seatsNoKind';
  if (facts.users === null) return 'seatsNoNumber';
  return undefined;
}

/** Whether a row adds a license to the list, and is neither another file of one nor something else. */
export const addsLicense = (reason: WhyNotCounted | undefined): boolean =>
  reason !== 'noLicense' && reason !== 'seatsElsewhere';

/** Whether a license that is not counted may be good for users all the same. */
export const mayHaveSeats = (reason: WhyNotCounted | undefined): boolean =>
  OPEN_REASONS.some((open) => open === reason);
