import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';
import type { Logger } from 'pino';
import { createClient } from 'redis';
import { BoundedMemoryStore } from './memory-store.js';

/** Begins our keys in a Redis that others may use too. */
const KEY_PREFIX = 'license-decoder:limit:';
/** Milliseconds Redis gets to count a request; then the local count decides. */
const COUNT_MS = 200;
/** Milliseconds for which a Redis that did not answer is not asked again: each request would wait for it. */
const PAUSE_MS = 5_000;
/** Milliseconds between attempts to connect. */
const RECONNECT_MS = 1_000;

/**
 * Counts a request in the window that begins with a client's first one; returns the count and the milliseconds left.
 * Sent whole each time (EVAL), so that nothing about the state of the server has to be remembered.
 */
const COUNT = `
local hits = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {hits, left}`;

/** What a shared counter knows of a client after counting a request. */
export interface SharedCount {
  hits: number;
  /** Milliseconds until the window ends. */
  leftMs: number;
}

/** Counts for all replicas. */
export interface SharedCounter {
  isConnected: () => boolean;
  /** Rejects when the request could not be counted. */
  count(key: string, windowMs: number): Promise<SharedCount>;
}

/**
 * Counts in Redis and locally. The larger count decides: after a restart Redis has lost its counts, and the local one
 * knows only this replica's requests. While Redis does not count, the local count decides alone.
 */
export class FallbackStore implements Store {
  private readonly local = new BoundedMemoryStore();
  private windowMs = 0;
  private limit = 0;
  /** Undefined until the first answer or failure. */
  private shares: boolean | undefined;
  private pausedUntil = 0;
  private readonly attempted = Promise.withResolvers<undefined>();

  constructor(
    private readonly shared: SharedCounter,
    private readonly log: Logger,
  ) {}

  /** True while the counts are shared through Redis. */
  get isShared(): boolean {
    return this.shares === true;
  }

  /** Resolves when the first attempt to count in Redis has succeeded or failed. */
  get firstAttempt(): Promise<unknown> {
    return this.attempted.promise;
  }

  init(options: Options): void {
    this.windowMs = options.windowMs;
    this.limit = typeof options.limit === 'number' ? options.limit : 0;
    this.local.init(options);
  }

  /** Counts a request of nobody, to find out whether a Redis that was just reached counts. */
  async tryOut(): Promise<void> {
    this.pausedUntil = 0;
    await this.count('', 1);
  }

  async increment(key: string): Promise<ClientRateLimitInfo> {
    const local = this.local.increment(key);
    // Redis must not count what is refused anyway: its window could then outlast the one that the client was told.
    if (local.totalHits > this.limit) return local;
    const shared = await this.count(key, this.windowMs);
    if (!shared || shared.hits < local.totalHits) return local;
    // Both windows end together, else a client that never pauses would always be in one of them.
    this.local.endWindow(key, shared.leftMs);
    return { totalHits: shared.hits, resetTime: new Date(Date.now() + shared.leftMs) };
  }

  decrement(): void {
    this.local.decrement();
  }

  resetKey(key: string): void {
    this.local.resetKey(key);
  }

  /** Logs once per outage. */
  markFailed(error: unknown): void {
    if (this.shares !== false) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.log.warn(
        { reason: code ?? message },
        'Redis is unreachable or does not count; limiting per replica until it does',
      );
    }
    this.shares = false;
    this.attempted.resolve(undefined);
  }

  private async count(key: string, windowMs: number): Promise<SharedCount | undefined> {
    if (!this.shared.isConnected() || performance.now() < this.pausedUntil) return undefined;
    try {
      const counted = await withTimeout(this.shared.count(key, windowMs));
      if (!this.isShared) this.log.info('the limit is shared by all replicas through Redis');
      this.shares = true;
      this.attempted.resolve(undefined);
      return counted;
    } catch (error) {
      if (error instanceof NoAnswer) this.pausedUntil = performance.now() + PAUSE_MS;
      this.markFailed(error);
      return undefined;
    }
  }
}

/** Connects to Redis in the background, again and again. */
export function createRedisStore(url: string, log: Logger) {
  const client = createClient({
    url,
    // A command must fail at once while Redis is unreachable, not wait for it.
    disableOfflineQueue: true,
    socket: { connectTimeout: RECONNECT_MS, reconnectStrategy: RECONNECT_MS },
  });
  const count = async (key: string, windowMs: number): Promise<SharedCount> => {
    const options = { keys: [KEY_PREFIX + key], arguments: [String(windowMs)] };
    const [hits = NaN, leftMs = NaN] = (await client.eval(COUNT, options)) as unknown as number[];
    return { hits, leftMs };
  };
  const store = new FallbackStore({ isConnected: () => client.isReady, count }, log);
  client.on('ready', () => void store.tryOut());
  // Without a listener an error would end the process.
  client.on('error', (error: Error) => store.markFailed(error));
  client.connect().catch(() => undefined);
  return { store, close: () => client.destroy() };
}

class NoAnswer extends Error {}

async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new NoAnswer(`no answer within ${COUNT_MS} ms`));
  // After a pause of this process, an answer that has arrived meanwhile is read first.
  const timer = setTimeout(() => setImmediate(late), COUNT_MS);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
