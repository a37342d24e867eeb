import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createClient } from 'redis';
import { z } from 'zod';
import type { LimitStore, Usage } from './limit-store.js';
import { MemoryStore } from './memory-store.js';

/** Begins our keys, because others may use the same Redis. */
const KEY_PREFIX = 'license-decoder:requests:';

/** Key of the attempts that only find out whether Redis counts. It is the key of no client. */
const NO_CLIENT = '';

const TIMES = {
  /** Milliseconds Redis gets to connect and log in. */
  connectMs: 1_000,
  /** Milliseconds Redis gets to answer. It usually needs less than one. */
  answerMs: 200,
  /** Milliseconds until a Redis that did not answer, or answered with an error, is tried again. */
  pauseMs: 1_000,
  /** Milliseconds between pings. They keep an idle connection that Redis would close after its `timeout`. */
  pingMs: 60_000,
};

// A client has a hash, which expires with its window. `n` is the count; `id:…` is the number of the request with this id.
// The scripts use only commands that Redis 2.6 has. Each returns a count and the milliseconds left of the window.
// ARGV: the milliseconds of a window, the limit, and the field of the id unless ids are not trusted.

/**
 * Counts a request in the window that begins with a client's first one. If its id is there, it was counted and has come
 * again, so it gets its number once more. The id is deleted then: a client that chooses its ids itself gets twice the
 * limit, and no more. Ids above the limit are not stored, so the hash stays small.
 */
const COUNT = `
local key, id = KEYS[1], ARGV[3]
local counted = id and redis.call('HGET', key, id)
if counted then
  redis.call('HDEL', key, id)
  return {tonumber(counted), redis.call('PTTL', key)}
end
local n = redis.call('HINCRBY', key, 'n', 1)
if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[1]) end
if id and n <= tonumber(ARGV[2]) then redis.call('HSET', key, id, n) end
return {n, redis.call('PTTL', key)}`;

/** Counts nothing. The milliseconds are negative where there is no window. */
const PEEK = `return {tonumber(redis.call('HGET', KEYS[1], 'n') or 0), redis.call('PTTL', KEYS[1])}`;

/** What the scripts return. Anything else counts as no answer. */
const ANSWER = z.tuple([z.int(), z.int()]);

type Connection = ReturnType<typeof newConnection>;

/**
 * Counts for all replicas in Redis. As soon as Redis is unreachable, answers with an error or does not answer in time,
 * this replica counts in its own memory. It then makes a new connection every {@link TIMES.pauseMs} until Redis counts.
 *
 * A new connection ends every kind of outage. It finds the new primary after a failover, while the old primary, which is
 * now a replica, keeps the old connection and answers READONLY there. It also replaces a connection that is dead although
 * nobody has closed it.
 */
export class RedisStore implements LimitStore {
  /** True while the replicas share their counts; undefined until the first attempt has ended. */
  isShared: boolean | undefined;
  private readonly memory: MemoryStore;
  /** The connection in use or, while this replica counts alone, that of the current attempt. */
  private connection: Connection | undefined;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly url: string,
    private readonly windowMs: number,
    private readonly max: number,
    private readonly log: Logger,
    private readonly times = TIMES,
  ) {
    this.memory = new MemoryStore(windowMs);
  }

  /** Connects, and goes on trying. Resolves after the first attempt, regardless of its outcome. */
  async connect(): Promise<void> {
    const { connectMs, pingMs } = this.times;
    const connection = newConnection(this.url, connectMs, pingMs);
    this.connection = connection;
    connection.on('error', (error: Error) => this.countAlone(connection, error));
    try {
      await within(connectMs, connection.connect());
      await this.tryOut(connection);
    } catch (error) {
      this.countAlone(connection, error as Error);
      return;
    }

    this.isShared = true;
    this.log.info('the limit is shared by all replicas through Redis');
  }

  async count(client: string, requestId?: string): Promise<Usage> {
    const usage = await this.ask(COUNT, client, requestId);
    return usage ?? this.memory.count(client);
  }

  /** What a client has used is unknown while this replica counts alone, because the others count on. */
  async peek(client: string): Promise<Usage | undefined> {
    return this.ask(PEEK, client);
  }

  shutdown(): void {
    clearTimeout(this.retry);
    this.connection?.destroy();
    this.connection = undefined;
  }

  /**
   * Runs every command that is ever used, because the user of the connection may have no right to one of them.
   * @throws if Redis refuses one, or does not answer
   */
  private async tryOut(connection: Connection): Promise<void> {
    // The first count stores the id, whatever the limit is, and the second one deletes it.
    for (const script of [COUNT, COUNT, PEEK]) {
      await this.run(connection, script, NO_CLIENT, 'trial', Number.MAX_SAFE_INTEGER);
    }
    await within(this.times.answerMs, connection.ping());
  }

  /** @returns undefined if Redis does not count at the moment */
  private async ask(script: string, client: string, requestId?: string): Promise<Usage | undefined> {
    const { connection } = this;
    if (!this.isShared || !connection) return undefined;

    try {
      return await this.run(connection, script, client, requestId);
    } catch (error) {
      this.countAlone(connection, error as Error);
      return undefined;
    }
  }

  /** @throws if Redis refuses the script, does not answer in time, or answers anything but two whole numbers */
  private async run(
    connection: Connection,
    script: string,
    client: string,
    requestId?: string,
    max = this.max,
  ): Promise<Usage> {
    const args = [String(this.windowMs), String(max)];
    if (requestId !== undefined) args.push(`id:${requestId}`);
    const reply = connection.eval(script, { keys: [KEY_PREFIX + client], arguments: args });

    const answer = ANSWER.safeParse(await within(this.times.answerMs, reply));
    if (!answer.success) throw new Error('the answer is not two whole numbers');

    const [hits, leftMs] = answer.data;
    return { hits, leftMs: leftMs < 0 ? this.windowMs : leftMs };
  }

  /** Gives up a connection, logs an outage once, and plans the next attempt. */
  private countAlone(connection: Connection, { code, message }: NodeJS.ErrnoException): void {
    // Many requests may fail at once. The first of them has given up the connection.
    if (connection !== this.connection) return;
    this.connection = undefined;
    connection.destroy();

    if (this.isShared !== false) {
      const reason = code ?? message;
      this.log.warn({ reason }, 'Redis is unreachable or does not count; limiting per replica until it does');
    }
    this.isShared = false;
    this.retry = setTimeout(() => void this.connect(), this.times.pauseMs).unref();
  }
}

function newConnection(url: string, connectMs: number, pingMs: number) {
  return createClient({
    url,
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
    pingInterval: pingMs,
    // Redis 5 and some proxies do not know the command HELLO, with which version 3 of the protocol begins.
    RESP: 2,
    // Commands fail at once while there is no connection.
    disableOfflineQueue: true,
    // The client would ignore any answer to these commands. So it would miss the words with which Redis in protected mode
    // refuses a connection.
    disableClientInfo: true,
  });
}

/**
 * Waits for Redis.
 * @throws if there is no reply so many milliseconds after the client has written
 */
async function within<T>(ms: number, reply: Promise<T>): Promise<T> {
  const answer = await Promise.race([reply, wait(ms)]);
  if (answer === undefined) throw new Error(`no answer within ${ms} ms`);
  return answer;
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
