import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RedisStore } from '../../src/access/redis-store.js';
import { suspend } from '../support/processes.js';
import { recordedLog } from '../support/recorded-log.js';
import { freePort, listenAnywhere, startRedis } from '../support/servers.js';
import { until } from '../support/until.js';

const WINDOW_MS = 600_000;
const INFO = 30;
const MAX = 3;
const KEY = 'license-decoder:requests:client';
/** What a busy machine does not need. */
const TIMES = { connectMs: 10_000, answerMs: 3_000, pauseMs: 1_000, pingMs: 60_000 };

/** The store of one replica, which is connecting. */
function startStore(port: number, times = TIMES) {
  const { log, lines } = recordedLog();
  const store = new RedisStore(`redis://localhost:${port}`, WINDOW_MS, MAX, log, times);
  onTestFinished(() => store.shutdown());
  const connected = store.connect();
  const hit = async (client = 'client') => (await store.count(client)).hits;
  const used = async (client = 'client') => (await store.peek(client))?.hits;
  return { store, hit, used, connected, reasons: () => lines.map(({ level, reason }) => reason ?? level) };
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

/** A network between a replica and Redis. */
async function startRelay(target: number) {
  let current = target;
  const relay = createServer((client) => {
    const redis = connect(current, '127.0.0.1');
    client.pipe(redis).pipe(client);
    for (const socket of [client, redis]) socket.on('error', () => undefined);
    client.on('close', () => redis.destroy());
    onTestFinished(() => void client.destroy());
  });
  return {
    port: await listenAnywhere(relay),
    /** New connections reach another server, as after a failover. The connections of today stay. */
    leadTo: (port: number) => {
      current = port;
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
    'no answer within',
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
];

describe('with a real Redis', { tags: 'redis-server' }, () => {
  it('counts for all replicas, tells each of them what a client has used, and every key expires', async () => {
    const { port } = await startRedis();
    const [one, two] = [await shareStore(port), await shareStore(port)];
    expect(await one.store.peek('client')).toEqual({ hits: 0, leftMs: WINDOW_MS });
    const { leftMs } = await one.store.count('client');
    expect(Math.abs(leftMs - WINDOW_MS)).toBeLessThan(60_000);
    expect([await two.hit(), await one.hit(), await two.hit('another')]).toEqual([2, 3, 1]);
    for (const { store } of [one, two, one]) {
      const peeked = await store.peek('client');
      expect(peeked?.hits).toBe(3);
      expect(Math.abs(leftMs - (peeked?.leftMs ?? 0))).toBeLessThan(60_000);
    }

    const admin = await connectAdmin(port);
    const lifetimes = await Promise.all((await admin.keys('*')).map((key) => admin.pTTL(key)));
    expect(lifetimes.length).toBeGreaterThan(0);
    for (const lifetime of lifetimes) expect(lifetime).toBeGreaterThan(0);
    await admin.del(KEY);
    expect(await one.hit()).toBe(1);
  });

  it('counts a request once whose id comes again, at any replica, and once more at a third attempt', async () => {
    const { port } = await startRedis();
    const [one, two] = [await shareStore(port), await shareStore(port)];
    const attempts = [];
    for (const [{ store }, id] of [
      [one, 'a'],
      [one, 'b'],
      [two, 'a'],
      [two, 'b'],
      [one, 'a'],
    ] as const)
      attempts.push((await store.count('client', id)).hits);
    expect(attempts).toEqual([1, 2, 1, 2, 3]);
    expect(await two.used()).toBe(3);
    expect((await two.store.count('another', 'a')).hits).toBe(1);
  });

  it('keeps ids only within the limit and until they come again, and no id changes the count', async () => {
    const { port } = await startRedis();
    const { store, used } = await shareStore(port);
    const ids = ['n', 'again', 'again', 'third', 'too many', 'too many', 'n', 'n'];
    for (const id of ids) await store.count('client', id);
    const admin = await connectAdmin(port);
    expect(await admin.hKeys(KEY)).toEqual(['n', 'id:third']);
    expect(await used()).toBe(6);
  });

  it('takes an answer that is not two whole numbers for none', async () => {
    const { port } = await startRedis();
    const { store, used, reasons } = await shareStore(port);
    const admin = await connectAdmin(port);
    await admin.hSet(KEY, 'n', 'many');
    expect(await used()).toBeUndefined();
    await until(() => store.isShared === true);
    expect(reasons()).toEqual([INFO, 'the answer is not two whole numbers', INFO]);
  });

  it('sends pings while nobody decodes, so that Redis does not close the connection', async () => {
    const { port } = await startRedis();
    await shareStore(port, { ...TIMES, pingMs: 50 });
    const admin = await connectAdmin(port);
    // The first one is that of the attempt to connect.
    await until(async () => /cmdstat_ping:calls=[3-9]/.test(await admin.info('commandstats')));
  });

  it('counts through a Redis without the command HELLO, as Redis 5 is', async () => {
    const { port } = await startRedis({ options: ['--rename-command', 'HELLO', ''] });
    const { store, hit, connected } = startStore(port);
    await connected;
    expect([await hit(), await hit(), store.isShared]).toEqual([1, 2, true]);
  });

  it.each(['hdel', 'pexpire', 'ping'])(
    'counts alone, with one line in the log, where its user lacks the right to %s',
    async (command) => {
      const { port } = await startRedis();
      const admin = await connectAdmin(port);
      await admin.sendCommand(['ACL', 'SETUSER', 'default', `-${command}`]);
      const { store, hit, connected, reasons } = startStore(port, { ...TIMES, pauseMs: 50 });
      await connected;
      for (let hits = 1; hits <= 5; hits++) {
        expect(await hit()).toBe(hits);
        await store.connect();
      }
      expect(reasons()).toEqual([expect.stringMatching(/can't run this command|has no permissions/)]);
    },
  );

  it('finds the new primary while the old one lives on as a replica and answers READONLY', async () => {
    const [old, next] = [await startRedis(), await startRedis()];
    const network = await startRelay(old.port);
    const { store, hit, reasons } = await shareStore(network.port);
    expect(await hit()).toBe(1);

    const admin = await connectAdmin(old.port);
    await admin.sendCommand(['REPLICAOF', '127.0.0.1', String(next.port)]);
    network.leadTo(next.port);
    await hit('another');
    await until(() => store.isShared === true);
    await hit();

    const newPrimary = await connectAdmin(next.port);
    expect(await newPrimary.exists(KEY)).toBe(1);
    expect(reasons()).toEqual([INFO, expect.stringContaining('READONLY'), INFO]);
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
      const { port, process } = await startRedis();
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

  it('many requests at once that Redis does not count ask for one new attempt in each pause', async () => {
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
  });

  it('a request that is not counted because the service stops is no outage', async () => {
    const { port, process } = await startRedis();
    const { store, hit, reasons } = await shareStore(port);
    await suspend(process);
    const pending = hit();
    store.shutdown();
    expect(await pending).toBe(1);
    expect(reasons()).toEqual([INFO]);
    process.kill('SIGCONT');
  });

  it.each([
    ['before it has sent a request', 0],
    ['after that', 2],
  ])('a stall of this process is no outage of Redis: %s', async (_when, turns) => {
    const { port, process } = await startRedis();
    const { store, hit, reasons } = await shareStore(port);
    expect(await hit()).toBe(1);
    await suspend(process);
    const pending = hit();
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    // The answer comes during the stall if the request was sent before, else some time after it.
    if (turns > 0) process.kill('SIGCONT');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TIMES.answerMs + 500);
    setTimeout(() => process.kill('SIGCONT'), 300);
    expect(await pending).toBe(2);
    expect([store.isShared, ...reasons()]).toEqual([true, INFO]);
  });
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
