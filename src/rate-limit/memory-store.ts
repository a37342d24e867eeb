import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';

/** Clients that are remembered: about 20 MB. */
const MAX_CLIENTS = 100_000;

interface Window {
  totalHits: number;
  /** On the monotonic clock of `performance.now()`, which no change of the time of day moves. */
  endsAt: number;
}

/**
 * Counts in this process, in windows that begin with a client's first request. With too many clients the oldest is
 * forgotten, and one that is over the limit only when all are.
 */
export class BoundedMemoryStore implements Store {
  readonly localKeys = true;
  private windowMs = 0;
  private limit = 0;
  // A Map iterates in the order of insertion, so the first entry is the oldest.
  private readonly under = new Map<string, Window>();
  private readonly over = new Map<string, Window>();

  constructor(private readonly maxClients = MAX_CLIENTS) {}

  init({ windowMs, limit }: Options): void {
    this.windowMs = windowMs;
    this.limit = typeof limit === 'number' ? limit : 0;
  }

  get(key: string): ClientRateLimitInfo | undefined {
    const window = this.windowOf(key);
    return window && infoOf(window);
  }

  increment(key: string): ClientRateLimitInfo {
    let window = this.windowOf(key);
    if (!window) {
      this.resetKey(key);
      window = { totalHits: 0, endsAt: performance.now() + this.windowMs };
      this.under.set(key, window);
      this.forgetOldest();
    }
    window.totalHits++;
    if (window.totalHits > this.limit && this.under.delete(key)) this.over.set(key, window);
    return infoOf(window);
  }

  decrement(): void {
    // Every request counts, so express-rate-limit takes none back.
  }

  /** Lets the client's window end in so many milliseconds. */
  endWindow(key: string, leftMs: number): void {
    const window = this.windowOf(key);
    if (window) window.endsAt = performance.now() + leftMs;
  }

  resetKey(key: string): void {
    this.under.delete(key);
    this.over.delete(key);
  }

  private windowOf(key: string): Window | undefined {
    const window = this.over.get(key) ?? this.under.get(key);
    return window && window.endsAt > performance.now() ? window : undefined;
  }

  private forgetOldest(): void {
    for (const windows of [this.over, this.under]) {
      for (const [key, { endsAt }] of windows) {
        if (endsAt > performance.now()) break;
        windows.delete(key);
      }
    }
    if (this.under.size + this.over.size <= this.maxClients) return;
    const [oldest] = this.under.size > 1 ? this.under.keys() : this.over.keys();
    if (oldest !== undefined) this.resetKey(oldest);
  }
}

/** What express-rate-limit reads: the end of the window as the present time of day tells it. */
const infoOf = ({ totalHits, endsAt }: Window): ClientRateLimitInfo => ({
  totalHits,
  resetTime: new Date(Date.now() + endsAt - performance.now()),
});
