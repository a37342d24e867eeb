import { digitsOf, numberOf } from './facts.js';
import { groupBy } from './group-by.js';
import type { License } from './license.js';
import { movedOf } from './moves.js';
import { pathOf } from './place.js';
import { DIFFERENCES, type Change, type Difference, type Matches } from './sheet.js';

type Licenses = readonly License[];
type KeysOf = (license: License) => readonly (string | null)[];

/** Of so many rows or licenses that could be the same one is chosen; thousands of each would take seconds. */
const MAX_CHOICE = 20;

/** Parts of a path by which a file is found again, the more the surer. */
const TAILS = [3, 2, 1];

/**
 * Compares licenses with the rows of a list of another day. Rules in the order of what they prove: the bytes, the PIN
 * code, the PIN code before it; then what the texts say, where no PIN code and no registration number speaks against it.
 */
export function compare(licenses: Licenses, rows: Licenses): Matches {
  const match = new Match(licenses, rows);
  match.byGroups(({ fingerprint }) => [fingerprint]);
  const ofSameBytes = new Set(match.rowsOf.keys());
  match.byGroups(pinOf);
  const moved = movedOf(match.rowsOf);
  match.byGroups(({ known }) => [known.previousPin], pinOf);
  // A column that the list lacks cannot tell licenses apart.
  const facts = [...KIT, 'term', 'users'].filter((name) => rows.some((row) => factOf(row, name) !== null));
  match.byPairs((license) => (facts.length > 1 ? [factsOf(license, facts)] : []), false);
  for (const length of TAILS)
    match.byPairs(({ places }) =>
      places.value.map((place) => pathOf(place).normalize('NFC').split('/').slice(-length).join('/')),
    );
  for (const kit of [KIT, ['registrationNumber', 'product']])
    match.byPairs((license) => [license.known.registrationNumber && factsOf(license, kit)]);

  const changes = new Map<License, Change>();
  for (const row of match.freeRows) changes.set(row, { name: 'gone' });
  for (const license of match.freeLicenses) changes.set(license, { name: 'new' });
  for (const [license, before] of match.before) {
    // Of the same bytes only the list can be wrong.
    const differences = differencesOf(license, before).filter(
      (name) => name === 'pin' || !ofSameBytes.has(license),
    );
    if (moved.has(license)) differences.push('folder');
    if (differences.length > 0) changes.set(license, { name: 'changed', before, differences });
  }
  return { changes, rowsOf: match.rowsOf };
}

const KIT = ['registrationNumber', 'product', 'computer'];

const pinOf = ({ known }: License) => [known.pin && digitsOf(known.pin)];

function factOf({ known }: License, name: string): string | number | null {
  if (name === 'term') return known.validUntil ?? (known.unlimited ? 'unlimited' : null);
  if (name === 'pin') return known.pin && digitsOf(known.pin);
  if (name === 'registrationNumber') return known.registrationNumber && numberOf(known.registrationNumber);
  return known[name as 'users' | 'computer' | 'product'];
}

/** As a key; null when nothing of it is known. */
function factsOf(license: License, names: readonly string[]): string | null {
  const facts = names.map((name) => factOf(license, name));
  return facts.some((fact) => fact !== null) ? JSON.stringify(facts) : null;
}

/** What is known of both and not the same. */
const differencesOf = (license: License, before: License): Difference[] =>
  DIFFERENCES.filter(
    (name) => name !== 'folder' && differs(license, before, name === 'validUntil' ? 'term' : name),
  );

function differs(license: License, row: License, name: string): boolean {
  const [now, then] = [factOf(license, name), factOf(row, name)];
  return now !== null && then !== null && now !== then;
}

const canBeOne = (license: License, row: License) =>
  !differs(license, row, 'pin') && !differs(license, row, 'registrationNumber');

class Match {
  /** The rows that each license was that day, and of them the most alike. */
  readonly rowsOf = new Map<License, Licenses>();
  readonly before = new Map<License, License>();
  private readonly matched = new Set<License>();

  constructor(
    private readonly licenses: Licenses,
    private readonly rows: Licenses,
  ) {}

  get freeLicenses(): Licenses {
    return this.licenses.filter((license) => !this.before.has(license));
  }

  get freeRows(): Licenses {
    return this.rows.filter((row) => !this.matched.has(row));
  }

  /** All licenses and rows of one key are the same license. */
  byGroups(keysOf: KeysOf, rowKeysOf = keysOf): void {
    for (const [licenses, rows] of this.open(keysOf, rowKeysOf)) {
      for (const license of licenses) {
        const counts = rows.slice(0, MAX_CHOICE).map((row) => differencesOf(license, row).length);
        const alike = rows[counts.indexOf(Math.min(...counts))];
        if (alike) this.match(license, alike, rows);
      }
    }
  }

  /** Pairs a license and a row of one key; where it must be unique, only if no others have it. */
  byPairs(keysOf: KeysOf, isUnique = true): void {
    for (const [licenses, rows] of this.open(keysOf)) {
      if (isUnique && rows.length * licenses.length !== 1) continue;
      const free = licenses.filter((license) => !this.before.has(license));
      for (const row of rows) {
        const license = free.slice(0, MAX_CHOICE).find((other) => canBeOne(other, row));
        if (!license || this.matched.has(row)) continue;
        free.splice(free.indexOf(license), 1);
        this.match(license, row, [row]);
      }
    }
  }

  private match(license: License, before: License, rows: Licenses): void {
    this.before.set(license, before);
    // Once for all licenses that have the same rows.
    if (!this.matched.has(before)) for (const row of rows) this.matched.add(row);
    this.rowsOf.set(license, rows);
  }

  /** What is left and has a key that both sides have. */
  private open(keysOf: KeysOf, rowKeysOf = keysOf): [Licenses, Licenses][] {
    const now = groupBy(this.freeLicenses, keysOf);
    return [...groupBy(this.freeRows, rowKeysOf)].flatMap(([key, rows]) => {
      const licenses = now.get(key);
      return licenses ? [[licenses, rows]] : [];
    });
  }
}
