import { isUnknownFile, type License } from './license.js';
import type { Validity } from './validity.js';

/** Why a license is not counted that may be good for users; each is the key of its text. */
const REASONS = ['seatsNotRead', 'seatsNoTerm', 'seatsNoKind', 'seatsNoNumber'] as const;
export type NotCounted = (typeof REASONS)[number];

/** How a license stands to the total of seats today. `ended`: it has expired or was replaced. */
export type SeatStatus = 'counted' | 'server' | 'ended' | 'noLicense' | NotCounted;

export function seatStatusOf(license: License, validity: Validity): SeatStatus {
  const { facts, cannotBeRead } = license;
  if (isUnknownFile(license)) return 'noLicense';
  if (validity === 'expired' || validity === 'replaced') return 'ended';
  if (facts.kind === 'server') return 'server';

  if (cannotBeRead) return 'seatsNotRead';
  if (validity === 'unknown') return 'seatsNoTerm';
  if (facts.kind === null) return 'seatsNoKind';
  if (facts.users === null) return 'seatsNoNumber';
  return 'counted';
}

/** Why a license is not counted that may be good for users; undefined for others. */
export const whyNotCounted = (status: SeatStatus): NotCounted | undefined =>
  REASONS.find((reason) => reason === status);
