import { licenseOf, pathOf, type Item } from './item.js';
import type { Known } from './facts.js';
import { groupBy } from './standing.js';
import { DIFFERENCES, type Change, type Comparison } from './sheet.js';

type Items = readonly Item[];
type KeyOf = (item: Item) => string | null;

/** Compares files with the rows of a list of another day. */
export function compare(files: Items, rows: Items, isPartial: boolean): Comparison {
  const path = pathsOf(files, rows);
  const found = match(files, rows, path);
  const changes = new Map<Item, Change>(
    rows.filter((row) => !found.has(row)).map((row) => [row, { name: 'gone' }]),
  );
  const old = new Map(Array.from(found, ([row, file]) => [file, row]));
  for (const file of files) {
    const before = old.get(file);
    const [now, then] = [before && factsOf(file, path), before && factsOf(before, path)];
    // What is not known on one of the days is no difference.
    const differences = DIFFERENCES.filter(
      (name) => now && then && now[name] !== then[name] && now[name] !== null && then[name] !== null,
    );
    if (!before) changes.set(file, { name: isPartial ? 'unlisted' : 'new' });
    else if (differences.length > 0) changes.set(file, { name: 'changed', before, differences });
  }
  return { changes, found };
}

function factsOf(item: Item, path: KeyOf): Record<(typeof DIFFERENCES)[number], string | number | null> {
  const { validUntil, unlimited, users, computer } = licenseOf(item);
  const term = validUntil ?? (unlimited ? 'unlimited' : null);
  return { validUntil: term, users, computer, file: path(item), content: item.content.fingerprint };
}

const numberAndComputer = ({ registrationNumber, computer }: Known) =>
  registrationNumber && computer && `${registrationNumber}\n${computer}`;

function match(files: Items, rows: Items, path: KeyOf): Map<Item, Item> {
  const found = new Map<Item, Item>();
  const matched = new Set<Item>();
  const lists = [files, rows].map((items) => groupBy(items, (item) => numberAndComputer(licenseOf(item))));
  const ways: KeyOf[] = [
    // Of several copies each is found at its own place.
    (item) => item.content.fingerprint && `${item.content.fingerprint}\n${path(item)}`,
    ({ content }) => content.fingerprint,
    path,
    (item) => licenseOf(item).pin,
    (item) => {
      const key = numberAndComputer(licenseOf(item));
      return lists.every((groups) => groups.get(key ?? '')?.length === 1) ? key : null;
    },
  ];
  for (const keyOf of ways) {
    const open = groupBy(
      rows.filter((row) => !found.has(row)),
      keyOf,
    );
    for (const file of files) {
      const row = matched.has(file) ? undefined : open.get(keyOf(file) ?? '')?.shift();
      if (!row) continue;
      found.set(row, file);
      matched.add(file);
    }
  }
  return found;
}

const rootOf = ({ folder }: Item) => folder.split('/')[0];

/** Paths from the chosen folder on where it has another name on each of the days. */
function pathsOf(files: Items, rows: Items): (item: Item) => string {
  const [now, then] = [files, rows].map((items) => new Set(items.map(rootOf)));
  const isInBoth = (root: string | undefined) => now?.has(root) && then?.has(root);
  return (item) =>
    pathOf(item)
      .replace(isInBoth(rootOf(item)) ? '' : /^[^/]*\//, '')
      .normalize('NFC');
}
