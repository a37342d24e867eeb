import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ClientRateLimitInfo } from 'express-rate-limit';
import type { Logger } from 'pino';
import { createClient } from 'redis';
import { BoundedMemoryStore } from './memory-store.js';

/** Begins our keys in a Redis that others may use too. */
const KEY_PREFIX = 'license-decoder:limit:';
const TIMES = {
  /** Milliseconds Redis gets to count a request. */
  countMs: 200,
  /** Milliseconds until a Redis that did not count is tried again. */
  pauseMs: 5_000,
  /** Milliseconds an attempt to connect may take. */
  connectMs: 1_000,
  /** Milliseconds between two attempts to connect. */
  reconnectMs: 1_000,
};

/** Counts a request in the window that begins with a client's first one; returns the count and milliseconds left. */
const COUNT = `
local hits = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {hits, redis.call('PTTL', KEYS[1])}`;

/** Counts for all replicas in Redis, and in this process alone while Redis does not. */
export class RedisStore extends BoundedMemoryStore {
  /** True while the replicas share their counts; undefined until the first attempt. */
  isShared: boolean | undefined;
  private retry: NodeJS.Timeout | undefined;
  private readonly client;

  constructor(
    url: string,
    private readonly log: Logger,
    private readonly times = TIMES,
  ) {
    super();
    const socket = { connectTimeout: times.connectMs, reconnectStrategy: times.reconnectMs };
    // Without its offline queue a command fails at once while there is no connection. What maintNotifications looks up
    // before the first command delays that, and a server that refuses the connection at once could not say why.
    this.client = createClient({ url, socket, disableOfflineQueue: true, maintNotifications: 'disabled' });
    this.client.on('error', (error: Error) => this.countAlone(error));
  }

  /** Connects, with retries. Resolves after the first attempt to count, which is for no client, however it ends. */
  async connect(): Promise<void> {
    this.client.connect().catch(() => undefined);
    await once(this.client, 'ready', { signal: AbortSignal.timeout(this.times.connectMs) }).catch(
      () => undefined,
    );
    await this.countInRedis('', 1);
  }

  override async increment(key: string): Promise<ClientRateLimitInfo> {
    return (this.isShared ? await this.countInRedis(key, this.windowMs) : undefined) ?? super.increment(key);
  }

  override shutdown(): void {
    super.shutdown();
    this.client.destroy();
  }

  private async countInRedis(key: string, windowMs: number): Promise<ClientRateLimitInfo | undefined> {
    const request = { keys: [KEY_PREFIX + key], arguments: [String(windowMs)] };
    try {
      const answer = await Promise.race([this.client.eval(COUNT, request), noAnswer(this.times.countMs)]);
      const [totalHits, leftMs] = answer as unknown as [number, number];
      if (!this.isShared) this.log.info('the limit is shared by all replicas through Redis');
      this.isShared = true;
      return { totalHits, resetTime: new Date(Date.now() + leftMs) };
    } catch (error) {
      this.countAlone(error as NodeJS.ErrnoException);
      return undefined;
    }
  }

  private countAlone({ code, message }: NodeJS.ErrnoException): void {
    // After shutdown, missing answers are no outage.
    if (!this.client.isOpen) return;
    if (this.isShared !== false) {
      const reason = code ?? message;
      this.log.warn({ reason }, 'Redis is unreachable or does not count; limiting per replica until it does');
    }
    this.isShared = false;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.countInRedis('', 1), this.times.pauseMs).unref();
  }
}

/** Rejects so long after the client has written, not counting stalls of this process. */
async function noAnswer(countMs: number): Promise<never> {
  await nextTurn();
  await sleep(countMs, undefined, { ref: false });
  await nextTurn();
  throw new Error(`no answer within ${countMs} ms`);
}
