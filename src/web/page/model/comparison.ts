import { licenseOf, pathOf, type Item } from './item.js';
import type { License } from './license.js';
import { DIFFERENCES, type Change, type Comparison } from './sheet.js';

type Key = string | null | undefined;
type KeyOf = (item: Item) => Key;

/** Compares files with the rows of a list of another day. */
export function compare(files: readonly Item[], rows: readonly Item[], isPartial: boolean): Comparison {
  const path = pathsOf(files, rows);
  const found = match(files, rows, path);
  const changes = new Map<Item, Change>();
  const old = new Map(Array.from(found, ([row, file]) => [file, row]));
  for (const file of files) {
    const before = old.get(file);
    const differences = before ? DIFFERENCES.filter((name) => differ[name](file, before, path)) : [];
    if (!before) changes.set(file, { name: isPartial ? 'unlisted' : 'new' });
    else if (differences.length > 0) changes.set(file, { name: 'changed', before, differences });
  }
  for (const row of rows) if (!found.has(row)) changes.set(row, { name: 'gone' });
  return { changes, found };
}

const fingerprint: KeyOf = ({ content }) => content.fingerprint;

function match(files: readonly Item[], rows: readonly Item[], path: KeyOf): Map<Item, Item> {
  const found = new Map<Item, Item>();
  const matched = new Set<Item>();
  const together =
    (...keys: KeyOf[]): KeyOf =>
    (item) => {
      const values = keys.map((key) => key(item));
      return values.every(Boolean) ? values.join('\n') : null;
    };
  const numberAndComputer = together(
    (item) => licenseOf(item).registrationNumber,
    (item) => licenseOf(item).computer,
  );
  const ways: KeyOf[] = [
    // Of several copies each is found at its own place.
    together(fingerprint, path),
    fingerprint,
    path,
    (item) => licenseOf(item).pin?.replaceAll('-', ''),
    onlyUnique(onlyUnique(numberAndComputer, files), rows),
  ];
  for (const keyOf of ways) {
    const open = byKey(
      rows.filter((row) => !found.has(row)),
      keyOf,
    );
    for (const file of files) {
      if (matched.has(file)) continue;
      const row = open.get(keyOf(file) ?? '')?.shift();
      if (!row) continue;
      found.set(row, file);
      matched.add(file);
    }
  }
  return found;
}

/** Keys that at most one of the items has. */
function onlyUnique(keyOf: KeyOf, items: readonly Item[]): KeyOf {
  const groups = byKey(items, keyOf);
  return (item) => {
    const key = keyOf(item);
    return (groups.get(key ?? '')?.length ?? 0) > 1 ? null : key;
  };
}

function byKey(items: readonly Item[], keyOf: KeyOf): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (!key) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const rootOf = ({ folder }: Item) => folder.split('/')[0] ?? '';

/** Paths from the chosen folder on where it has another name on each of the days. */
function pathsOf(files: readonly Item[], rows: readonly Item[]): (item: Item) => string {
  const before = new Set(rows.map(rootOf));
  const both = new Set(files.map(rootOf).filter((root) => before.has(root)));
  return (item) => {
    const path =
      both.has(rootOf(item)) || item.folder === '' ? pathOf(item) : pathOf(item).replace(/^.*?\//, '');
    return path.normalize('NFC');
  };
}

const termOf = ({ validUntil, unlimited }: License) => validUntil ?? (unlimited ? 'unlimited' : null);

/** What is not known on one of the days is no difference. */
const areOther = <Value>(one: Value, other: Value) =>
  one !== other && (one ?? other) === one && (other ?? one) === other;

const differ: Record<
  (typeof DIFFERENCES)[number],
  (a: Item, b: Item, path: (item: Item) => string) => boolean
> = {
  validUntil: (a, b) => areOther(termOf(licenseOf(a)), termOf(licenseOf(b))),
  users: (a, b) => areOther(licenseOf(a).users, licenseOf(b).users),
  computer: (a, b) => areOther(licenseOf(a).computer, licenseOf(b).computer),
  path: (a, b, path) => path(a) !== path(b),
  content: (a, b) => areOther(fingerprint(a), fingerprint(b)),
};
