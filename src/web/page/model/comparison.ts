import { numberOf, pinOf, type Known } from './facts.js';
import { groupBy } from './group-by.js';
import type { License } from './license.js';
import { pathOf } from './place.js';

/** What can differ, in the order in which changes are shown. What else a file holds is no change. */
export const DIFFERENCES = ['validUntil', 'users', 'computer', 'pin'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** What became of a license since the day of the sheet. */
export type Change =
  { name: 'new' | 'gone' } | { name: 'changed'; before: License; differences: readonly Difference[] };

export interface Comparison {
  /** By the ids of the licenses of today, and of those that are gone. */
  readonly changes: ReadonlyMap<number, Change>;
  /** The rows of the sheet that are the same license, by the id of the license of today. */
  readonly rowsOf: ReadonlyMap<number, readonly License[]>;
}

type Licenses = readonly License[];
type KeysOf = (license: License) => readonly (string | null)[];

/**
 * Compares licenses with those of a sheet. A row of the sheet is the same license, by the first of these rules that fits:
 *
 * 1. It has the same bytes.
 * 2. It has the same PIN code.
 * 3. Its PIN code is the one before that of the license.
 * 4. It is at the same path with a folder, no other one has this path on either side, and neither PIN code nor
 *    registration number differs.
 */
export function compare(licenses: Licenses, ofSheet: Licenses): Comparison {
  const pairs = new Pairs(licenses, ofSheet);
  pairs.matchAllWith(({ fingerprint }) => [fingerprint]);
  const ofSameBytes = new Set(pairs.rowsOf.keys());
  pairs.matchAllWith(({ known }) => [pinOf(known)]);
  pairs.matchAllWith(
    ({ known }) => [known.previousPin],
    ({ known }) => [pinOf(known)],
  );
  pairs.matchUniqueAt(pathsInFolders);

  const changes = new Map<number, Change>();
  for (const row of pairs.freeRows()) changes.set(row.id, { name: 'gone' });
  for (const license of licenses) {
    const before = pairs.rowsOf.get(license.id)?.[0];
    if (!before) {
      changes.set(license.id, { name: 'new' });
      continue;
    }
    // Of the same bytes only the sheet can be wrong.
    const differences = ofSameBytes.has(license.id) ? [] : differencesOf(license.known, before.known);
    if (differences.length > 0) changes.set(license.id, { name: 'changed', before, differences });
  }
  return { changes, rowsOf: pairs.rowsOf };
}

/** The ids of the rows of the sheet that match only licenses in `ids`, and none outside. */
export function rowsOnlyOf(ids: ReadonlySet<number>, { rowsOf }: Comparison): ReadonlySet<number> {
  const rows = new Set<number>();
  const rowsOfOthers = new Set<Licenses>();
  for (const [id, rowsOfLicense] of rowsOf) {
    if (!ids.has(id)) {
      // Licenses of one key share their rows, so the set holds these once.
      rowsOfOthers.add(rowsOfLicense);
      continue;
    }
    for (const row of rowsOfLicense) rows.add(row.id);
  }

  for (const rowsOfOther of rowsOfOthers) {
    for (const row of rowsOfOther) rows.delete(row.id);
  }
  return rows;
}

/** The licenses of two days, and which of them are the same ones. */
class Pairs {
  readonly rowsOf = new Map<number, Licenses>();
  private readonly matchedRows = new Set<License>();

  constructor(
    private readonly licenses: Licenses,
    private readonly rows: Licenses,
  ) {}

  freeRows(): Licenses {
    return this.rows.filter((row) => !this.matchedRows.has(row));
  }

  /** Of what is left, all licenses and rows of one key are the same license. */
  matchAllWith(keysOf: KeysOf, rowKeysOf = keysOf): void {
    const rowsByKey = groupBy(this.freeRows(), rowKeysOf);
    const licensesByKey = groupBy(this.freeLicenses(), keysOf);
    for (const [key, licenses] of licensesByKey) {
      const rows = rowsByKey.get(key);
      if (rows) this.match(licenses, rows);
    }
  }

  /** Of what is left, a license and a row are the same one if only these two have the key and nothing speaks against it. */
  matchUniqueAt(keysOf: KeysOf): void {
    const rowsByKey = groupBy(this.freeRows(), keysOf);
    const licensesByKey = groupBy(this.freeLicenses(), keysOf);
    for (const [key, licenses] of licensesByKey) {
      const rows = rowsByKey.get(key) ?? [];
      const [license] = licenses;
      const [row] = rows;
      if (!license || !row || licenses.length > 1 || rows.length > 1) continue;

      // One of its other keys has matched it already.
      const isFree = !this.rowsOf.has(license.id) && !this.matchedRows.has(row);
      if (isFree && canBeTheSame(license.known, row.known)) this.match([license], [row]);
    }
  }

  private freeLicenses(): Licenses {
    return this.licenses.filter(({ id }) => !this.rowsOf.has(id));
  }

  private match(licenses: Licenses, rows: Licenses): void {
    for (const { id } of licenses) this.rowsOf.set(id, rows);
    for (const row of rows) this.matchedRows.add(row);
  }
}

const numberIn = ({ registrationNumber }: Known) =>
  registrationNumber === null ? null : numberOf(registrationNumber);
const expiryOf = ({ validUntil, unlimited }: Known) => validUntil ?? (unlimited ? 'unlimited' : null);

/** As macOS and Windows write them alike. */
const pathsInFolders = ({ places }: License) =>
  places.filter(({ folder }) => folder !== '').map((place) => pathOf(place).normalize('NFC'));

const canBeTheSame = (now: Known, then: Known) =>
  !differs(pinOf(now), pinOf(then)) && !differs(numberIn(now), numberIn(then));

/** Whether both are known and not the same. */
const differs = <Fact>(now: Fact | null, then: Fact | null) => now !== null && then !== null && now !== then;

function differencesOf(now: Known, then: Known): Difference[] {
  const isDifferent: Record<Difference, boolean> = {
    validUntil: differs(expiryOf(now), expiryOf(then)),
    users: differs(now.users, then.users),
    computer: differs(now.computer, then.computer),
    pin: differs(pinOf(now), pinOf(then)),
  };
  return DIFFERENCES.filter((name) => isDifferent[name]);
}
