import { untracked } from '@preact/signals';
import type { Copy, License } from './license.js';
import type { Comparison, Sheet } from './sheet.js';

export const UNCHANGED: Comparison = { changes: new Map(), matched: new Map() };

/** The licenses of copies, in their order. */
export const licensesOf = (copies: readonly Copy[]): License[] => [
  ...new Set(copies.map(({ license }) => license)),
];

/** Compares what the user gave with the rows of a sheet, once both are there. */
export function compared(licenses: readonly License[], sheet: Sheet | undefined): Comparison {
  const given = licenses.filter(({ isGiven }) => isGiven);
  const rows = licenses.filter(({ isGiven }) => !isGiven);
  if (!sheet || given.length === 0) return UNCHANGED;
  return untracked(() => sheet.compare(given, rows, sheet.isPartial));
}

/** How many rows of a sheet are here, and whether it or the list looks like a part. */
export function overlapOf({ changes, matched }: Comparison) {
  const count = (name: string) => [...changes.values()].filter((change) => change.name === name).length;
  const licenses = new Set([...matched.values()].flat());
  return {
    here: matched.size,
    isMostGone: count('gone') > matched.size,
    isMostNew: count('new') > licenses.size,
  };
}

/** A comparison without what has left the list, of which nothing may be kept. */
export function stillIn(licenses: readonly License[], comparison: Comparison): Comparison {
  const there = new Set(licenses);
  const isThere = ([license]: readonly [License, unknown]) => there.has(license);
  const matches = [...comparison.matched];
  if (
    [...comparison.changes].every(isThere) &&
    matches.every(([row, same]) => [row, ...same].every((license) => there.has(license)))
  )
    return comparison;
  return {
    changes: new Map([...comparison.changes].filter(isThere)),
    matched: new Map(
      matches.filter(isThere).map(([row, same]) => [row, same.filter((license) => there.has(license))]),
    ),
  };
}
