import { Agent } from 'node:http';
import { expect, it } from 'vitest';
import { freePort, startNginx, startRedis } from '../support/servers.js';
import { getStatus, startTestService, upload, type TestService } from '../support/service.js';
import { spawnService } from '../support/spawned-service.js';
import { filesIn } from '../support/temp.js';
import { until } from '../support/until.js';

let clients = 0;
/** Statuses of a new client's requests at these services, one after another; each counts, although it has no file. */
async function attempts(...services: TestService[]): Promise<number[]> {
  const headers = { 'X-Forwarded-For': `198.51.100.${clients++ % 256}`, 'X-Request-Id': 'always-the-same' };
  const statuses = [];
  for (const { url } of services)
    statuses.push((await fetch(`${url}/api/decode`, { method: 'POST', headers })).status);
  return statuses;
}

/** Settings of replicas that share a limit of 3. */
async function sharing(TRUST_REQUEST_ID: string) {
  const { port } = await startRedis();
  return { REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMIT_MAX: '3', TRUST_REQUEST_ID };
}

/** Uploads of a new client behind nginx, which takes its address from the connection. */
function clientBehind(nginxPort: number) {
  const agent = new Agent({ localAddress: `127.0.0.${2 + (clients++ % 250)}` });
  return () => upload({ url: `http://127.0.0.1:${nginxPort}` }).agent(agent);
}

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
    // What one replica has counted is not all that the client has used.
    const { headers } = await getStatus(one).expect(200);
    expect(headers).not.toHaveProperty('x-ratelimit-remaining');
  },
);

it.each([
  ['off', 'counts each request', [400, 400, 400, 429, 429, 429, 429]],
  ['on', 'lets a client pass that forges it up to twice as often', [400, 400, 400, 400, 400, 400, 429]],
])('TRUST_REQUEST_ID=%s %s', { tags: 'redis-server' }, async (TRUST_REQUEST_ID, _title, statuses) => {
  const service = await startTestService(await sharing(TRUST_REQUEST_ID));
  const replicas = statuses.map(() => service);
  await expect.poll(() => attempts(...replicas)).toEqual(statuses);
});

it(
  'through nginx, three of four requests at once are decoded, although one replica has no ring',
  { tags: ['redis-server', 'nginx'] },
  async () => {
    const settings = await sharing('on');
    const broken = await startTestService({ ...settings, RING_CMD: 'nowhere' }, { PATH: '/nonexistent' });
    const good = await startTestService(settings);
    const nginxPort = await startNginx([broken.port, good.port]);

    const fourAtOnce = async () => {
      const send = clientBehind(nginxPort);
      const answers = await Promise.all([send(), send(), send(), send()]);
      return answers.map(({ status }) => status).toSorted();
    };
    await expect.poll(fourAtOnce).toEqual([200, 200, 200, 429]);
    // nginx has asked it too.
    expect(broken.requests().length).toBeGreaterThan(0);
  },
);

it(
  'a decode whose replica is killed counts once, because nginx sends it to the other one with the same id',
  { tags: ['redis-server', 'nginx'] },
  async () => {
    const settings = await sharing('on');
    const victim = await spawnService({ ...settings, RING_CMD: { list: 'exec sleep 300' } });
    const other = await spawnService(settings);
    const send = clientBehind(await startNginx([victim.port, other.port]));

    const repeated = send().then(({ status, headers }) => [status, headers['x-ratelimit-remaining']]);
    await until(() => filesIn(victim).some((path) => path.endsWith('license.lic')));
    victim.process.kill('SIGKILL');
    const answers = [await repeated];
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await send();
      answers.push([status, headers['x-ratelimit-remaining']]);
    }
    expect(answers).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
  },
);
