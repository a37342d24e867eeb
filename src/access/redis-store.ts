import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createClient } from 'redis';
import type { LimitStore, Usage } from './limit-store.js';
import { MemoryStore } from './memory-store.js';

/** Begins our keys, because others may use the same Redis. */
const KEY_PREFIX = 'license-decoder:limit:';

/** Key of the attempts that only find out whether Redis counts. It is the key of no client. */
const NO_CLIENT = '';

const TIMES = {
  /** Milliseconds Redis gets to connect and log in. */
  connectMs: 1_000,
  /** Milliseconds Redis gets to answer. It usually needs less than one. */
  answerMs: 200,
  /** Milliseconds until a Redis that did not answer, or answered with an error, is tried again. */
  pauseMs: 1_000,
};

// The scripts use only commands that Redis 2.6 has. Each returns a count and the milliseconds left of the window.

/** Counts a request in the window that begins with a client's first one. */
const COUNT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {hits, redis.call('PTTL', KEYS[1])}`;

/** Counts nothing. The milliseconds are negative where there is no window. */
const PEEK = `return {tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])}`;

/** Takes one request out of the count of the current window, but never goes below none. */
const GIVE_BACK = `
local hits = tonumber(redis.call('GET', KEYS[1]) or 0)
if hits > 0 then hits = redis.call('DECR', KEYS[1]) end
return {hits, redis.call('PTTL', KEYS[1])}`;

type Client = ReturnType<typeof newClient>;

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
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly url: string,
    private readonly windowMs: number,
    private readonly log: Logger,
    private readonly times = TIMES,
  ) {
    this.memory = new MemoryStore(windowMs);
  }

  /** Connects, and goes on trying. Resolves after the first attempt, regardless of its outcome. */
  async connect(): Promise<void> {
    const { connectMs } = this.times;
    const client = newClient(this.url, connectMs);
    this.client = client;
    client.on('error', (error: Error) => this.countAlone(client, error));
    try {
      await within(connectMs, client.connect());
      // All three, because the user of the connection may have no right to one of their commands.
      for (const script of [COUNT, PEEK, GIVE_BACK]) await this.run(client, script, NO_CLIENT);
    } catch (error) {
      this.countAlone(client, error as Error);
      return;
    }

    this.isShared = true;
    this.log.info('the limit is shared by all replicas through Redis');
  }

  async count(key: string): Promise<Usage> {
    const usage = await this.ask(COUNT, key);
    return usage ?? this.memory.count(key);
  }

  /** What a client has used is unknown while this replica counts alone, because the others count on. */
  async peek(key: string): Promise<Usage | undefined> {
    return this.ask(PEEK, key);
  }

  async giveBack(key: string): Promise<Usage | undefined> {
    return this.ask(GIVE_BACK, key);
  }

  shutdown(): void {
    clearTimeout(this.retry);
    this.client?.destroy();
    this.client = undefined;
  }

  /** @returns undefined if Redis does not count at the moment */
  private async ask(script: string, key: string): Promise<Usage | undefined> {
    const { client } = this;
    if (!this.isShared || !client) return undefined;

    try {
      return await this.run(client, script, key);
    } catch (error) {
      this.countAlone(client, error as Error);
      return undefined;
    }
  }

  private async run(client: Client, script: string, key: string): Promise<Usage> {
    const reply = client.eval(script, { keys: [KEY_PREFIX + key], arguments: [String(this.windowMs)] });
    const [hits, leftMs] = await within(this.times.answerMs, reply as Promise<[number, number]>);
    return { hits, leftMs: leftMs < 0 ? this.windowMs : leftMs };
  }

  /** Gives up a connection, logs an outage once, and plans the next attempt. */
  private countAlone(client: Client, { code, message }: NodeJS.ErrnoException): void {
    // Many requests may fail at once. The first of them has given up the connection.
    if (client !== this.client) return;
    this.client = undefined;
    client.destroy();

    if (this.isShared !== false) {
      const reason = code ?? message;
      this.log.warn({ reason }, 'Redis is unreachable or does not count; limiting per replica until it does');
    }
    this.isShared = false;
    this.retry = setTimeout(() => void this.connect(), this.times.pauseMs).unref();
  }
}

function newClient(url: string, connectMs: number) {
  return createClient({
    url,
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
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
async function within<T extends object>(ms: number, reply: Promise<T>): Promise<T> {
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
