import type { Item } from './item.js';

/** Items of the same license have the same key: the PIN code, or the bytes as long as it is not known. */
export const licenseKey = ({ content, state }: Item) =>
  state.name === 'done' ? `pin ${state.result.structured.pin}` : `file ${content}`;

/** The keys that more than one item has. */
export function duplicateKeys(items: readonly Item[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const item of items) {
    const key = licenseKey(item);
    if (seen.has(key)) repeated.add(key);
    seen.add(key);
  }
  return repeated;
}
