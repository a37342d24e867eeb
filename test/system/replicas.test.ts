import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeRing } from '../support/fake-ring.js';
import { freePort, startRedis } from '../support/servers.js';
import { eventually, upload } from '../support/service.js';
import { spawnService, type SpawnedService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';

const WARN = 40;
const warnings = ({ log }: SpawnedService) =>
  log.filter(({ level, msg }) => level === WARN && String(msg).includes('Redis'));

async function isShared({ metricsPort }: SpawnedService): Promise<boolean> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return /^license_decoder_limit_shared 1$/m.test(metrics);
}

const share = (...services: SpawnedService[]) =>
  eventually(async () => (await Promise.all(services.map(isShared))).every(Boolean), 30_000);

async function replicas(port: number, settings: Record<string, string> = {}) {
  const all = {
    RING_CMD: await fakeRing(),
    REDIS_URL: `redis://127.0.0.1:${port}/3`,
    RATE_LIMIT_MAX: '3',
    METRICS_PORT: '0',
    ...settings,
  };
  return Promise.all([spawnService(all), spawnService(all)]);
}

/** Two services that have found the Redis at this port. */
async function sharingReplicas(port: number, settings: Record<string, string> = {}) {
  const services = await replicas(port, settings);
  expect(await share(...services)).toBe(true);
  return services;
}

/** Decodes for one client, one after another, at these services. */
async function decode(client: string, ...services: SpawnedService[]): Promise<number[]> {
  const statuses = [];
  for (const service of services)
    statuses.push((await upload(service).set('X-Forwarded-For', client)).status);
  return statuses;
}

async function kill(server: ChildProcess): Promise<void> {
  server.kill('SIGKILL');
  await once(server, 'exit');
}

/** A client that has not been counted before. */
const anybody = () => `198.18.${randomInt(256)}.${randomInt(256)}`;
const [CLIENT, OTHER, THIRD] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];

describe('two replicas with one Redis', { tags: 'redis-server' }, () => {
  it('allow a client three decodes over both', async () => {
    const port = await freePort();
    await startRedis(port);
    const [one, two] = await sharingReplicas(port);
    expect(await decode(CLIENT, one, two, one, two, one)).toEqual([200, 200, 200, 429, 429]);
    const { headers } = await upload(two).set('X-Forwarded-For', OTHER);
    expect(headers).toHaveProperty('x-ratelimit-remaining', '2');
    expect([...warnings(one), ...warnings(two)]).toEqual([]);
  });

  it('let exactly three of forty requests at once pass', async () => {
    const port = await freePort();
    await startRedis(port);
    const [one, two] = await sharingReplicas(port);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => decode(CLIENT, i % 2 ? one : two)),
    );
    expect(answers.flat().sort()).toEqual([...Array<number>(3).fill(200), ...Array<number>(37).fill(429)]);
  });

  it('share a window that ends for both', async () => {
    const port = await freePort();
    await startRedis(port);
    const [one, two] = await sharingReplicas(port, { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '10' });
    expect(await decode(CLIENT, one, two)).toEqual([200, 429]);
    expect(await eventually(async () => (await decode(CLIENT, two))[0] === 200, 30_000)).toBe(true);
    expect(await decode(CLIENT, one)).toEqual([429]);
  });

  it('each limit alone while Redis is down at the start, and share when it comes', async () => {
    const port = await freePort();
    const [one, two] = await replicas(port);
    for (const service of [one, two]) {
      expect(await decode(CLIENT, service, service, service, service)).toEqual([200, 200, 200, 429]);
      expect(warnings(service)).toHaveLength(1);
    }
    await startRedis(port);
    expect(await share(one, two)).toBe(true);
    expect(await decode(OTHER, one, two, one, two)).toEqual([200, 200, 200, 429]);
  });

  it('go on from what they have seen when Redis goes, and forget nothing when it comes back empty', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const [one, two] = await sharingReplicas(port);
    expect(await decode(CLIENT, one, one)).toEqual([200, 200]);
    expect(await decode(OTHER, one, one, one)).toEqual([200, 200, 200]);
    await kill(redis);
    expect(await decode(CLIENT, one, one)).toEqual([200, 429]);
    expect(warnings(one)).toHaveLength(1);

    await startRedis(port);
    expect(await share(one, two)).toBe(true);
    expect(await decode(CLIENT, one)).toEqual([429]);
    expect(await decode(OTHER, one)).toEqual([429]);
    expect(await decode(THIRD, one, two, one, two)).toEqual([200, 200, 200, 429]);
  });

  it('do not wait for a Redis that hangs, and share again when it goes on', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const [one] = await sharingReplicas(port);
    redis.kill('SIGSTOP');
    expect(await decode(CLIENT, one, one, one, one)).toEqual([200, 200, 200, 429]);
    expect(warnings(one)).toHaveLength(1);
    redis.kill('SIGCONT');
    const sharesAgain = async () => {
      await decode(anybody(), one);
      return isShared(one);
    };
    expect(await eventually(sharesAgain, 30_000)).toBe(true);
  });

  it('let a client in that waited as long as it was told, after Redis lost its counts', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const [one] = await sharingReplicas(port, { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '20' });
    expect(await decode(CLIENT, one)).toEqual([200]);
    await kill(redis);
    await startRedis(port);
    expect(await share(one)).toBe(true);
    expect(await decode(CLIENT, one, one)).toEqual([429, 429]);
    const { headers } = await upload(one).set('X-Forwarded-For', CLIENT).expect(429);
    await new Promise((resolve) => setTimeout(resolve, Number(headers['retry-after']) * 1000));
    expect(await decode(CLIENT, one)).toEqual([200]);
  });

  /** Ways in which a Redis that is reachable refuses to count; each returns what ends them. */
  const REFUSALS: Record<string, (admin: Admin, port: number) => Promise<() => Promise<unknown>>> = {
    NOPERM: async (admin) => {
      await admin.sendCommand(['ACL', 'SETUSER', 'default', '-eval']);
      return () => admin.sendCommand(['ACL', 'SETUSER', 'default', '+eval']);
    },
    BUSY: async (admin, port) => {
      await admin.sendCommand(['CONFIG', 'SET', 'busy-reply-threshold', '20']);
      const other = await adminOf(port);
      void other.eval('while true do end').catch(() => undefined);
      await eventually(() =>
        admin.ping().then(
          () => false,
          (error: unknown) => String(error).includes('BUSY'),
        ),
      );
      return () => admin.sendCommand(['SCRIPT', 'KILL']);
    },
    LOADING: async (admin) => {
      for (let i = 0; i < 300; i++) await admin.set(`key-${i}`, 'x'.repeat(1000));
      await admin.sendCommand(['CONFIG', 'SET', 'rdbcompression', 'no']);
      await admin.sendCommand(['CONFIG', 'SET', 'key-load-delay', '20000']);
      await admin.sendCommand(['CONFIG', 'SET', 'loading-process-events-interval-bytes', '1024']);
      void admin.sendCommand(['DEBUG', 'RELOAD']).catch(() => undefined);
      return () => Promise.resolve();
    },
  };

  it.each(Object.keys(REFUSALS))('limit alone while Redis answers %s, and share soon after', async (code) => {
    const port = await freePort();
    await startRedis(port, [
      '--appendonly',
      'no',
      '--enable-debug-command',
      'yes',
      '--dir',
      await tempDirectory(),
    ]);
    const admin = await adminOf(port);
    const [one, two] = await sharingReplicas(port);
    const end = await REFUSALS[code]?.(admin, port);
    expect(await decode(CLIENT, one, one, one, one)).toEqual([200, 200, 200, 429]);
    expect(warnings(one)).toMatchObject([{ reason: expect.stringMatching(`^${code}`) as string }]);
    await end?.();
    const sharesAgain = async () => {
      await decode(anybody(), one, two);
      return (await isShared(one)) && isShared(two);
    };
    expect(await eventually(sharesAgain, 60_000)).toBe(true);
    expect(await decode(OTHER, one, two, one, two)).toEqual([200, 200, 200, 429]);
  });
});

type Admin = Awaited<ReturnType<typeof adminOf>>;

/** A client of its own, which ends with the test. */
async function adminOf(port: number) {
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  client.on('error', () => undefined);
  onTestFinished(() => client.destroy());
  return client.connect();
}
