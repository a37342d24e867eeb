import { numberOf, pinOf, type Known } from './facts.js';
import { groupBy } from './group-by.js';
import type { License } from './license.js';
import { pathOf } from './state.js';

/** What can differ, in the order in which changes are shown. What else a file holds is no change. */
export const DIFFERENCES = ['validUntil', 'users', 'computer', 'pin'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** What became of a license since the day of the sheet. */
export type Change = { name: 'new' } | { name: 'gone' } | Changed;

interface Changed {
  name: 'changed';
  before: License;
  differences: readonly Difference[];
}

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

/** Finds licenses and rows that are the same, among those that no earlier rule has matched. */
type Rule = (licenses: Licenses, rows: Licenses) => Match[];

const bytesOf: KeyOf = ({ fingerprint }) => fingerprint;
const pinOfLicense: KeyOf = ({ known }) => pinOf(known);
const previousPinOf: KeyOf = ({ known }) => known.previousPin;

const RULES: readonly Rule[] = [
  (licenses, rows) => matchByKey(licenses, bytesOf, rows, bytesOf),
  (licenses, rows) => matchByKey(licenses, pinOfLicense, rows, pinOfLicense),
  (licenses, rows) => matchByKey(licenses, previousPinOf, rows, pinOfLicense),
  matchByPath,
];

/** Compares licenses with those of a sheet. */
export function compare(licenses: Licenses, ofSheet: Licenses): Comparison {
  const matches: Match[] = [];
  let newLicenses = licenses;
  let goneRows = ofSheet;
  for (const rule of RULES) {
    const found = rule(newLicenses, goneRows);
    const both = found.flatMap((match) => [...match.licenses, ...match.rows]);
    const matched = new Set(both);
    newLicenses = newLicenses.filter((license) => !matched.has(license));
    goneRows = goneRows.filter((row) => !matched.has(row));
    matches.push(...found);
  }

  const changes = new Map<number, Change>();
  for (const { id } of newLicenses) changes.set(id, { name: 'new' });
  for (const { id } of goneRows) changes.set(id, { name: 'gone' });
  for (const { licenses, rows } of matches) {
    for (const license of licenses) {
      const change = changeSince(rows[0], license);
      if (change) changes.set(license.id, change);
    }
  }
  return { changes, matches };
}

/** The ids of the rows of the sheet that are the same license as some in `ids`, and as none outside. */
export function rowsOnlyOf(ids: ReadonlySet<number>, { matches }: Comparison): number[] {
  const isInside = ({ id }: License) => ids.has(id);
  const inside = matches.filter(({ licenses }) => licenses.every(isInside));
  const rows = inside.flatMap((match) => match.rows);
  return rows.map(({ id }) => id);
}

type KeyOf = (license: License) => string | null;

/** All licenses and rows with the same key are the same license. */
function matchByKey(licenses: Licenses, keyOf: KeyOf, rows: Licenses, keyOfRow: KeyOf): Match[] {
  const licensesByKey = groupBy(licenses, keyOf);
  const rowsByKey = groupBy(rows, keyOfRow);
  const matches: Match[] = [];
  for (const [key, licensesOfKey] of licensesByKey) {
    const rowsOfKey = rowsByKey.get(key);
    if (rowsOfKey) matches.push({ licenses: licensesOfKey, rows: rowsOfKey });
  }
  return matches;
}

/** A license and a row are the same if they alone are at a path, and neither PIN code nor registration number differs. */
function matchByPath(licenses: Licenses, rows: Licenses): Match[] {
  const rowsByPath = byUniquePath(rows);
  const matched = new Set<License>();
  const matches: Match[] = [];
  for (const [path, license] of byUniquePath(licenses)) {
    const row = rowsByPath.get(path);
    if (!row || !canBeTheSame(license.known, row.known)) continue;

    // Each may have several paths.
    if (matched.has(license) || matched.has(row)) continue;
    matched.add(license).add(row);
    matches.push({ licenses: [license], rows: [row] });
  }
  return matches;
}

/** The licenses at paths that no other one has. A path without a folder tells nothing: any server may have it. */
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

type Fact = string | number | null;

function canBeTheSame(now: Known, then: Known): boolean {
  if (differs(pinOf(now), pinOf(then))) return false;
  return !differs(numberIn(now), numberIn(then));
}

function numberIn({ registrationNumber }: Known): string | null {
  if (registrationNumber === null) return null;
  return numberOf(registrationNumber);
}

/** Whether both are known and not the same. */
function differs(now: Fact, then: Fact): boolean {
  if (now === null || then === null) return false;
  return now !== then;
}

const COMPARED: Record<Difference, (known: Known) => Fact> = {
  validUntil: ({ validUntil, unlimited }) => validUntil ?? (unlimited ? 'unlimited' : null),
  users: ({ users }) => users,
  computer: ({ computer }) => computer,
  pin: pinOf,
};

function changeSince(before: License | undefined, license: License): Change | undefined {
  // Of the same bytes only the sheet can be wrong.
  if (!before || before.fingerprint === license.fingerprint) return undefined;

  const differences = DIFFERENCES.filter((name) => {
    const factOf = COMPARED[name];
    return differs(factOf(license.known), factOf(before.known));
  });
  if (differences.length === 0) return undefined;
  return { name: 'changed', before, differences };
}
