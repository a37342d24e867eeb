import { numberOf, pinOf, type Known } from './facts.js';
import { groupBy } from './group-by.js';
import type { License } from './license.js';
import { pathOf } from './state.js';

/** What can differ, in the order in which changes are shown. What else a file holds is no change. */
export const DIFFERENCES = ['validUntil', 'users', 'computer', 'pin'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** What became of a license since the day of the sheet. */
export type Change =
  { name: 'new' | 'gone' } | { name: 'changed'; before: License; differences: readonly Difference[] };

type Licenses = readonly License[];

/** Licenses of today and rows of the sheet that are all the same license; at least one of each. */
interface Match {
  readonly licenses: Licenses;
  readonly rows: Licenses;
}

export interface Comparison {
  /** By the ids of the licenses of today, and of those that are gone. */
  readonly changes: ReadonlyMap<number, Change>;
  /** No license and no row is in two of them. */
  readonly matches: readonly Match[];
}

/** Finds out which licenses are the same as which rows, among those for which no earlier rule has. */
type Rule = (licenses: Licenses, rows: Licenses) => Match[];

const RULES: readonly Rule[] = [haveSameBytes, haveSamePin, namesPinBefore, areAtSamePath];

/** Compares licenses with those of a sheet. The first rule that fits tells which are the same. */
export function compare(licenses: Licenses, ofSheet: Licenses): Comparison {
  const matches: Match[] = [];
  let newLicenses = licenses;
  let goneRows = ofSheet;
  for (const rule of RULES) {
    const found = rule(newLicenses, goneRows);
    matches.push(...found);
    newLicenses = without(newLicenses, found);
    goneRows = without(goneRows, found);
  }

  const changes = new Map<number, Change>();
  for (const { id } of newLicenses) changes.set(id, { name: 'new' });
  for (const { id } of goneRows) changes.set(id, { name: 'gone' });
  for (const match of matches) {
    for (const license of match.licenses) {
      const change = changeSince(match.rows[0], license);
      if (change) changes.set(license.id, change);
    }
  }
  return { changes, matches };
}

/** The ids of the rows of the sheet that are the same license as some in `ids`, and as none outside. */
export function rowsOnlyOf(ids: ReadonlySet<number>, { matches }: Comparison): number[] {
  const inside = matches.filter(({ licenses }) => licenses.every(({ id }) => ids.has(id)));
  return inside.flatMap(({ rows }) => rows.map(({ id }) => id));
}

function without(licenses: Licenses, matches: readonly Match[]): Licenses {
  const matched = new Set(matches.flatMap(({ licenses, rows }) => [...licenses, ...rows]));
  return licenses.filter((license) => !matched.has(license));
}

function haveSameBytes(licenses: Licenses, rows: Licenses): Match[] {
  const bytes = ({ fingerprint }: License) => fingerprint;
  return matchesByKey(licenses, bytes, rows, bytes);
}

function haveSamePin(licenses: Licenses, rows: Licenses): Match[] {
  return matchesByKey(licenses, pinOfLicense, rows, pinOfLicense);
}

/** The PIN code of the row is the one before that of the license. */
function namesPinBefore(licenses: Licenses, rows: Licenses): Match[] {
  return matchesByKey(licenses, ({ known }) => known.previousPin, rows, pinOfLicense);
}

const pinOfLicense = ({ known }: License) => pinOf(known);

type KeyOf = (license: License) => string | null;

function matchesByKey(licenses: Licenses, keyOf: KeyOf, rows: Licenses, keyOfRow: KeyOf): Match[] {
  const rowsByKey = groupBy(rows, keyOfRow);
  const matches: Match[] = [];
  for (const [key, licensesOfKey] of groupBy(licenses, keyOf)) {
    const rowsOfKey = rowsByKey.get(key);
    if (rowsOfKey) matches.push({ licenses: licensesOfKey, rows: rowsOfKey });
  }
  return matches;
}

/** They are at the same path, no others are, and neither PIN code nor registration number differs. */
function areAtSamePath(licenses: Licenses, rows: Licenses): Match[] {
  const rowsByPath = byUniquePath(rows);
  const matched = new Set<License>();
  const matches: Match[] = [];
  for (const [path, license] of byUniquePath(licenses)) {
    const row = rowsByPath.get(path);
    if (!row || !canBeTheSame(license.known, row.known)) continue;

    // Each may have several paths.
    const isMatched = matched.has(license) || matched.has(row);
    if (isMatched) continue;
    matches.push({ licenses: [license], rows: [row] });
    matched.add(license);
    matched.add(row);
  }
  return matches;
}

/** The licenses at paths with a folder that no other one has. Any server may have a path without a folder. */
function byUniquePath(licenses: Licenses): Map<string, License> {
  const byPath = new Map<string, License>();
  const sharedPaths = new Set<string>();
  for (const license of licenses) {
    for (const place of license.places) {
      if (place.folder === '') continue;

      // As macOS and Windows write it alike.
      const path = pathOf(place).normalize('NFC');
      const other = byPath.get(path);
      if (other && other !== license) sharedPaths.add(path);
      byPath.set(path, license);
    }
  }

  for (const path of sharedPaths) byPath.delete(path);
  return byPath;
}

const canBeTheSame = (now: Known, then: Known) =>
  !differs(pinOf(now), pinOf(then)) && !differs(numberIn(now), numberIn(then));

const numberIn = ({ registrationNumber }: Known) =>
  registrationNumber === null ? null : numberOf(registrationNumber);

/** Whether both are known and not the same. */
const differs = <Fact>(now: Fact | null, then: Fact | null) => now !== null && then !== null && now !== then;

function changeSince(before: License | undefined, license: License): Change | undefined {
  if (!before) return undefined;
  // Of the same bytes only the sheet can be wrong.
  const haveSameBytes = license.fingerprint !== null && license.fingerprint === before.fingerprint;
  if (haveSameBytes) return undefined;

  const now = license.known;
  const then = before.known;
  const isDifferent: Record<Difference, boolean> = {
    validUntil: differs(termOf(now), termOf(then)),
    users: differs(now.users, then.users),
    computer: differs(now.computer, then.computer),
    pin: differs(pinOf(now), pinOf(then)),
  };
  const differences = DIFFERENCES.filter((name) => isDifferent[name]);
  return differences.length > 0 ? { name: 'changed', before, differences } : undefined;
}

const termOf = ({ validUntil, unlimited }: Known) => validUntil ?? (unlimited ? 'unlimited' : null);
