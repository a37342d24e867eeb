import { MemoryStore, type ClientRateLimitInfo, type Options, type Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { createClient } from 'redis';
import type { Config } from './config.js';
import type { Logger } from './logger.js';

/** Keys of this service in a Redis that others may share. */
const KEY_PREFIX = 'license-decoder:limit:';
/** Milliseconds a count in Redis may take; then this process's own count decides. */
const ANSWER_MS = 150;
/** Milliseconds between two attempts to reach a Redis that is away. */
const RECONNECT_MS = 1000;

export interface LimitStore {
  store: Store;
  /** True while the counts live in Redis. */
  isShared: () => boolean;
  /** Resolves when Redis has been reached for the first time, or not. */
  tried: Promise<unknown>;
  close(): void;
}

/** The limiter's counts: in Redis when REDIS_URL is set, else undefined, which means in this process. */
export function createLimitStore({ REDIS_URL }: Config, log: Logger): LimitStore | undefined {
  if (!REDIS_URL) {
    log.info('REDIS_URL is not set: the limit is counted in memory, by each replica for itself');
    return undefined;
  }
  const client = createClient({
    url: REDIS_URL,
    // A command must fail at once while Redis is away, not wait for it.
    disableOfflineQueue: true,
    socket: { connectTimeout: RECONNECT_MS, reconnectStrategy: RECONNECT_MS },
  });
  const shared = new RedisStore({
    prefix: KEY_PREFIX,
    sendCommand: (...command) => client.sendCommand(command),
  });
  const store = new SharedStore(shared, () => client.isReady, log);
  client.on('ready', () => {
    void store.shareAgain();
  });
  // Without a listener an error would end the process; what there is to say the store says, once.
  client.on('error', (error: Error) => {
    store.countAlone(error);
  });
  client.connect().catch(() => undefined);
  return {
    store,
    isShared: () => store.sharing === true,
    tried: store.tried.promise,
    close: () => {
      client.destroy();
    },
  };
}

/**
 * Counts in Redis, and beside it in this process: while Redis is away the own count goes on from what this
 * process has seen.
 */
class SharedStore implements Store {
  private readonly own = new MemoryStore();
  private options: Options | undefined;
  /** Undefined until Redis has been tried. */
  sharing: boolean | undefined;
  readonly tried = Promise.withResolvers<undefined>();

  constructor(
    private readonly shared: RedisStore,
    private readonly isConnected: () => boolean,
    private readonly log: Logger,
  ) {}

  init(options: Options): void {
    this.options = options;
    this.own.init(options);
    this.shared.windowMs = options.windowMs;
  }

  /** Loads the counting script into a Redis that has just been reached; after a restart it no longer has it. */
  async shareAgain(): Promise<void> {
    if (!this.options) return;
    try {
      await this.shared.init(this.options);
      this.shareNow();
    } catch (error) {
      this.countAlone(error);
    }
  }

  async increment(key: string): Promise<ClientRateLimitInfo> {
    const own = await this.own.increment(key);
    if (!this.isConnected()) return own;
    try {
      const shared = await withinTime(this.shared.increment(key));
      this.shareNow();
      return shared;
    } catch (error) {
      this.countAlone(error);
      return own;
    }
  }

  async decrement(key: string): Promise<void> {
    await this.own.decrement(key);
  }

  async resetKey(key: string): Promise<void> {
    await this.own.resetKey(key);
  }

  /** Says once that Redis is away. */
  countAlone(error: unknown): void {
    if (this.sharing !== false) {
      this.log.warn(
        { reason: (error as NodeJS.ErrnoException).code ?? (error as Error).message },
        'Redis is away: until it is back each replica counts the limit for itself',
      );
    }
    this.sharing = false;
    this.tried.resolve(undefined);
  }

  private shareNow(): void {
    if (this.sharing !== true) this.log.info('the limit is shared by all replicas through Redis');
    this.sharing = true;
    this.tried.resolve(undefined);
  }
}

async function withinTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`no answer within ${ANSWER_MS} ms`));
  }, ANSWER_MS);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
