import { stateOf, type Content, type Item } from './item.js';
import { rowOf } from './row.js';

/** Items of the same license have the same key: the PIN code, or the bytes as long as it is not known. */
export function licenseKey(item: Item): string | Content {
  const state = stateOf(item);
  return state.name === 'done' ? state.result.structured.pin : item.content;
}

/** The items of each license, in the order of the list. */
export function groupsOf(items: readonly Item[]): Map<string | Content, Item[]> {
  const groups = new Map<string | Content, Item[]>();
  for (const item of items) {
    const key = licenseKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The item that counts of those of one license: the first that says for how many users it is. */
export const countedOf = (group: readonly Item[]) =>
  group.find((item) => rowOf(item).users !== null) ?? group[0];

/** The PIN codes of licenses that another one of the list has replaced. */
export const replacedPins = (items: readonly Item[]): ReadonlySet<string> =>
  new Set(items.flatMap((item) => rowOf(item).previousPin ?? []));

export function isReplaced(item: Item, pins: ReadonlySet<string>): boolean {
  const key = licenseKey(item);
  return typeof key === 'string' && pins.has(key);
}
