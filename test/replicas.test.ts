import type { ChildProcess } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { fakeRing } from './support/fake-ring.js';
import { freePort, isInstalled, startRedis } from './support/servers.js';
import { eventually, upload } from './support/service.js';
import { spawnService, type SpawnedService } from './support/spawned-service.js';

const hasRedis = isInstalled('redis-server', 'redis-server', 'several replicas with one limit');

const said = (service: SpawnedService, text: string) =>
  service.log.filter(({ msg }) => String(msg).includes(text)).length;
const away = (service: SpawnedService) => said(service, 'Redis is away');
const shared = (service: SpawnedService) => said(service, 'shared by all replicas');

async function replicas(
  port: number,
  settings: Record<string, string> = {},
): Promise<[SpawnedService, SpawnedService]> {
  const all = {
    RING_CMD: await fakeRing(),
    REDIS_URL: `redis://127.0.0.1:${port}/3`,
    RATE_LIMIT_MAX: '3',
    ...settings,
  };
  return Promise.all([spawnService(all), spawnService(all)]);
}

let client = 0;
/** An address that no other test uses. */
const newClient = () => `203.0.113.${++client}`;

async function decode(
  service: SpawnedService,
  address: string,
): Promise<{ status: number; remaining: string }> {
  const { status, headers } = await upload(service).set('X-Forwarded-For', address);
  return { status, remaining: String(headers['x-ratelimit-remaining']) };
}

async function stop(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await ended;
}

describe.skipIf(!hasRedis)('two replicas with one Redis', () => {
  it('let three an hour pass over both, one after another', async () => {
    const port = await freePort();
    await startRedis(port);
    const [one, two] = await replicas(port);
    const address = newClient();
    const answers = [];
    for (const service of [one, two, one, two, one]) answers.push(await decode(service, address));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers.map(({ remaining }) => remaining)).toEqual(['2', '1', '0', '0', '0']);
    expect([shared(one), shared(two), away(one), away(two)]).toEqual([1, 1, 0, 0]);
  });

  it('let exactly three of forty requests at once pass', async () => {
    const port = await freePort();
    await startRedis(port);
    const [one, two] = await replicas(port);
    const address = newClient();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => decode(i % 2 ? one : two, address)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(37);
  });

  it('share a window that ends for both', async () => {
    const port = await freePort();
    await startRedis(port);
    const [one, two] = await replicas(port, { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '2' });
    const address = newClient();
    expect((await decode(one, address)).status).toBe(200);
    expect((await decode(two, address)).status).toBe(429);
    await new Promise((resolve) => setTimeout(resolve, 2100));
    expect((await decode(two, address)).status).toBe(200);
    expect((await decode(one, address)).status).toBe(429);
  });

  it('each limit by their own count when Redis is away at the start, and share when it comes', async () => {
    const port = await freePort();
    const [one, two] = await replicas(port);
    const address = newClient();
    for (const service of [one, two]) {
      const answers = [];
      for (let i = 0; i < 4; i++) answers.push(await decode(service, address));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(away(service)).toBe(1);
    }
    await startRedis(port);
    expect(await eventually(() => shared(one) === 1 && shared(two) === 1)).toBe(true);
    const other = newClient();
    const answers = await Promise.all([one, two, one, two].map((service) => decode(service, other)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });

  it('go on by their own count when Redis goes, from what they have seen, and share again', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const [one, two] = await replicas(port);
    const address = newClient();
    expect((await decode(one, address)).remaining).toBe('2');
    expect((await decode(one, address)).remaining).toBe('1');
    await stop(redis);
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await decode(one, address));
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429]);
    await decode(two, address);
    expect([away(one), away(two)]).toEqual([1, 1]);

    await startRedis(port);
    expect(await eventually(() => shared(one) === 2 && shared(two) === 2)).toBe(true);
    const other = newClient();
    const again = await Promise.all(Array.from({ length: 8 }, (_, i) => decode(i % 2 ? one : two, other)));
    expect(again.filter(({ status }) => status === 200)).toHaveLength(3);
  });

  it('do not wait for a Redis that hangs, and share again when it goes on', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const [one] = await replicas(port);
    redis.kill('SIGSTOP');
    const address = newClient();
    for (const status of [200, 200, 200, 429]) expect((await decode(one, address)).status).toBe(status);
    expect(away(one)).toBe(1);
    redis.kill('SIGCONT');
    await decode(one, newClient());
    expect(shared(one)).toBe(2);
  });

  it('lose no count when Redis forgets the script', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const [one] = await replicas(port);
    await stop(redis);
    await startRedis(port);
    expect(await eventually(() => shared(one) === 2)).toBe(true);
    expect((await decode(one, newClient())).remaining).toBe('2');
    expect(away(one)).toBe(1);
  });
});

it('a service without REDIS_URL says that each replica counts for itself', async () => {
  const service = await spawnService({ RING_CMD: await fakeRing() });
  expect(said(service, 'by each replica for itself')).toBe(1);
});
