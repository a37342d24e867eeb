import { MemoryStore, type ClientRateLimitInfo } from 'express-rate-limit';

/** Clients that are remembered, in about 20 MB of the 128 MB of heap that `npm start` allows. */
const MAX_CLIENTS = 100_000;

/** The count of a client that has no window: its next request begins one. */
export const NO_WINDOW: ClientRateLimitInfo = { totalHits: 0, resetTime: undefined };

/**
 * Counts in this process. The store of the library remembers any number of clients, so many addresses would fill the
 * memory; this one forgets all clients when there are too many.
 */
export class BoundedMemoryStore extends MemoryStore {
  override async increment(key: string): Promise<ClientRateLimitInfo> {
    const clients = this.current.size + this.previous.size;
    if (clients > MAX_CLIENTS) void this.resetAll();

    const known = this.current.get(key) ?? this.previous.get(key);
    const windowEnd = known?.resetTime;
    if (windowEnd && this.isTooFarAway(windowEnd)) void this.resetKey(key);

    // The library returns its live counter. Copy it now, before the await, or a concurrent request's hit is in it.
    const counting = super.increment(key);
    const counted = this.current.get(key) ?? (await counting);
    return { totalHits: counted.totalHits, resetTime: counted.resetTime };
  }

  /**
   * Tells how much of the limit a client has used, and counts nothing.
   * @returns no hits and no end while the client has no window; undefined where the store cannot tell at the moment
   */
  async peek(key: string): Promise<ClientRateLimitInfo | undefined> {
    const client = await this.get(key);
    if (client?.resetTime === undefined) return NO_WINDOW;
    if (this.isTooFarAway(client.resetTime)) return NO_WINDOW;

    return { totalHits: client.totalHits, resetTime: client.resetTime };
  }

  /**
   * Whether a window ends later than one that begins now. The clock has stepped back then, and without a new window the
   * client would wait for as long as the step was.
   */
  private isTooFarAway(end: Date): boolean {
    return end.getTime() > Date.now() + this.windowMs;
  }
}
