import { expect, it } from 'vitest';
import { freePort, startNginx, startRedis } from '../support/servers.js';
import { LICENSE, startTestService, upload, type TestService } from '../support/service.js';
import type { TestSettings } from '../support/settings.js';

let clients = 0;
/** Statuses of a new client's requests at these services, one after another; each counts, although it has no file. */
async function attempts(...services: TestService[]): Promise<number[]> {
  const headers = { 'X-Forwarded-For': `198.51.100.${clients++ % 256}` };
  const statuses = [];
  for (const { url } of services)
    statuses.push((await fetch(`${url}/api/decode`, { method: 'POST', headers })).status);
  return statuses;
}

it(
  'three replicas tell the same of the limit, and nothing without Redis',
  { tags: 'redis-server' },
  async () => {
    const { port, process: redis } = await startRedis();
    const settings = { REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMIT_MAX: '3' };
    const start = () => startTestService(settings);
    const [one, two, three] = [await start(), await start(), await start()];

    const remainingAt = async ({ url }: TestService, headers: Record<string, string>) => {
      const response = await fetch(`${url}/api/status`, { headers });
      expect(response.status).toBe(200);
      return response.headers.get('x-ratelimit-remaining');
    };
    /** What each replica tells a new client before its first decode and after each. */
    const story = async () => {
      const headers = { 'X-Forwarded-For': `198.51.100.${clients++ % 256}` };
      const told = [];
      for (const replica of [one, two, three]) {
        for (const asked of [one, two, three]) told.push(await remainingAt(asked, headers));
        await fetch(`${replica.url}/api/decode`, { method: 'POST', headers });
      }
      return told.join(' ');
    };
    // On a busy machine Redis may miss the time that it gets; then these headers are left out, or a replica counts alone.
    await expect.poll(story).toBe('3 3 3 2 2 2 1 1 1');
    redis.kill('SIGKILL');
    await expect.poll(story).toBe(' '.repeat(8));
  },
);

it(
  'replicas share the limit while there is Redis, without it each limits alone',
  { tags: 'redis-server' },
  async () => {
    const port = await freePort();
    const settings = { REDIS_URL: `redis://127.0.0.1:${port}/3`, RATE_LIMIT_MAX: '3', METRICS_PORT: '0' };
    const [one, two] = await Promise.all([startTestService(settings), startTestService(settings)]);
    const limited = [400, 400, 400, 429];
    const each = [400, 400, 400, 400, 400, 400, 429, 429];
    const isShared = async () => {
      const metrics = await (await fetch(`${one.metricsUrl}/metrics`)).text();
      return /^license_decoder_limit_shared (.)/m.exec(metrics)?.[1];
    };
    expect(await attempts(one, two, one, two, one, two, one, two)).toEqual(each);
    expect(await isShared()).toBe('0');
    const { process: redis } = await startRedis({ port });
    // On a busy machine Redis may miss the 200 ms that it gets, and a replica counts alone for a while.
    await expect.poll(() => attempts(one, two, one, two)).toEqual(limited);
    await expect.poll(isShared).toBe('1');
    redis.kill('SIGKILL');
    await expect.poll(() => attempts(one, two, one, two, one, two, one, two)).toEqual(each);
  },
);

/** A replica that answers every decode with 503. */
const startWithoutRing = (settings: TestSettings) =>
  startTestService({ ...settings, RING_CMD: 'ring-that-is-nowhere' }, { PATH: '/nonexistent' });

it(
  'a decode that a replica answers with 503 is not counted, and its headers say so',
  { tags: 'redis-server' },
  async () => {
    const { port } = await startRedis();
    const settings = { REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMIT_MAX: '1' };
    const broken = await startWithoutRing(settings);
    const unserved = await upload(broken).expect(503);
    expect(unserved.headers).toMatchObject({ 'x-ratelimit-remaining': '1' });
    expect(unserved.headers['ratelimit']).toContain('r=1;');

    const { headers } = await upload(broken, LICENSE, 'a.txt').expect(400);
    expect(headers).toMatchObject({ 'x-ratelimit-remaining': '0' });
    expect((await upload(broken)).status).toBe(429);
  },
);

it('without Redis, a decode that is answered 503 counts', async () => {
  const broken = await startWithoutRing({ RATE_LIMIT_MAX: '1' });
  const { headers } = await upload(broken).expect(503);
  expect(headers).toMatchObject({ 'x-ratelimit-remaining': '0' });
  expect((await upload(broken)).status).toBe(429);
});

it(
  'through nginx, a request counts once, although the first of two replicas has no ring',
  { tags: ['redis-server', 'nginx'] },
  async () => {
    const { port } = await startRedis();
    const settings = { REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMIT_MAX: '3' };
    const [broken, good] = await Promise.all([startWithoutRing(settings), startTestService(settings)]);
    const nginx = { url: `http://127.0.0.1:${await startNginx([broken.port, good.port])}` };

    const answers = [];
    for (let n = 0; n < 4; n++) {
      const { status, headers } = await upload(nginx);
      answers.push([status, headers['x-ratelimit-remaining']]);
    }
    expect(answers).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
    // nginx has asked it too.
    expect(broken.requests().length).toBeGreaterThan(0);
  },
);
