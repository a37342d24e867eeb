import { daysBetween } from './day.js';
import type { License } from './license.js';
import type { Change } from './sheet.js';
import type { Standings } from './standing.js';

/** Parts of the list, in the order in which they are offered; each name is the key of its text. */
export const TILES = [
  ...(['all', 'expired', 'expiring', 'noTerm', 'clients', 'servers'] as const),
  ...(['changes', 'replaced', 'errors'] as const),
];
export type Tile = (typeof TILES)[number];

export interface TileRules {
  standings: Standings;
  changes: ReadonlyMap<License, Change>;
  /** Days before its end in which a license is said to expire soon. */
  horizon: number;
  today: string;
}

/** The tiles that show a license. What is gone is among the changes only. */
export function tilesOf(license: License, { standings, changes, horizon, today }: TileRules): Set<Tile> {
  const change = changes.get(license);
  if (change?.name === 'gone') return new Set(['changes']);
  const tiles = new Set<Tile>(['all']);
  if (change) tiles.add('changes');
  if (license.isFailed) tiles.add('errors');
  const standing = standings.of.get(license);
  if (standing === 'expired' || standing === 'replaced') tiles.add(standing);
  if (standing !== 'current') return tiles;
  const { validUntil, unlimited, kind } = license.known;
  if (validUntil !== null && daysBetween(today, validUntil) <= horizon) tiles.add('expiring');
  if (validUntil === null && !unlimited) tiles.add('noTerm');
  if (kind !== null) tiles.add(kind === 'client' ? 'clients' : 'servers');
  return tiles;
}

export interface Totals {
  /** How many rows each tile shows. */
  counts: Record<Tile, number>;
  /** For how many users the client licenses are that have neither expired nor been replaced. */
  users: number;
  /** Whether there may be more, because some of these do not say their type or users. */
  isLeast: boolean;
  /** The first day on which some of what expires soon does. */
  next: string | undefined;
}

/** @param tiles those that show each license */
export function totalOf(
  licenses: Iterable<License>,
  tiles: ReadonlyMap<License, ReadonlySet<Tile>>,
  standings: Standings,
): Totals {
  const counts = Object.fromEntries(TILES.map((tile) => [tile, 0])) as Record<Tile, number>;
  const totals: Totals = { counts, users: 0, isLeast: false, next: undefined };
  for (const license of licenses) {
    const its = tiles.get(license) ?? new Set();
    for (const tile of its) counts[tile] += 1;
    if (standings.of.get(license) !== 'current') continue;
    const { kind, users, validUntil } = license.known;
    if (kind === 'client') totals.users += users ?? 0;
    if (kind === null || (kind === 'client' && users === null)) totals.isLeast = true;
    if (its.has('expiring') && validUntil !== null && !(totals.next && totals.next <= validUntil))
      totals.next = validUntil;
  }
  return totals;
}
