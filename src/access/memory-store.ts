import { MemoryStore, type ClientRateLimitInfo } from 'express-rate-limit';

/** Clients that are remembered, in about 20 MB of the 128 MB of heap that `npm start` allows. */
const MAX_CLIENTS = 100_000;

/** The next request of this client begins a window. */
export const NO_WINDOW: ClientRateLimitInfo = { totalHits: 0, resetTime: undefined };

/** Counts in this process, and forgets all clients when there are too many: the library's store has no bound. */
export class BoundedMemoryStore extends MemoryStore {
  override async increment(key: string): Promise<ClientRateLimitInfo> {
    if (this.current.size + this.previous.size > MAX_CLIENTS) void this.resetAll();
    const { resetTime: end = 0 } = this.current.get(key) ?? this.previous.get(key) ?? {};
    // The clock has stepped back.
    if (Number(end) > Date.now() + this.windowMs) void this.resetKey(key);
    const counted = super.increment(key);
    // The library hands out the object that it goes on counting in, so it is copied before anything else can run.
    const { totalHits, resetTime } = this.current.get(key) ?? (await counted);
    return { totalHits, resetTime };
  }

  /**
   * Tells what a client has used of the limit, and counts nothing.
   * @returns no hits and no end while the client has no window; undefined where the store cannot tell at the moment
   */
  async peek(key: string): Promise<ClientRateLimitInfo | undefined> {
    const client = await this.get(key);
    if (client?.resetTime === undefined) return NO_WINDOW;

    // The clock has stepped back, so the next request begins a new window.
    const latestEnd = Date.now() + this.windowMs;
    if (client.resetTime.getTime() > latestEnd) return NO_WINDOW;

    return { totalHits: client.totalHits, resetTime: client.resetTime };
  }
}
