import { isFailed, licenseOf, type Item } from './item.js';
import { isExpired } from './facts.js';
import { countedOf, groupsOf, isReplaced } from './standing.js';

/**
 * Sums up what the files say. A license that was given twice counts once; one that has expired or was replaced is no
 * license any more.
 * @param replaced PIN codes of licenses that were replaced
 */
export function sumUp(items: readonly Item[], replaced: ReadonlySet<string>, today: string) {
  const sums = {
    licenses: 0,
    /** For how many users the client licenses are. */
    users: 0,
    /** Licenses of an unknown type. */
    untyped: 0,
    /** Licenses, those for a server aside, that do not say for how many users they are. */
    withoutUsers: 0,
    /** Files of which nothing is known yet. */
    unknown: 0,
    /** The next day on which licenses expire. */
    next: undefined as string | undefined,
  };
  for (const group of groupsOf(items).values()) {
    const item = countedOf(group, today);
    if (!item || isReplaced(item, replaced) || isExpired(licenseOf(item), today)) continue;
    const { kind, users, validUntil, sources } = licenseOf(item);
    if (sources.length === 0) {
      if (!isFailed(item)) sums.unknown += group.length;
      continue;
    }
    sums.licenses += 1;
    if (kind === 'client') sums.users += users ?? 0;
    if (kind === null) sums.untyped += 1;
    if (users === null && kind !== 'server') sums.withoutUsers += 1;
    if (validUntil !== null && !(sums.next && sums.next < validUntil)) sums.next = validUntil;
  }
  return sums;
}
