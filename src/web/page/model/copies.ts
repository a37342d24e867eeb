import { groupBy } from './group-by.js';
import { ofSheet } from './facts.js';
import { License, type ChosenFile, type Content, type Place } from './license.js';
import { pathOf } from './place.js';
import type { Sheet } from './sheet.js';

/** A license at a place. */
export interface Copy extends Place {
  readonly license: License;
  /** The list of another day that has it. */
  readonly sheet?: Sheet;
}

/** What leaves the list, and what comes into it. */
export interface Diff {
  readonly out: readonly Copy[];
  readonly into: readonly Copy[];
}

export const isOfFile = ({ license }: Copy) => license.isGiven;

/** The licenses of copies, in their order. */
export const licensesOf = (copies: readonly Copy[]): License[] => [
  ...new Set(copies.map(({ license }) => license)),
];

/** The list of another day that is among copies. */
export const sheetOf = (copies: readonly Copy[]) => copies.find(({ sheet }) => sheet)?.sheet;

const without = (copies: readonly Copy[], left: readonly Copy[]) => {
  const gone = new Set(left);
  return copies.filter((copy) => !gone.has(copy));
};

/** Copies after a change, in their order. */
export const changed = (copies: readonly Copy[], { out, into }: Diff): readonly Copy[] =>
  [...without(copies, out), ...without(into, copies)].sort((a, b) => a.order - b.order);

/** Two changes, one after the other, as one. */
export const joined = (first: Diff, next: Diff): Diff => ({
  out: [...without(first.out, next.into), ...without(next.out, first.into)],
  into: [...without(first.into, next.out), ...without(next.into, first.out)],
});

let lastOrder = 0;

/** The rows of a list of another day. */
export function rowsOf({ rows, ...info }: Sheet): Copy[] {
  // Without its rows: they may leave one by one.
  const sheet: Sheet = { ...info, rows: [] };
  return rows.flatMap(({ places, facts, wasReplaced, fingerprint, failure }) => {
    const isKnown = wasReplaced || Object.values(facts).some((fact) => fact !== null);
    const sources = isKnown ? [ofSheet(facts, sheet.day, { wasReplaced })] : [];
    const license = new License({ sources, fingerprint, failure: failure ?? undefined, day: sheet.day });
    return places.map((place): Copy => ({ ...place, order: ++lastOrder, license, sheet }));
  });
}

/** A file with what the page has read of it. */
export interface ReadFile extends ChosenFile {
  content: Content;
}

/** What files change in a list. */
export interface Arrival {
  diff: Diff;
  /** The same without files at paths that the list has not. */
  told: Diff;
  updated: number;
  unchanged: number;
}

/**
 * @param list files that the user gave before
 * @param left files that have left the list, and come back when they arrive again
 * @param seen paths of the same drop: its files differ even when their paths do not, since two servers may have a folder
 *   of the same name
 * @param make makes a license of bytes that are new
 */
export function arrive(
  files: readonly ReadFile[],
  list: readonly Copy[],
  left: readonly Copy[],
  seen: Set<string>,
  make: (content: Content) => License,
): Arrival {
  const [here, gone] = [list, left].map((copies) => groupBy(copies, (copy) => [pathOf(copy)]));
  const known = new Map([...left, ...list].map(({ license }) => [license.fingerprint, license]));
  const [added, out, into]: [Copy[], Copy[], Copy[]] = [[], [], []];
  let [updated, unchanged] = [0, 0];
  for (const { file, folder, content } of files) {
    const place = { name: file.name, folder, file };
    const path = pathOf(place);
    const [there, before] = seen.has(path) ? [] : [here?.get(path), gone?.get(path)];
    seen.add(path);
    const { fingerprint } = content;
    let license = fingerprint === null ? undefined : known.get(fingerprint);
    const isSame = (old: Copy) => old.license === license;
    const back = before?.find(isSame);
    if (there?.some(isSame)) unchanged += 1;
    else if (back) into.push(back);
    else {
      if (!license) known.set(fingerprint, (license = make(content)));
      const olds = there ?? before ?? [];
      const old = olds.length === 1 ? olds[0] : undefined;
      const copy = { ...place, order: old?.order ?? ++lastOrder, license };
      (old ? into : added).push(copy);
      if (old) updated += 1;
      if (old && there) out.push(old);
    }
  }
  return { diff: { out, into: [...into, ...added] }, told: { out, into }, updated, unchanged };
}
