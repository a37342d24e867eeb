import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { createClient } from 'redis';
import type { Logger } from 'pino';
import { BoundedMemoryStore } from './memory-store.js';

/** Begins our keys in a Redis that others may use too. */
const KEY_PREFIX = 'license-decoder:limit:';
/** Milliseconds Redis gets to count a request; then the local count decides. */
const COUNT_MS = 200;
/** Milliseconds between attempts to connect. */
const RECONNECT_MS = 1000;

/** The part of a Redis store that counts. */
export type SharedCounter = Pick<RedisStore, 'init' | 'increment'>;

/**
 * Counts in Redis and locally. The larger count decides: after a restart Redis has lost its counts, and the local one
 * knows only this replica's requests. While Redis is unreachable the local count decides alone.
 */
export class FallbackStore implements Store {
  private readonly local = new BoundedMemoryStore();
  private options: Options | undefined;
  private readonly attempted = Promise.withResolvers<undefined>();
  private connected: boolean | undefined;

  constructor(
    private readonly shared: SharedCounter,
    private readonly isConnected: () => boolean,
    private readonly log: Logger,
  ) {}

  /** True while the counts are shared through Redis. */
  get isShared(): boolean {
    return this.connected === true;
  }

  /** Resolves when the first attempt to reach Redis has succeeded or failed. */
  get firstAttempt(): Promise<unknown> {
    return this.attempted.promise;
  }

  init(options: Options): void {
    this.options = options;
    this.local.init(options);
    // Redis may have been faster than the limiter.
    if (this.isConnected()) void this.connect();
  }

  /** Loads the counting script into a Redis that was just reached: a restarted one has lost it. */
  async connect(): Promise<void> {
    if (!this.options) return;
    try {
      await this.shared.init(this.options);
      this.markConnected();
    } catch (error) {
      this.markUnreachable(error);
    }
  }

  async increment(key: string): Promise<ClientRateLimitInfo> {
    const local = this.local.increment(key);
    if (!this.isConnected()) return local;
    try {
      const shared = await withTimeout(this.shared.increment(key));
      this.markConnected();
      if (shared.totalHits < local.totalHits) return local;
      // Both windows end together, else a client that never pauses would always be in one of them.
      this.local.endWindow(key, shared.resetTime);
      return shared;
    } catch (error) {
      this.markUnreachable(error);
      return local;
    }
  }

  decrement(key: string): void {
    this.local.decrement(key);
  }

  resetKey(key: string): void {
    this.local.resetKey(key);
  }

  /** Logs once per outage. */
  markUnreachable(error: unknown): void {
    if (this.connected !== false) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.log.warn(
        { reason: code ?? message },
        'Redis is unreachable; limiting per replica until it reconnects',
      );
    }
    this.connected = false;
    this.attempted.resolve(undefined);
  }

  private markConnected(): void {
    if (this.connected !== true) this.log.info('the limit is shared by all replicas through Redis');
    this.connected = true;
    this.attempted.resolve(undefined);
  }
}

export interface RedisLimitStore {
  store: FallbackStore;
  close(): void;
}

/** Connects to Redis in the background, again and again. */
export function createRedisStore(url: string, log: Logger): RedisLimitStore {
  const client = createClient({
    url,
    // A command must fail at once while Redis is unreachable, not wait for it.
    disableOfflineQueue: true,
    socket: { connectTimeout: RECONNECT_MS, reconnectStrategy: RECONNECT_MS },
  });
  const shared = new RedisStore({
    prefix: KEY_PREFIX,
    sendCommand: (...command) => client.sendCommand(command),
  });
  const store = new FallbackStore(shared, () => client.isReady, log);
  client.on('ready', () => void store.connect());
  // Without a listener an error would end the process.
  client.on('error', (error: Error) => store.markUnreachable(error));
  client.connect().catch(() => undefined);
  return {
    store,
    close: () => client.destroy(),
  };
}

async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new Error(`no answer within ${COUNT_MS} ms`));
  // After a pause of this process, an answer that has arrived meanwhile is read first.
  const timer = setTimeout(() => setImmediate(late), COUNT_MS);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
