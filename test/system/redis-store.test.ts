import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Options } from 'express-rate-limit';
import { pino } from 'pino';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RedisStore } from '../../src/access/redis-store.js';
import { suspend } from '../support/processes.js';
import { freePort, startRedis } from '../support/servers.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const WINDOW_MS = 600_000;
const INFO = 30;
const KEY = 'license-decoder:limit:client';
/** What a busy machine does not need. */
const TIMES = {
  countMs: 3_000,
  peekMs: 1_000,
  pauseMs: 1_000,
  connectMs: 10_000,
  reconnectMs: 500,
  pingMs: 500,
  silenceMs: 20_000,
};

/** The store of one replica, which is connecting. */
function startStore(port: number, times = TIMES) {
  const log: { level: number; reason?: string }[] = [];
  const logger = pino({ base: null }, { write: (line: string) => log.push(JSON.parse(line) as never) });
  const store = new RedisStore(`redis://localhost:${port}`, logger, times);
  onTestFinished(() => store.shutdown());
  store.init({ windowMs: WINDOW_MS } as Options);
  const connected = store.connect();
  const hit = async (client = 'client') => (await store.increment(client)).totalHits;
  const used = async (client = 'client') => (await store.peek(client))?.totalHits;
  return { store, hit, used, connected, reasons: () => log.map(({ level, reason }) => reason ?? level) };
}

/** The store of one replica that shares its counts. */
async function shareStore(port: number, times = TIMES) {
  const replica = startStore(port, times);
  await until(() => replica.store.isShared === true);
  return replica;
}

/** A connection of its own, which ends with the test. */
async function connectAdmin(port: number) {
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  client.on('error', () => undefined);
  onTestFinished(() => client.destroy());
  return client.connect();
}

/** A network between a replica and Redis that can lose connections without a word to either side. */
async function startRelay(target: number) {
  let isLost: { value: boolean } = { value: false };
  const relay = createServer((client) => {
    const lost = isLost;
    const redis = connect(target, '127.0.0.1');
    client.on('data', (data) => lost.value || redis.write(data));
    redis.on('data', (data) => lost.value || client.write(data));
    for (const socket of [client, redis]) socket.on('error', () => undefined);
    client.on('close', () => redis.destroy());
    onTestFinished(() => void client.destroy());
  });
  onTestFinished(() => void relay.close());
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (relay.address() as AddressInfo).port,
    /** From now on what is sent over the connections of today arrives nowhere. */
    loseConnections: () => {
      isLost.value = true;
      isLost = { value: false };
    },
  };
}

type Admin = Awaited<ReturnType<typeof connectAdmin>>;
interface Running {
  port: number;
  process: ChildProcess;
  admin: Admin;
}

const refuses = (admin: Admin, code: string) =>
  until(async () => (await admin.ping().catch(String)).includes(code));

/** Begins an outage. @returns what ends it */
type Begin = (server: Running) => Promise<() => unknown>;

/** Ways in which Redis does not count, with the reason that the log gives. */
const OUTAGES: [string, string, Begin][] = [
  [
    'is killed',
    'Socket closed|ECONN|EPIPE',
    async ({ process, port }) => {
      process.kill('SIGKILL');
      await once(process, 'exit');
      return () => startRedis({ port });
    },
  ],
  [
    'is suspended',
    `no answer within ${TIMES.countMs} ms|The client is offline`,
    async ({ process }) => {
      await suspend(process);
      return () => process.kill('SIGCONT');
    },
  ],
  [
    'allows no scripts',
    'NOPERM',
    async ({ admin }) => {
      await admin.sendCommand(['ACL', 'SETUSER', 'default', '-eval']);
      return () => admin.sendCommand(['ACL', 'SETUSER', 'default', '+eval']);
    },
  ],
  [
    'runs an endless script',
    'BUSY',
    async ({ admin, port }) => {
      await admin.sendCommand(['CONFIG', 'SET', 'busy-reply-threshold', '20']);
      void (await connectAdmin(port)).eval('while true do end').catch(() => undefined);
      await refuses(admin, 'BUSY');
      return () => admin.sendCommand(['SCRIPT', 'KILL']);
    },
  ],
  [
    'loads its data',
    'LOADING',
    async ({ admin, port }) => {
      await admin.sendCommand(['DEBUG', 'POPULATE', '6000', 'key', '1000']);
      // A minute, unless somebody ends the delay.
      const slowLoad = { 'key-load-delay': '10000', 'loading-process-events-interval-bytes': '1024' };
      await admin.configSet({ rdbcompression: 'no', ...slowLoad });
      void (await connectAdmin(port)).sendCommand(['DEBUG', 'RELOAD']).catch(() => undefined);
      await refuses(admin, 'LOADING');
      return () => admin.configSet('key-load-delay', '0');
    },
  ],
];

describe('with a real Redis', { tags: 'redis-server' }, () => {
  it('counts for all replicas, and every key expires', async () => {
    const { port } = await startRedis();
    const [one, two] = [await shareStore(port), await shareStore(port)];
    const { resetTime } = await one.store.increment('client');
    expect(Math.abs((resetTime?.getTime() ?? 0) - Date.now() - WINDOW_MS)).toBeLessThan(60_000);
    expect([await two.hit(), await one.hit(), await two.hit('another')]).toEqual([2, 3, 1]);

    const admin = await connectAdmin(port);
    const lifetimes = async () => Promise.all((await admin.keys('*')).map((key) => admin.pTTL(key)));
    for (const lifetime of await lifetimes()) expect(lifetime).toBeGreaterThan(0);
    await admin.persist(KEY);
    expect(await two.hit()).toBe(4);
    for (const lifetime of await lifetimes()) expect(lifetime).toBeGreaterThan(0);
    await admin.del(KEY);
    expect(await one.hit()).toBe(1);
  });

  it('tells at each replica what a client has used at all, and counts nothing', async () => {
    const { port } = await startRedis();
    const [one, two, three] = [await shareStore(port), await shareStore(port), await shareStore(port)];
    expect(await one.store.peek('client')).toEqual({ totalHits: 0, resetTime: undefined });
    await one.hit();
    const { resetTime } = await two.store.increment('client');
    for (const { store } of [one, two, three, one]) {
      const peeked = await store.peek('client');
      expect(peeked?.totalHits).toBe(2);
      expect(Math.abs(Number(peeked?.resetTime) - Number(resetTime))).toBeLessThan(1_000);
    }
    expect(await three.used('another')).toBe(0);
    expect(await three.hit()).toBe(3);
  });

  it('does not tell what a client has used while Redis is silent, and asks only once', async () => {
    const { port, process } = await startRedis();
    const admin = await connectAdmin(port);
    const { hit, used, store, reasons } = await shareStore(port);
    await hit();
    const calls = async () => /cmdstat_eval:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1];
    const before = Number(await calls());
    await suspend(process);
    expect(await used()).toBeUndefined();
    for (let i = 0; i < 100; i++) expect(await used()).toBeUndefined();
    process.kill('SIGCONT');
    await until(async () => (await used()) === 1);
    expect(Number(await calls())).toBe(before + 2);
    // Replies that a status did not wait for are no outage.
    expect([store.isShared, ...reasons()]).toEqual([true, INFO]);
  });

  it('counts also where its user may not read what a client has used', async () => {
    const { port } = await startRedis();
    const admin = await connectAdmin(port);
    const { hit, used, store } = await shareStore(port);
    await admin.sendCommand(['ACL', 'SETUSER', 'default', '-get']);
    expect([await used(), await hit(), await used(), await hit()]).toEqual([undefined, 1, undefined, 2]);
    expect(store.isShared).toBe(true);
  });

  it('gives up a connection whose other side falls silent, and shares again over a new one', async () => {
    const redis = await startRedis();
    const network = await startRelay(redis.port);
    const { store, hit, reasons } = await shareStore(network.port, { ...TIMES, silenceMs: 2_000 });
    expect(await hit()).toBe(1);
    network.loseConnections();
    // Nobody sends a request meanwhile.
    await until(() => store.isShared === false);
    await until(() => store.isShared === true);
    expect(await hit()).toBe(2);
    expect(reasons()).toEqual([INFO, expect.stringContaining('timeout'), INFO]);
  });

  it('gives it up also while requests are sent to it', async () => {
    const redis = await startRedis();
    const network = await startRelay(redis.port);
    const times = { ...TIMES, countMs: 200, pauseMs: 3_000, silenceMs: 2_000 };
    const { store, hit } = await shareStore(network.port, times);
    network.loseConnections();
    await until(async () => {
      await hit('another');
      return store.isShared === false;
    });
    await until(async () => {
      await hit('another');
      return store.isShared === true;
    });
  });

  it('keeps the connection of a user that may not ping', async () => {
    const { port } = await startRedis();
    const admin = await connectAdmin(port);
    const { store, hit, reasons } = await shareStore(port);
    await admin.sendCommand(['ACL', 'SETUSER', 'default', '-ping']);
    const refused = async () => /cmdstat_ping:.*rejected_calls=[1-9]/.test(await admin.info('commandstats'));
    await until(refused);
    expect(await hit()).toBe(1);
    expect([store.isShared, ...reasons()]).toEqual([true, INFO]);
  });

  it('counts each of many requests at once on several replicas', async () => {
    const { port } = await startRedis();
    const replicas = [await shareStore(port), await shareStore(port), await shareStore(port)];
    const hits = async (client: string) =>
      (await Promise.all([...replicas, ...replicas].map(({ hit }) => hit(client)))).toSorted();
    const clients = Array.from({ length: 60 }, (_, i) => `client ${i}`);
    expect(await Promise.all(clients.map(hits))).toEqual(Array(60).fill([1, 2, 3, 4, 5, 6]));
  });

  it.each(OUTAGES)(
    'counts alone while Redis %s, says so once, and shares again',
    async (_title, cause, begin) => {
      const options = ['--enable-debug-command', 'yes', '--dir', await tempDirectory()];
      const { port, process } = await startRedis({ options });
      const admin = await connectAdmin(port);
      const { store, hit, used, reasons } = await shareStore(port);
      expect([await hit(), await hit()]).toEqual([1, 2]);
      const end = await begin({ port, process, admin });
      const started = startStore(port);
      for (let hits = 1; hits <= 50; hits++) expect(await hit()).toBe(hits);
      expect(store.isShared).toBe(false);
      // What this replica alone has counted is not what is left.
      expect(await used()).toBeUndefined();
      await until(() => started.store.isShared === false);
      await end();
      // Nobody sends a request meanwhile.
      await until(() => store.isShared === true && started.store.isShared === true);
      const calls = /calls=(\d+)/.exec((await admin.info('commandstats')).split('cmdstat_eval:')[1] ?? '');
      // Fewer than the requests above: one in each pause.
      expect(Number(calls?.[1] ?? 0)).toBeLessThan(50);
      expect([await hit('another'), await started.hit('another')]).toEqual([1, 2]);
      const reason = expect.stringMatching(`^(${cause})`) as string;
      expect(reasons()).toEqual([INFO, reason, INFO]);
      expect(started.reasons()).toEqual([reason, INFO]);
    },
  );
});

it(
  'many requests at once that Redis does not count ask for one new attempt in each pause',
  { tags: 'redis-server' },
  async () => {
    const { port } = await startRedis();
    const admin = await connectAdmin(port);
    const { hit } = await shareStore(port);
    const refused = async () =>
      Number(/cmdstat_eval:.*rejected_calls=(\d+)/.exec(await admin.info('commandstats'))?.[1] ?? 0);
    await admin.sendCommand(['ACL', 'SETUSER', 'default', '-eval']);
    const hits = await Promise.all(Array.from({ length: 50 }, () => hit()));
    expect(hits.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    await until(async () => (await refused()) >= 53);
    expect(await refused()).toBeLessThan(60);
  },
);

it(
  'a request that is not counted because the service stops is no outage',
  { tags: 'redis-server' },
  async () => {
    const { port, process } = await startRedis();
    const { store, hit, reasons } = await shareStore(port);
    await suspend(process);
    const pending = hit();
    store.shutdown();
    expect(await pending).toBe(1);
    expect(reasons()).toEqual([INFO]);
    process.kill('SIGCONT');
  },
);

it.each([
  ['before it has sent a request', 0],
  ['after that', 2],
])('a stall of this process is no outage of Redis: %s', { tags: 'redis-server' }, async (_when, turns) => {
  const { port, process } = await startRedis();
  const { store, hit, reasons } = await shareStore(port);
  expect(await hit()).toBe(1);
  await suspend(process);
  const pending = hit();
  for (let turn = 0; turn < turns; turn++) await nextTurn();
  // The answer comes during the stall if the request was sent before, else some time after it.
  if (turns > 0) process.kill('SIGCONT');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TIMES.countMs + 500);
  setTimeout(() => process.kill('SIGCONT'), 300);
  expect(await pending).toBe(2);
  expect([store.isShared, ...reasons()]).toEqual([true, INFO]);
});

it('logs the words of a server that refuses connections, as Redis in protected mode does', async () => {
  const port = await freePort();
  const server = createServer((socket) => socket.end('-DENIED Redis is running in protected mode.\r\n'));
  onTestFinished(() => void server.close());
  server.listen(port, '127.0.0.1');
  const { connected, reasons } = startStore(port);
  await connected;
  expect(reasons()[0]).toBe('DENIED Redis is running in protected mode.');
});
