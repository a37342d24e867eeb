/** The elements of each key, in their order; no key is null or empty. */
export function groupBy<Element>(
  elements: Iterable<Element>,
  keysOf: (element: Element) => readonly (string | null)[],
): Map<string, Element[]> {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    for (const key of new Set(keysOf(element))) {
      const group = groups.get(key ?? '');
      if (group) group.push(element);
      else if (key) groups.set(key, [element]);
    }
  }
  return groups;
}
