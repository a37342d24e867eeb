import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ClientRateLimitInfo } from 'express-rate-limit';
import type { Logger } from 'pino';
import { createClient, ErrorReply } from 'redis';
import { BoundedMemoryStore, NO_WINDOW } from './memory-store.js';

/** Begins our keys in a Redis that others may use too. */
const KEY_PREFIX = 'license-decoder:limit:';
const TIMES = {
  /** Milliseconds Redis gets to count a request. */
  countMs: 200,
  /** Milliseconds Redis gets to tell what is left: so short that `GET /api/status` is not slower without an answer. */
  peekMs: 50,
  /** Milliseconds until a Redis that did not count is tried again. */
  pauseMs: 5_000,
  /** Milliseconds an attempt to connect may take. */
  connectMs: 1_000,
  /** Milliseconds between two attempts to connect. */
  reconnectMs: 1_000,
  /** Milliseconds between two pings. */
  pingMs: 2_000,
  /**
   * Milliseconds without traffic after which the connection is given up. Longer than `pingMs`, because the pings keep a
   * connection that works. Shorter than `pauseMs`, because each attempt to count is traffic too: attempts to a host that
   * has died would keep its connection.
   */
  silenceMs: 4_000,
};

/** Counts a request in the window that begins with a client's first one; returns the count and milliseconds left. */
const COUNT = `
local hits = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {hits, redis.call('PTTL', KEYS[1])}`;

/** Returns the count and the milliseconds left of a client's window; the latter are negative where there is none. */
const PEEK = `return {tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])}`;

/** Counts for all replicas in Redis, and in this process alone while Redis does not. */
export class RedisStore extends BoundedMemoryStore {
  /** True while the replicas share their counts; undefined until the first attempt. */
  isShared: boolean | undefined;
  /** True while Redis owes the answer to a peek that was given up. */
  private isPeekLate = false;
  private retry: NodeJS.Timeout | undefined;
  private readonly client;

  constructor(
    url: string,
    private readonly log: Logger,
    private readonly times = TIMES,
  ) {
    super();
    const socket = {
      connectTimeout: times.connectMs,
      reconnectStrategy: times.reconnectMs,
      // A host that loses its power or its network closes no connection, and the kernel tries for a quarter of an hour to
      // send it what was written. Until then no other connection would be made.
      socketTimeout: times.silenceMs,
    };
    // Without its offline queue a command fails at once while there is no connection. What maintNotifications looks up
    // before the first command delays that, and a server that refuses the connection at once could not say why.
    this.client = createClient({
      url,
      socket,
      pingInterval: times.pingMs,
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
    });
    this.client.on('error', (error: Error) => {
      // Redis has refused a ping, to which its user may have no right. For the connection that is as good as an answer.
      const isRefusedPing = error instanceof ErrorReply && this.client.isReady;
      if (!isRefusedPing) this.countAlone(error);
    });
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

  /**
   * Tells what a client has used at all replicas. That is unknown while Redis does not count, and where it refuses to
   * tell or takes longer than `peekMs`. A failed peek says nothing of whether Redis counts.
   */
  override async peek(key: string): Promise<ClientRateLimitInfo | undefined> {
    // Whoever asks has no limit, so requests to a Redis that is silent would pile up in memory.
    if (!this.isShared || this.isPeekLate) return undefined;

    const reply = this.client.eval(PEEK, { keys: [KEY_PREFIX + key] });
    try {
      const answer = await replyWithin(this.times.peekMs, reply);
      if (answer === undefined) {
        this.isPeekLate = true;
        const answered = () => void (this.isPeekLate = false);
        void reply.then(answered, answered);
        return undefined;
      }

      const [totalHits, leftMs] = answer as unknown as [number, number];
      if (leftMs < 0) return NO_WINDOW;
      return { totalHits, resetTime: new Date(Date.now() + leftMs) };
    } catch {
      return undefined;
    }
  }

  override shutdown(): void {
    super.shutdown();
    this.client.destroy();
  }

  private async countInRedis(key: string, windowMs: number): Promise<ClientRateLimitInfo | undefined> {
    const request = { keys: [KEY_PREFIX + key], arguments: [String(windowMs)] };
    try {
      const answer = await replyWithin(this.times.countMs, this.client.eval(COUNT, request));
      if (answer === undefined) throw new Error(`no answer within ${this.times.countMs} ms`);
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

/**
 * Waits for a reply of Redis.
 * @returns undefined if there is none so many milliseconds after the client has written
 */
async function replyWithin<T>(ms: number, reply: Promise<T>): Promise<T | undefined> {
  return Promise.race([reply, waited(ms)]);
}

/** The turns of the event loop let a reply that has arrived be read first, so that a stall of this process is no outage. */
async function waited(ms: number): Promise<undefined> {
  await nextTurn();
  await sleep(ms, undefined, { ref: false });
  await nextTurn();
}
