import type { License } from './license.js';

/** Of a license in more folders nothing is said: each is compared with each, and a cell of a sheet may have been cut. */
const MAX_FOLDERS = 20;

/**
 * The licenses of which no folder is one that they had. Of two folders one may only have been chosen from further up, so
 * that it has more at its beginning; and what more than half of the licenses have in common is a root with a new name.
 * @param rows of a list of another day, which surely are these licenses
 */
export function movedOf(rows: ReadonlyMap<License, readonly License[]>): ReadonlySet<License> {
  const folders = new Map<readonly License[], ReadonlySet<string>>();
  const renamed = new Map<License, ReadonlySet<string>>();
  const counts = new Map<string, number>();
  for (const [license, before] of rows) {
    const old = folders.get(before) ?? foldersOf(before);
    folders.set(before, old);
    const beginnings = differentBeginnings(foldersOf([license]), old);
    if (beginnings.size > 0) renamed.set(license, beginnings);
    for (const pair of beginnings) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  const isRoot = (pair: string) => (counts.get(pair) ?? 0) > rows.size / 2;
  return new Set([...renamed].filter(([, pairs]) => ![...pairs].some(isRoot)).map(([license]) => license));
}

const foldersOf = (licenses: readonly License[]): ReadonlySet<string> =>
  new Set(
    licenses.flatMap(({ places }) => places.value.map(({ folder }) => folder.normalize('NFC').toLowerCase())),
  );

/** Of each pair of folders what differs; nothing when a pair fits. */
function differentBeginnings(now: ReadonlySet<string>, then: ReadonlySet<string>): ReadonlySet<string> {
  const pairs = new Set<string>();
  if (now.size > MAX_FOLDERS || then.size > MAX_FOLDERS) return pairs;
  for (const folder of now)
    for (const old of then) {
      const [a, b] = [folder.split('/'), old.split('/')];
      while (a.length > 0 && a.at(-1) === b.at(-1)) {
        a.pop();
        b.pop();
      }
      const [left, leftOld] = [a.join('/'), b.join('/')];
      if (left === '' || leftOld === '') return new Set();
      pairs.add(`${left}\n${leftOld}`);
    }
  return pairs;
}
