import type { Content } from './content.js';
import { licenseOf, pathOf, type Item } from './item.js';
import { isExpired } from './facts.js';

/** Items of the same license have the same key: the PIN code, or the bytes as long as it is not known. */
export const licenseKey = (item: Item): string | Content =>
  licenseOf(item).pin?.replaceAll('-', '') ?? item.content;

/** The items of each key, in the order of the list, and none without one. */
export function groupBy<Key>(items: readonly Item[], keyOf: (item: Item) => Key | null): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (!key) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The items of each license, in the order of the list. */
export const groupsOf = (items: readonly Item[]) => groupBy(items, licenseKey);

/** What file managers add to the name of a copy. */
const COPY = /копия|copy|\(\d+\)/i;

/**
 * The item that counts of those of one license: one that is valid, says for how many users it is, is not named like a
 * copy, and has the first path, in this order of weight.
 */
export function countedOf(group: readonly Item[], today: string): Item | undefined {
  const keyed = group.map((item) => {
    const license = licenseOf(item);
    const flaws = [isExpired(license, today), license.users === null, COPY.test(item.name)].map(Number);
    return { item, key: `${flaws.join('')} ${pathOf(item)}` };
  });
  return keyed.sort(({ key: a }, { key: b }) => Number(a > b) - Number(a < b))[0]?.item;
}

/** The PIN codes of licenses that another one of the list has replaced. */
export const replacedPins = (items: readonly Item[]): ReadonlySet<string> =>
  new Set(items.flatMap((item) => licenseOf(item).previousPin ?? []));

export function isReplaced(item: Item, pins: ReadonlySet<string>): boolean {
  const key = licenseKey(item);
  return typeof key === 'string' && pins.has(key);
}
