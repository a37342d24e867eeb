import { groupBy } from './group-by.js';
import { computerKey, type License } from './license.js';
import type { WhyNotCounted } from './why-not-counted.js';

/**
 * What licenses with one registration number have to do with each other. It is the number of a kit, so they may be several
 * licenses of it, or one and those that replaced it. Only their previous PIN codes tell for sure.
 */
export interface Kits {
  /** For each license the newest usable one of the same kind on the same computer that was produced after it. */
  readonly newer: ReadonlyMap<License, License>;
  /** The licenses that another one may have replaced. */
  readonly maybeReplaced: ReadonlySet<License>;
}

/** For how many users the licenses of a small kit are good together; null if the kit is another one. */
export function kitSizeOf(licenses: readonly License[]): number | null {
  const [first] = licenses;
  const size = first?.facts.smallKitSize ?? null;
  const isSame = licenses.every(({ facts }) => facts.smallKitSize === size);
  return isSame ? size : null;
}

/**
 * @param licenses all of the list
 * @param reasonOf why one of them is not counted
 */
export function kitsIn(
  licenses: readonly License[],
  reasonOf: (license: License) => WhyNotCounted | undefined,
): Kits {
  const newer = new Map<License, License>();
  const maybeReplaced = new Set<License>();
  for (const kit of groupBy(licenses, ({ facts }) => facts.kitNumber).values()) {
    if (kit.length === 1) continue;

    const usable = kit.filter((license) => {
      const reason = reasonOf(license);
      return license.status !== 'refused' && reason !== 'seatsEnded' && reason !== 'seatsElsewhere';
    });
    for (const license of kit) {
      const last = lastAfter(license, usable);
      if (last) newer.set(license, last);
    }

    const forClients = usable.filter((license) => reasonOf(license) !== 'server');
    const isCounted = forClients.some((license) => reasonOf(license) === undefined);
    if (!isCounted || hasPlacesForAll(forClients)) continue;

    // The newest one on a computer is there. Of those on several computers nobody knows which is left.
    const newest = forClients.filter((license) => !newer.has(license));
    for (const license of forClients) {
      if (newest.length > 1 || newer.has(license)) maybeReplaced.add(license);
    }
  }
  return { newer, maybeReplaced };
}

function hasPlacesForAll(licenses: readonly License[]): boolean {
  const size = kitSizeOf(licenses);
  if (size === null) return false;

  let all = 0;
  // Those that do not say for how many users they are may take any number of places.
  for (const { facts } of licenses) all += facts.users ?? Infinity;
  return all <= size;
}

/** The last one that was produced after a license, of the same kind and for the same computer. */
function lastAfter(license: License, licenses: readonly License[]): License | undefined {
  const computer = computerKey(license);
  let last: License | undefined;
  let lastDate = license.facts.producedAt;
  if (computer === null || lastDate === null) return undefined;

  for (const other of licenses) {
    const { kind, producedAt } = other.facts;
    const isAlike = computerKey(other) === computer && kind === license.facts.kind;
    if (isAlike && producedAt !== null && producedAt > lastDate) {
      last = other;
      lastDate = producedAt;
    }
  }
  return last;
}

/**
 * How many seats each license of the list adds to the total: those that it states, but the licenses of a small kit add no
 * more than its size, those first that nothing may have replaced.
 */
export function addedSeatsIn(
  counted: readonly License[],
  maybeReplaced: ReadonlySet<License>,
): ReadonlyMap<License, number> {
  const added = new Map<License, number>();
  const rankOf = (license: License) => Number(maybeReplaced.has(license));
  const kits = groupBy(counted, ({ id, facts }) => facts.kitNumber ?? `license ${id}`);
  for (const kit of kits.values()) {
    const surestFirst = [...kit].sort((a, b) => rankOf(a) - rankOf(b));
    let left = kitSizeOf(kit) ?? Infinity;
    for (const license of surestFirst) {
      const seats = Math.min(license.facts.users ?? 0, left);
      added.set(license, seats);
      left -= seats;
    }
  }
  return added;
}
