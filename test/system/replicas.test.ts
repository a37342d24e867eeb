import { describe, expect, it } from 'vitest';
import { freePort, startRedis } from '../support/servers.js';
import { upload } from '../support/service.js';
import { spawnService, type SpawnedService } from '../support/spawned-service.js';

async function startReplicas(count: number, redisPort: number): Promise<SpawnedService[]> {
  const settings = {
    REDIS_URL: `redis://127.0.0.1:${redisPort}/3`,
    RATE_LIMIT_MAX: '3',
    RING_QUEUE_LIMIT: '1000',
    METRICS_PORT: '0',
  };
  return Promise.all(Array.from({ length: count }, () => spawnService(settings)));
}

async function isShared({ metricsPort }: SpawnedService): Promise<boolean> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return /^license_decoder_limit_shared 1$/m.test(metrics);
}

const warnings = ({ log }: SpawnedService) => log.filter(({ level, reason }) => level === 40 && reason);

/** Decodes for one client, one after another, at these services. */
async function decode(client: string, ...services: SpawnedService[]): Promise<number[]> {
  const statuses = [];
  for (const service of services) {
    statuses.push((await upload(service).set('X-Forwarded-For', client)).status);
  }
  return statuses;
}

/** A request that counts although it has no file. */
const attempt = async ({ url }: SpawnedService, client: string) =>
  (await fetch(`${url}/api/decode`, { method: 'POST', headers: { 'X-Forwarded-For': client } })).status;

describe('replicas with one Redis', { tags: 'redis-server' }, () => {
  it('let exactly three requests of a client pass, many at once too; without it each alone', async () => {
    const port = await freePort();
    const services = await startReplicas(3, port);
    const [one, two, three] = services as [SpawnedService, SpawnedService, SpawnedService];
    const alone = async (client: string) => {
      for (const service of services) {
        expect(await isShared(service)).toBe(false);
        expect(await decode(client, service, service, service, service)).toEqual([200, 200, 200, 429]);
      }
    };
    const sharing = async () => new Set(await Promise.all(services.map(isShared)));
    await alone('198.51.100.1');
    const redis = await startRedis(port);
    await expect.poll(sharing).toEqual(new Set([true]));
    const clients = Array.from({ length: 60 }, (_, i) => `203.0.113.${i}`);
    const passed = async (client: string) => {
      const statuses = await Promise.all([...services, ...services].map((each) => attempt(each, client)));
      return statuses.filter((status) => status !== 429).length;
    };
    expect(new Set(await Promise.all(clients.map(passed)))).toEqual(new Set([3]));
    expect(await decode('198.51.100.2', one, two, three, one)).toEqual([200, 200, 200, 429]);
    expect(services.map((each) => warnings(each).length)).toEqual([1, 1, 1]);
    redis.kill('SIGKILL');
    await expect.poll(sharing).toEqual(new Set([false]));
    await alone('198.51.100.3');
    expect(services.map((each) => warnings(each).length)).toEqual([2, 2, 2]);
  });
});
