import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';

/** Clients that are remembered: about 20 MB. */
const MAX_CLIENTS = 100_000;

interface Window {
  totalHits: number;
  resetTime: Date;
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

  get(key: string): Window | undefined {
    const window = this.over.get(key) ?? this.under.get(key);
    return window && window.resetTime.getTime() > Date.now() ? window : undefined;
  }

  increment(key: string): ClientRateLimitInfo {
    let window = this.get(key);
    if (!window) {
      this.resetKey(key);
      window = { totalHits: 0, resetTime: new Date(Date.now() + this.windowMs) };
      this.under.set(key, window);
      this.forgetOldest();
    }
    window.totalHits++;
    if (window.totalHits > this.limit && this.under.delete(key)) this.over.set(key, window);
    return { ...window };
  }

  decrement(key: string): void {
    const window = this.get(key);
    if (window && window.totalHits > 0) window.totalHits--;
  }

  /** Lets the client's window end at this time. */
  endWindow(key: string, resetTime: Date | undefined): void {
    const window = this.get(key);
    if (window && resetTime) window.resetTime = resetTime;
  }

  resetKey(key: string): void {
    this.under.delete(key);
    this.over.delete(key);
  }

  private forgetOldest(): void {
    for (const windows of [this.over, this.under]) {
      for (const [key, { resetTime }] of windows) {
        if (resetTime.getTime() > Date.now()) break;
        windows.delete(key);
      }
    }
    if (this.under.size + this.over.size <= this.maxClients) return;
    const [oldest] = this.under.size > 1 ? this.under.keys() : this.over.keys();
    if (oldest !== undefined) this.resetKey(oldest);
  }
}
