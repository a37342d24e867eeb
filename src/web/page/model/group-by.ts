/** The elements of each key, in their order. */
export function groupBy<Element>(
  elements: Iterable<Element>,
  keysOf: (element: Element) => readonly string[],
): Map<string, Element[]> {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    for (const key of new Set(keysOf(element))) {
      const group = groups.get(key);
      if (group) group.push(element);
      else groups.set(key, [element]);
    }
  }
  return groups;
}
