import { licenseOf, stateOf, type Item } from './item.js';
import { isExpired } from './license.js';
import { countedOf, groupsOf, isReplaced } from './standing.js';

/** Valid licenses, and for how many users they are together. */
interface Sum {
  licenses: number;
  users: number;
}

const sum = (): Sum => ({ licenses: 0, users: 0 });

/**
 * Sums up what the files say. A license that was given twice counts once; one that has expired or was replaced is no
 * license any more.
 * @param replaced PIN codes of licenses that were replaced
 */
export function sumUp(items: readonly Item[], replaced: ReadonlySet<string>, today: string) {
  const sums = {
    files: items.length,
    client: sum(),
    server: sum(),
    /** Licenses of an unknown type. */
    other: sum(),
    /** Licenses, those for a server aside, that do not say for how many users they are. */
    withoutUsers: 0,
    /** Files of which nothing is known yet. */
    unknown: 0,
    expired: 0,
    failed: 0,
    /** The next day on which licenses expire, and how many do. */
    next: undefined as { day: string; licenses: number } | undefined,
  };
  for (const item of items) {
    const { name } = stateOf(item);
    if (name === 'failed') sums.failed += 1;
    else if (!isLicense(item)) sums.unknown += 1;
    if (isExpired(licenseOf(item), today)) sums.expired += 1;
  }
  for (const group of groupsOf(items).values()) {
    const item = countedOf(group, today);
    if (!item || !isLicense(item) || isReplaced(item, replaced) || isExpired(licenseOf(item), today))
      continue;
    const { kind, users, validUntil } = licenseOf(item);
    const sum = sums[kind ?? 'other'];
    sum.licenses += 1;
    sum.users += users ?? 0;
    if (users === null && kind !== 'server') sums.withoutUsers += 1;
    if (validUntil === null) continue;
    if (!sums.next || validUntil < sums.next.day) sums.next = { day: validUntil, licenses: 0 };
    if (validUntil === sums.next.day) sums.next.licenses += 1;
  }
  return sums;
}

/** Whether something is known of a license there. */
const isLicense = (item: Item) => licenseOf(item).sources.length > 0;
