/** The elements of each key, in their order; no key is null or empty. */
export function groupBy<Element, Key extends string>(
  elements: Iterable<Element>,
  keysOf: (element: Element) => readonly (Key | null)[],
): Map<Key, Element[]> {
  const groups = new Map<Key, Element[]>();
  for (const element of elements) {
    for (const key of new Set(keysOf(element))) {
      if (!key) continue;
      const group = groups.get(key);
      if (group) group.push(element);
      else groups.set(key, [element]);
    }
  }
  return groups;
}
