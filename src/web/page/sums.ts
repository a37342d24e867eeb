import { licenseKey } from './duplicates.js';
import type { Item } from './item.js';
import { isExpired, rowOf, type Row } from './row.js';

/** Licenses of one type that are still valid, each counted once. */
export interface Sum {
  licenses: number;
  users: number;
  /** Licenses that do not say for how many users they are. */
  unknown: number;
}

export interface Sums {
  files: number;
  client: Sum;
  server: Sum;
  /** Valid licenses of an unknown type. */
  other: Sum;
  /** Files without clear text that are not decoded, so that nothing is known of them. */
  unread: number;
  /** The next day on which licenses expire, and how many do. */
  next: { day: string; licenses: number } | undefined;
}

/** Sums up what the files say. A license that was given twice counts once, an expired one only as a file. */
export function sumUp(items: readonly Item[], today: string): Sums {
  const licenses = new Map<string, Row>();
  let unread = 0;
  for (const item of items) {
    const row = rowOf(item);
    if (item.state.name !== 'done' && item.clearText === null) unread += 1;
    else if (!isExpired(row, today)) {
      const key = licenseKey(item);
      if ((licenses.get(key)?.users ?? null) === null) licenses.set(key, row);
    }
  }
  const sums: Sums = {
    files: items.length,
    client: none(),
    server: none(),
    other: none(),
    unread,
    next: undefined,
  };
  for (const { kind, users, validUntil } of licenses.values()) {
    const sum = sums[kind ?? 'other'];
    sum.licenses += 1;
    sum.users += users ?? 0;
    if (users === null) sum.unknown += 1;
    if (validUntil === null) continue;
    if (!sums.next || validUntil < sums.next.day) sums.next = { day: validUntil, licenses: 0 };
    if (validUntil === sums.next.day) sums.next.licenses += 1;
  }
  return sums;
}

const none = (): Sum => ({ licenses: 0, users: 0, unknown: 0 });
