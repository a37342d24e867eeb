/** The elements of each key, in their order. What has no key is left out. */
export function groupBy<Element, Key extends string>(
  elements: Iterable<Element>,
  keyOf: (element: Element) => Key | null,
): Map<Key, Element[]> {
  const groups = new Map<Key, Element[]>();
  for (const element of elements) {
    const key = keyOf(element);
    if (key === null) continue;

    const group = groups.get(key);
    if (group) group.push(element);
    else groups.set(key, [element]);
  }
  return groups;
}
