import { placesOfKit } from '../../../license/users.js';
import { groupBy } from './group-by.js';
import { computerKey, kitNumberOf, type License } from './license.js';
import type { SeatStatus } from './seat-status.js';

/**
 * What licenses with one registration number have to do with each other. It is the number of a kit, so they may be several
 * licenses of it, or one and those that replaced it. Only their previous PIN codes tell for sure.
 */
export interface Kits {
  /** For each license the newest one of the same kind on the same computer that was produced after it. */
  readonly later: ReadonlyMap<License, License>;
  /** The licenses that another one may have replaced. */
  readonly doubtful: ReadonlySet<License>;
}

/** A larger kit has several PIN codes, each for some of its users: one of 1,000 is two licenses for 500. */
const SMALL_KITS = new Set([5, 10, 20, 50]);

/** For how many users the licenses of a small kit are good together; null if the kit is another one. */
export function kitSizeOf(licenses: readonly License[]): number | null {
  const sizes = licenses.map(({ facts }) => {
    return placesOfKit({ productCode: facts.productCode, text: facts.product });
  });
  const [size = 0] = sizes;
  const isSame = sizes.every((other) => other === size);
  return isSame && SMALL_KITS.has(size) ? size : null;
}

/** The sum of what licenses say; what does not say it counts as nothing. */
export function usersOf(licenses: readonly License[]): number {
  let users = 0;
  for (const { facts } of licenses) users += facts.users ?? 0;
  return users;
}

/** @param statuses those of all licenses of the list */
export function kitsIn(statuses: ReadonlyMap<License, SeatStatus>): Kits {
  const later = new Map<License, License>();
  const doubtful = new Set<License>();
  for (const kit of groupBy(statuses.keys(), kitNumberOf).values()) {
    const usable = kit.filter((license) => !license.cannotBeRead && statuses.get(license) !== 'ended');
    for (const license of kit) {
      const last = lastAfter(license, usable);
      if (last) later.set(license, last);
    }

    const forClients = usable.filter((license) => statuses.get(license) !== 'server');
    const isCounted = forClients.some((license) => statuses.get(license) === 'counted');
    if (!isCounted || hasPlacesForAll(forClients)) continue;

    // The last one on a computer is there. Of those on several computers nobody knows which is left.
    const last = forClients.filter((license) => !later.has(license));
    for (const license of forClients) {
      if (last.length > 1 || later.has(license)) doubtful.add(license);
    }
  }
  return { later, doubtful };
}

function hasPlacesForAll(licenses: readonly License[]): boolean {
  const size = kitSizeOf(licenses);
  const areKnown = licenses.every(({ facts }) => facts.users !== null);
  return size !== null && areKnown && usersOf(licenses) <= size;
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
