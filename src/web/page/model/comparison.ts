import { digitsOf, numberOf } from './facts.js';
import { groupBy } from './group-by.js';
import { pathOf, type License } from './license.js';
import { movedOf } from './moves.js';
import { DIFFERENCES, type Change, type Comparison, type Difference } from './sheet.js';

type Licenses = readonly License[];
type KeysOf = (license: License) => readonly (string | null)[];

/** Of so many rows or licenses that could be the same one is chosen; thousands of each would take seconds. */
const MAX_CHOICE = 20;

/** Parts of a path by which a file is found again, the more the surer. */
const TAILS = [3, 2, 1];

/**
 * Compares licenses with the rows of a list of another day. Rules in the order of what they prove: the bytes, the PIN
 * code, the PIN code before it; then what the texts say, where no PIN code and no registration number speaks against it.
 * @param isPartial whether the list may lack licenses of that day
 */
export function compare(licenses: Licenses, rows: Licenses, isPartial: boolean): Comparison {
  const match = new Match(licenses, rows);
  match.byGroups(({ fingerprint }) => [fingerprint], true);
  match.byGroups(pinOf);
  match.byGroups(({ known }) => [known.previousPin], false, pinOf);
  // A column that the list lacks cannot tell licenses apart.
  const facts = [...KIT, 'term', 'users'].filter((name) => rows.some((row) => factOf(row, name) !== null));
  const factKeys: KeysOf = (license) => (facts.length > 1 ? [factsOf(license, facts)] : []);
  match.byPairs(factKeys, false);
  for (const length of TAILS)
    match.byPairs(({ places }) =>
      places.value.map((place) => pathOf(place).normalize('NFC').split('/').slice(-length).join('/')),
    );
  for (const kit of [KIT, ['registrationNumber', 'product']])
    match.byPairs((license) => [license.known.registrationNumber && factsOf(license, kit)]);

  const moved = movedOf(match.sure);
  const changes = new Map<License, Change>();
  for (const row of rows) if (!match.matched.has(row)) changes.set(row, { name: 'gone' });
  for (const license of licenses) {
    const before = match.before.get(license);
    if (before === undefined) {
      if (!isPartial) changes.set(license, { name: 'new' });
    } else {
      // Of the same bytes only the list can be wrong.
      const differences = differencesOf(license, before).filter(
        (name) => name === 'pin' || !match.same.has(license),
      );
      if (moved.has(license)) differences.push('folder');
      if (differences.length > 0) changes.set(license, { name: 'changed', before, differences });
    }
  }
  return { changes, matched: match.matched };
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
  readonly matched = new Map<License, License[]>();
  /** What each license was that day. */
  readonly before = new Map<License, License>();
  /** Those of which not a byte has changed. */
  readonly same = new Set<License>();
  /** The rows of the same bytes or PIN code. */
  readonly sure = new Map<License, readonly License[]>();

  constructor(
    private readonly licenses: Licenses,
    private readonly rows: Licenses,
  ) {}

  /** All licenses and rows of one key are the same license. Of several rows each license is compared with the most alike. */
  byGroups(keysOf: KeysOf, isSame = false, rowKeysOf = keysOf): void {
    const [now, then] = this.open(keysOf, rowKeysOf);
    for (const [key, rows] of then) {
      const licenses = now.get(key) ?? [];
      for (const license of licenses) {
        const counts = rows.slice(0, MAX_CHOICE).map((row) => differencesOf(license, row).length);
        const alike = rows[counts.indexOf(Math.min(...counts))];
        if (alike) this.before.set(license, alike);
        if (isSame) this.same.add(license);
        if (rowKeysOf === keysOf) this.sure.set(license, rows);
      }
      if (licenses.length > 0) for (const row of rows) this.matched.set(row, licenses);
    }
  }

  /** Pairs a license and a row of one key; where it must be unique, only if no others have it. */
  byPairs(keysOf: KeysOf, isUnique = true): void {
    const [now, then] = this.open(keysOf);
    for (const [key, rows] of then) {
      const licenses = now.get(key) ?? [];
      if (isUnique && rows.length * licenses.length !== 1) continue;
      const free = licenses.filter((license) => !this.before.has(license));
      for (const row of rows) {
        const license = free.slice(0, MAX_CHOICE).find((other) => canBeOne(other, row));
        if (!license || this.matched.has(row)) continue;
        free.splice(free.indexOf(license), 1);
        this.before.set(license, row);
        this.matched.set(row, [license]);
      }
    }
  }

  /** What is left, by key. */
  private open(keysOf: KeysOf, rowKeysOf = keysOf): [Map<string, License[]>, Map<string, License[]>] {
    return [
      groupBy(
        this.licenses.filter((license) => !this.before.has(license)),
        keysOf,
      ),
      groupBy(
        this.rows.filter((row) => !this.matched.has(row)),
        rowKeysOf,
      ),
    ];
  }
}
