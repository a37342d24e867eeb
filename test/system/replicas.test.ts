import { expect, it } from 'vitest';
import { freePort, startRedis } from '../support/servers.js';
import { spawnService, type SpawnedService } from '../support/spawned-service.js';

async function isShared({ metricsPort }: SpawnedService): Promise<boolean> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return /^license_decoder_limit_shared 1$/m.test(metrics);
}

/** A request that counts although it has no file. */
const attempt = async ({ url }: SpawnedService, client: string) =>
  (await fetch(`${url}/api/decode`, { method: 'POST', headers: { 'X-Forwarded-For': client } })).status;

let clients = 0;
/** Statuses of a new client's requests at these services, one after another. */
async function attempts(...services: SpawnedService[]): Promise<number[]> {
  const client = `198.51.100.${clients++ % 256}`;
  const statuses = [];
  for (const service of services) statuses.push(await attempt(service, client));
  return statuses;
}

const LIMITED = [400, 400, 400, 429];

it(
  'replicas share the limit while there is Redis, without it each limits alone',
  { tags: 'redis-server' },
  async () => {
    const port = await freePort();
    const REDIS_URL = `redis://127.0.0.1:${port}/3`;
    const settings = { REDIS_URL, RATE_LIMIT_MAX: '3', METRICS_PORT: '0' };
    const [one, two] = await Promise.all([spawnService(settings), spawnService(settings)]);
    const expectAlone = async () => {
      await expect.poll(() => Promise.all([isShared(one), isShared(two)])).toEqual([false, false]);
      for (const service of [one, two])
        expect(await attempts(service, service, service, service)).toEqual(LIMITED);
    };
    await expectAlone();
    const { process: redis } = await startRedis({ port });
    await expect.poll(() => Promise.all([isShared(one), isShared(two)])).toEqual([true, true]);
    // On a busy machine Redis may miss the 200 ms that it gets, and a replica counts alone for a while.
    await expect.poll(() => attempts(one, two, one, two)).toEqual(LIMITED);
    redis.kill('SIGKILL');
    await expectAlone();
  },
);
