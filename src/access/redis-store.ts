import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ClientRateLimitInfo } from 'express-rate-limit';
import type { Logger } from 'pino';
import { createClient, ErrorReply } from 'redis';
import { BoundedMemoryStore, NO_WINDOW } from './memory-store.js';

/** Begins our keys, because others may use the same Redis. */
const KEY_PREFIX = 'license-decoder:limit:';

/** Key of the attempts that only find out whether Redis counts. It is the key of no client. */
const NO_CLIENT = '';
/** Milliseconds until Redis removes that key again. */
const NO_CLIENT_WINDOW_MS = 1;

const TIMES = {
  /** Milliseconds Redis gets to count a request. */
  countMs: 200,
  /** Milliseconds Redis gets to tell a client's quota: so few that `GET /api/status` is quick even without an answer. */
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
   * Milliseconds without traffic after which a connection is given up. What we send counts as traffic too. So this must
   * be longer than `pingMs`, because the pings keep a good connection. They do not keep a dead one, because the next ping
   * is sent only after a reply. And it must be shorter than `pauseMs`, because our attempts to count, which are made even
   * without a reply, would keep a dead one.
   */
  silenceMs: 4_000,
};

/**
 * Counts a request in the window that begins with a client's first one. Returns the count and the milliseconds left of
 * the window. A key without an expiry, as `PERSIST` leaves it, would limit its client forever, so it gets a new one.
 */
const COUNT = `
local hits = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {hits, redis.call('PTTL', KEYS[1])}`;

/** Returns the count and the milliseconds left of a client's window; the latter are negative where there is none. */
const PEEK = `return {tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])}`;

/** The answer of both scripts. */
type Counted = [totalHits: number, leftMs: number];

/** Counts for all replicas in Redis. While Redis does not count, this replica counts in its own memory. */
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
    this.client = createClient({
      url,
      socket: {
        connectTimeout: times.connectMs,
        reconnectStrategy: times.reconnectMs,
        // A host that loses its power or its network closes no connection, and the kernel goes on sending to it for a
        // quarter of an hour. Without this time-out no new connection would be made before.
        socketTimeout: times.silenceMs,
      },
      pingInterval: times.pingMs,
      // Commands fail at once while there is no connection; in the queue, requests would wait for Redis to come back.
      disableOfflineQueue: true,
      // To receive these notifications, the client would do a lookup before it reads from the connection. A server that
      // refuses the connection at once, as Redis in protected mode does, would be gone before the client has read why.
      maintNotifications: 'disabled',
    });
    this.client.on('error', (error: Error) => {
      // Redis has refused a ping, to which its user may have no right. For the connection that is as good as an answer.
      const isRefusedPing = error instanceof ErrorReply && this.client.isReady;
      if (!isRefusedPing) this.countAlone(error);
    });
  }

  /** Connects, and goes on trying. Resolves after the first attempt to count, regardless of its outcome. */
  async connect(): Promise<void> {
    // The event `error` reports why an attempt fails.
    this.client.connect().catch(() => undefined);

    const timeout = AbortSignal.timeout(this.times.connectMs);
    try {
      await once(this.client, 'ready', { signal: timeout });
    } catch {
      // The attempt to count fails too then, and logs the reason.
    }
    await this.tryToCount();
  }

  override async increment(key: string): Promise<ClientRateLimitInfo> {
    if (this.isShared) {
      const counted = await this.countInRedis(key, this.windowMs);
      if (counted) return counted;
    }
    return super.increment(key);
  }

  /**
   * Tells how much a client has used at all replicas. That is unknown while Redis does not count, refuses to tell, or
   * takes longer than `peekMs`. Redis may still count after a failed peek, so a failure changes nothing.
   */
  override async peek(key: string): Promise<ClientRateLimitInfo | undefined> {
    if (!this.isShared) return undefined;
    // Requests for the status are not limited. Without this, those to a silent Redis would pile up in memory, and their
    // traffic would keep a dead connection.
    if (this.isPeekLate) return undefined;

    const keys = [KEY_PREFIX + key];
    const reply = this.client.eval(PEEK, { keys });
    try {
      const answer = await replyWithin(this.times.peekMs, reply);
      if (answer === undefined) {
        this.isPeekLate = true;
        void this.awaitLatePeek(reply);
        return undefined;
      }

      const [totalHits, leftMs] = answer as unknown as Counted;
      if (leftMs < 0) return NO_WINDOW;

      const resetTime = inMs(leftMs);
      return { totalHits, resetTime };
    } catch {
      return undefined;
    }
  }

  /** Allows the next peek once Redis has answered this one, even with an error. */
  private async awaitLatePeek(reply: Promise<unknown>): Promise<void> {
    await Promise.allSettled([reply]);
    this.isPeekLate = false;
  }

  override shutdown(): void {
    super.shutdown();
    this.client.destroy();
  }

  private async tryToCount(): Promise<void> {
    await this.countInRedis(NO_CLIENT, NO_CLIENT_WINDOW_MS);
  }

  /** @returns undefined if Redis did not count; then this replica counts for itself until it does */
  private async countInRedis(key: string, windowMs: number): Promise<ClientRateLimitInfo | undefined> {
    const { countMs } = this.times;
    const keys = [KEY_PREFIX + key];
    const args = [String(windowMs)];
    try {
      const reply = this.client.eval(COUNT, { keys, arguments: args });
      const answer = await replyWithin(countMs, reply);
      if (answer === undefined) throw new Error(`no answer within ${countMs} ms`);

      if (!this.isShared) this.log.info('the limit is shared by all replicas through Redis');
      this.isShared = true;
      const [totalHits, leftMs] = answer as unknown as Counted;
      const resetTime = inMs(leftMs);
      return { totalHits, resetTime };
    } catch (error) {
      this.countAlone(error as NodeJS.ErrnoException);
      return undefined;
    }
  }

  /** Logs an outage once, and plans the next attempt. */
  private countAlone({ code, message }: NodeJS.ErrnoException): void {
    const isShutDown = !this.client.isOpen;
    if (isShutDown) return;

    if (this.isShared !== false) {
      const reason = code ?? message;
      this.log.warn({ reason }, 'Redis is unreachable or does not count; limiting per replica until it does');
    }
    this.isShared = false;

    // Many requests may fail at once, and there is to be one attempt for all of them.
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.tryToCount(), this.times.pauseMs).unref();
  }
}

/** The time in so many milliseconds. */
function inMs(ms: number): Date {
  return new Date(Date.now() + ms);
}

/**
 * Waits for a reply of Redis.
 * @returns undefined if there is none so many milliseconds after the client has written
 */
async function replyWithin<T>(ms: number, reply: Promise<T>): Promise<T | undefined> {
  return Promise.race([reply, wait(ms)]);
}

/**
 * Waits, and lets the event loop turn before and after it. The client writes in the first turn. In the last turn, a reply
 * that has already arrived is read. Without the last turn, a process that was busy for a moment would take its own delay
 * for an outage of Redis.
 */
async function wait(ms: number): Promise<undefined> {
  await nextTurn();
  await sleep(ms, undefined, { ref: false });
  await nextTurn();
}
