/** What is left of the limit of a client without a token. */
export interface Quota {
  limit: number;
  remaining: number;
  /** When the whole limit is available again, in milliseconds since the epoch. */
  resetAt: number;
}

/**
 * When the last of some files can be read without a token, in milliseconds since the epoch; the reading itself takes
 * no time. Infinity when the limit allows none at all.
 */
export function readableAt(files: number, quota: Quota, windowSeconds: number, now: number): number {
  const isRenewed = now >= quota.resetAt;
  const later = files - (isRenewed ? quota.limit : quota.remaining);
  if (later <= 0) return now;
  if (quota.limit === 0) return Infinity;
  const windowMs = windowSeconds * 1000;
  const firstReset = isRenewed ? now + windowMs : quota.resetAt;
  return firstReset + (Math.ceil(later / quota.limit) - 1) * windowMs;
}
