import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { fakeRing } from './support/fake-ring.js';
import { freePort, isInstalled, startNginx } from './support/servers.js';
import { LICENSE, upload } from './support/service.js';
import { filesOf, spawnService } from './support/spawned-service.js';

const hasNginx = isInstalled('nginx', 'nginx-light', 'the service behind nginx');
const MAX = 5_242_880;

async function behindNginx(settings: Record<string, string> = {}) {
  const service = await spawnService({ RING_CMD: await fakeRing(), ...settings });
  const { port } = await startNginx([service.port]);
  return { service, url: `http://127.0.0.1:${port}` };
}

describe.skipIf(!hasNginx)('behind nginx, with docs/deploy/nginx.conf', () => {
  it('a forged X-Forwarded-For gains nothing', async () => {
    const { url, service } = await behindNginx({ RATE_LIMIT_MAX: '3' });
    const statuses = [];
    for (const forged of ['', '1.1.1.1', '2.2.2.2', '3.3.3.3, 4.4.4.4', '10.0.0.1', '::1', 'x']) {
      const response = await upload({ url }).set('X-Forwarded-For', forged);
      statuses.push(response.status);
      expectDocumented(response);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429]);
    const addresses = service.log.flatMap(({ req }) => (req ? [(req as { address: string }).address] : []));
    expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']));
  });

  it.each([
    [MAX, 200, undefined],
    [MAX + 1, 413, 'file_too_large'],
    [7_000_000, 413, 'file_too_large'],
  ])('%i bytes: %i, in JSON', async (size, status, error) => {
    const { url } = await behindNginx();
    const response = await upload({ url }, randomBytes(size));
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect((response.body as { error?: string }).error).toBe(error);
  });

  it('no 502 on connections that are used again, between which they rest', async () => {
    const { url, service } = await behindNginx();
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const get = (path: string) =>
      new Promise<number>((resolve, reject) => {
        request(`${url}${path}`, { agent }, (response) => {
          response.resume();
          response.once('end', () => {
            resolve(response.statusCode ?? 0);
          });
        })
          .once('error', reject)
          .end();
      });
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round++) {
      for (const status of await Promise.all(Array.from({ length: 20 }, () => get('/healthz'))))
        statuses.add(status);
      await new Promise((resolve) => setTimeout(resolve, round * 20));
    }
    for (let i = 0; i < 20; i++) statuses.add((await upload({ url })).status);
    expect(statuses).toEqual(new Set([200]));
    agent.destroy();
    expect(filesOf(service)).toEqual([]);
  });

  it('no request is lost while connections rest longer than Node keeps them by default', async () => {
    const { url } = await behindNginx();
    expect((await upload({ url })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 6500));
    expect((await upload({ url })).status).toBe(200);
  });

  it('a replica that is down is passed over; none at all is a 502 in JSON', async () => {
    const service = await spawnService({ RING_CMD: await fakeRing() });
    const { port } = await startNginx([await freePort(), service.port]);
    for (let i = 0; i < 6; i++) expect((await upload({ url: `http://127.0.0.1:${port}` })).status).toBe(200);
    service.process.kill('SIGKILL');
    await service.exited;
    const response = await supertest(`http://127.0.0.1:${port}`)
      .post('/api/decode')
      .attach('license', LICENSE, 'a.lic');
    expect(response.status).toBe(502);
    expect(response.body).toMatchObject({ error: 'service_unreachable' });
  });

  it('restarts lose no decode: one replica drains while the other serves', async () => {
    const ring = await fakeRing({ list: 'sleep 0.2; echo 332588056123456-1' });
    const [one, two] = await Promise.all([
      spawnService({ RING_CMD: ring }),
      spawnService({ RING_CMD: ring }),
    ]);
    const { port } = await startNginx([one.port, two.port]);
    const statuses: number[] = [];
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 8; i++) statuses.push((await upload({ url: `http://127.0.0.1:${port}` })).status);
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    one.process.kill('SIGTERM');
    expect(await one.exited).toBe(0);
    await load;
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
