import type { Change } from './comparison.js';
import { daysBetween } from './day.js';
import type { License } from './license.js';
import type { Standings } from './standing.js';

/** Parts of the list, in the order in which they are offered; each name is the key of its text. */
export const TILES = [
  'all',
  'expired',
  'expiring',
  'noTerm',
  'clients',
  'servers',
  'noUsers',
  'changes',
  'replaced',
  'errors',
] as const;
export type Tile = (typeof TILES)[number];

/** Days before its end in which a license asks for attention. */
export const URGENT_DAYS = 30;

export interface TileRules {
  standings: Standings;
  /** By the ids of licenses. */
  changes: ReadonlyMap<number, Change>;
  /** Days before its end in which a license is said to expire soon. */
  horizon: number;
  /** YYYY-MM-DD */
  today: string;
}

/** The tiles that show a license. What is gone is among the changes only. */
export function tilesOf(license: License, rules: TileRules): ReadonlySet<Tile> {
  const change = rules.changes.get(license.id);
  if (change?.name === 'gone') return new Set(['changes']);

  const tiles = new Set<Tile>(['all']);
  if (change) tiles.add('changes');
  if (license.isFailed) tiles.add('errors');
  const standing = rules.standings.of.get(license);
  if (standing === 'expired' || standing === 'replaced') tiles.add(standing);
  if (standing === 'current') for (const tile of currentTilesOf(license, rules)) tiles.add(tile);
  return tiles;
}

/** The tiles for what is good for something. */
function currentTilesOf({ known }: License, { horizon, today }: TileRules): Tile[] {
  const { validUntil, unlimited, kind, users } = known;
  const tiles: Tile[] = [];
  if (validUntil !== null && daysBetween(today, validUntil) <= horizon) tiles.push('expiring');
  if (validUntil === null && !unlimited) tiles.push('noTerm');
  if (kind === 'client') tiles.push('clients');
  if (kind === 'server') tiles.push('servers');
  if (kind === null || (kind === 'client' && users === null)) tiles.push('noUsers');
  return tiles;
}

export interface Totals {
  /** How many rows each tile shows. */
  counts: Record<Tile, number>;
  /** For how many users the client licenses are that have neither expired nor been replaced, and say so. */
  users: number;
  /** How many expire in the days in which they ask for attention. */
  urgent: number;
  /** The first day on which some of what expires soon does. */
  next: string | undefined;
}

/** @param tiles those that show each license */
export function totalOf(
  licenses: Iterable<License>,
  tiles: ReadonlyMap<License, ReadonlySet<Tile>>,
  today: string,
): Totals {
  const counts = Object.fromEntries(TILES.map((tile) => [tile, 0])) as Record<Tile, number>;
  const totals: Totals = { counts, users: 0, urgent: 0, next: undefined };
  for (const license of licenses) {
    const its = tiles.get(license) ?? new Set();
    for (const tile of its) counts[tile] += 1;

    const { users, validUntil } = license.known;
    if (its.has('clients')) totals.users += users ?? 0;
    if (!its.has('expiring') || validUntil === null) continue;
    if (daysBetween(today, validUntil) <= URGENT_DAYS) totals.urgent += 1;
    if (!totals.next || validUntil < totals.next) totals.next = validUntil;
  }
  return totals;
}
