import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { Options } from 'express-rate-limit';
import { pino } from 'pino';
import { createClient } from 'redis';
import { expect, it, onTestFinished } from 'vitest';
import { RedisStore } from '../../src/access/redis-store.js';
import { freePort, startRedis } from '../support/servers.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const WINDOW_MS = 600_000;
const INFO = 30;
const KEY = 'license-decoder:limit:client';

/** The store of one replica, after its first attempt. */
async function connectStore(port: number) {
  const log: { level: number; reason?: string }[] = [];
  const logger = pino({ base: null }, { write: (line: string) => log.push(JSON.parse(line) as never) });
  const store = new RedisStore(`redis://localhost:${port}`, logger);
  onTestFinished(() => store.shutdown());
  store.init({ windowMs: WINDOW_MS } as Options);
  await store.connect();
  const hit = async (client = 'client') => (await store.increment(client)).totalHits;
  return { store, hit, log };
}

/** A connection of its own, which ends with the test. */
async function connectAdmin(port: number) {
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  client.on('error', () => undefined);
  onTestFinished(() => client.destroy());
  return client.connect();
}

it('counts for all replicas, and every key expires', { tags: 'redis-server' }, async () => {
  const port = await freePort();
  await startRedis(port);
  const [one, two] = [await connectStore(port), await connectStore(port)];
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

type Admin = Awaited<ReturnType<typeof connectAdmin>>;
interface Server {
  port: number;
  process: ChildProcess;
  admin: Admin;
}

const refuses = (admin: Admin, code: string) =>
  until(async () => (await admin.ping().catch(String)).includes(code));

/** Ways in which Redis does not count, by the reason that the log gives; each returns what ends them. */
const OUTAGES: Record<string, (server: Server) => (() => unknown) | Promise<() => unknown>> = {
  'Socket closed|ECONN|EPIPE': async ({ process, port }) => {
    process.kill('SIGKILL');
    await new Promise((resolve) => process.once('exit', resolve));
    return () => startRedis(port);
  },
  'no answer within 200 ms|The client is offline': ({ process }) => {
    process.kill('SIGSTOP');
    return () => process.kill('SIGCONT');
  },
  NOPERM: async ({ admin }) => {
    await admin.sendCommand(['ACL', 'SETUSER', 'default', '-eval']);
    return () => admin.sendCommand(['ACL', 'SETUSER', 'default', '+eval']);
  },
  BUSY: async ({ admin, port }) => {
    await admin.sendCommand(['CONFIG', 'SET', 'busy-reply-threshold', '20']);
    void (await connectAdmin(port)).eval('while true do end').catch(() => undefined);
    await refuses(admin, 'BUSY');
    return () => admin.sendCommand(['SCRIPT', 'KILL']);
  },
  LOADING: async ({ admin, port }) => {
    for (let i = 0; i < 300; i++) await admin.set(`key-${i}`, 'x'.repeat(1000));
    const slowLoad = { 'key-load-delay': '10000', 'loading-process-events-interval-bytes': '1024' };
    await admin.configSet({ rdbcompression: 'no', ...slowLoad });
    void (await connectAdmin(port)).sendCommand(['DEBUG', 'RELOAD']).catch(() => undefined);
    await refuses(admin, 'LOADING');
    return () => undefined;
  },
};

async function expectAlone(cause: string): Promise<void> {
  const port = await freePort();
  const process = await startRedis(port, ['--enable-debug-command', 'yes', '--dir', await tempDirectory()]);
  const server = { port, process, admin: await connectAdmin(port) };
  const { store, hit, log } = await connectStore(port);
  expect([await hit(), await hit()], cause).toEqual([1, 2]);
  const end = await OUTAGES[cause]?.(server);
  for (let hits = 1; hits <= 50; hits++) expect(await hit(), cause).toBe(hits);
  expect(store.isShared, cause).toBe(false);
  const started = await connectStore(port);
  await end?.();
  // Nobody sends a request meanwhile.
  await until(() => store.isShared === true && started.store.isShared === true);
  const calls = /calls=(\d+)/.exec((await server.admin.info('commandstats')).split('cmdstat_eval:')[1] ?? '');
  expect(Number(calls?.[1] ?? 0), `questions to Redis while ${cause}`).toBeLessThan(20);
  expect([await hit('another'), await started.hit('another')], cause).toEqual([1, 2]);
  const reason = expect.stringMatching(`^(${cause})`) as string;
  expect(log.map(({ level, reason }) => reason ?? level)).toEqual([INFO, reason, INFO]);
  expect(started.log.map(({ level, reason }) => reason ?? level)).toEqual([reason, INFO]);
}

it('counts alone through every outage, says so once, and shares again', { tags: 'redis-server' }, () =>
  Promise.all(Object.keys(OUTAGES).map(expectAlone)),
);

it('logs the words of a server that refuses connections, as Redis in protected mode does', async () => {
  const port = await freePort();
  const server = createServer((socket) => socket.end('-DENIED Redis is running in protected mode.\r\n'));
  onTestFinished(() => void server.close());
  server.listen(port, '127.0.0.1');
  expect((await connectStore(port)).log[0]?.reason).toBe('DENIED Redis is running in protected mode.');
});
