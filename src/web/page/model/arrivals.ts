import { groupBy } from './group-by.js';
import { License, pathOf, type Place } from './license.js';
import type { FileContent } from './read-file.js';

/** What lies where, in the order in which it came. */
export type Rows = ReadonlyMap<License, readonly Place[]>;

/** A license at a place. */
interface Placed {
  license: License;
  place: Place;
}

/** A file that was read; `old` had its path before. */
export interface Arrival extends Placed {
  old: Placed | undefined;
}

/** What the list had before an addition, by bytes and by path, and what has come since. */
export class Arrivals {
  private readonly byFingerprint = new Map<string, License>();
  private readonly byPath;

  constructor(rows: Rows) {
    const given = [...rows].filter(([{ isGiven }]) => isGiven);
    for (const [license] of given)
      if (license.fingerprint !== null) this.byFingerprint.set(license.fingerprint, license);
    const places = given.flatMap(([license, places]) => places.map((place) => ({ license, place })));
    this.byPath = groupBy(places, ({ place }) => [pathOf(place)]);
  }

  /** @returns undefined for the same bytes at the same path */
  arrive(place: Place, content: FileContent, rows: Rows): Arrival | undefined {
    const path = pathOf(place);
    const there =
      this.byPath.get(path)?.filter(({ license, place }) => rows.get(license)?.includes(place)) ?? [];
    // Two files of one drop differ even when their paths do not: two servers may have a folder of the same name.
    this.byPath.delete(path);
    const { fingerprint } = content;
    let license = fingerprint === null ? undefined : this.byFingerprint.get(fingerprint);
    if (there.some((old) => old.license === license || isSameSize(old, place, content))) return undefined;
    const old = there.length === 1 ? there[0] : undefined;
    if (!license) {
      const isLeft = old && rows.get(old.license)?.length === 1;
      license = new License({ ...content, id: isLeft ? old.license.id : undefined });
      if (fingerprint !== null) this.byFingerprint.set(fingerprint, license);
    }
    return { license, place, old };
  }
}

/** Of a file that is too large the bytes are not read, so its size has to do. */
const isSameSize = (old: Placed, { file }: Place, { failure }: FileContent) =>
  failure?.canRetry === false && old.license.state.name === 'unfit' && old.place.file?.size === file?.size;

/** Adds files, each at its new place. */
export function withArrivals(rows: Rows, arrivals: readonly Arrival[]): Rows {
  const next = new Map(rows);
  for (const { license, place, old } of arrivals) {
    if (old) {
      const left = (next.get(old.license) ?? []).filter((other) => other !== old.place);
      if (left.length > 0) next.set(old.license, left);
      else next.delete(old.license);
    }
    next.set(license, [...(next.get(license) ?? []), place]);
  }
  return next;
}
