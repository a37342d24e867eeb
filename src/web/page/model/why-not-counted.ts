import { isUnknownFile, type License } from './license.js';
import type { Replacement } from './replacements.js';
import type { Validity } from './validity.js';

/** Why a license is not counted that may be good for users; each is the key of its text. */
const DOUBTS = ['seatsNotRead', 'seatsNoTerm', 'seatsNoKind', 'seatsNoNumber'] as const;
type Doubt = (typeof DOUBTS)[number];

/**
 * Why the seats of a license are not in the total. `ended`: it has expired or was replaced. `duplicate`: another file with
 * the same license is counted.
 */
export type WhyNotCounted = 'noLicense' | 'duplicate' | 'ended' | 'server' | Doubt;

/** @returns undefined for a license that is counted */
export function whyNotCounted(
  license: License,
  validity: Validity,
  replacement: Replacement | undefined,
): WhyNotCounted | undefined {
  const { facts, status } = license;
  if (isUnknownFile(license)) return 'noLicense';
  if (validity === 'expired' || replacement?.how === 'replacedBy') return 'ended';
  if (replacement) return 'duplicate';
  if (facts.kind === 'server') return 'server';

  if (status === 'refused') return 'seatsNotRead';
  if (validity === 'unknown') return 'seatsNoTerm';
  if (facts.kind === null) return 'seatsNoKind';
  if (facts.users === null) return 'seatsNoNumber';
  return undefined;
}

/** The reason if the license may be good for users all the same. */
export const doubtOf = (reason: WhyNotCounted | undefined): Doubt | undefined =>
  DOUBTS.find((doubt) => doubt === reason);
