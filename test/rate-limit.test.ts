import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { fakeRing } from './support/fake-ring.js';
import { decodeHead, sendRaw } from './support/raw-http.js';
import { LICENSE, startTestService, upload, type TestService } from './support/service.js';

const start = async (settings: Record<string, string> = {}) =>
  startTestService({ RING_CMD: await fakeRing(), RATE_LIMIT_MAX: '3', ...settings });

const from = (service: TestService, forwardedFor: string) =>
  upload(service).set('X-Forwarded-For', forwardedFor);
const statuses = async (requests: PromiseLike<{ status: number }>[]) =>
  (await Promise.all(requests)).map(({ status }) => status);

describe('the limit', () => {
  it('lets three anonymous requests pass and answers the fourth with 429', async () => {
    const service = await start();
    for (const remaining of ['2', '1', '0']) {
      const response = await upload(service).expect(200);
      expect(response.headers).toMatchObject({
        'x-ratelimit-limit': '3',
        'x-ratelimit-remaining': remaining,
      });
      expect(Number(response.headers['x-ratelimit-reset'])).toBeGreaterThan(3590);
      expect(Number(response.headers['x-ratelimit-reset'])).toBeLessThanOrEqual(3600);
    }
    const refused = await upload(service);
    expectDocumented(refused);
    expect(refused.status).toBe(429);
    const { retryAfter, ...rest } = refused.body as { retryAfter: number };
    expect(Object.keys(rest)).toEqual(['error', 'message']);
    expect(refused.headers).toMatchObject({
      'retry-after': String(retryAfter),
      'x-ratelimit-reset': String(retryAfter),
      'x-ratelimit-remaining': '0',
      'cache-control': 'no-store',
    });
    expect(refused.body).toMatchObject({
      error: 'rate_limited',
      message: expect.stringContaining(`3 decodes an hour`) as string,
    });
    expect((refused.body as { message: string }).message).toContain(`${retryAfter} seconds`);
  });

  it('counts requests whatever their outcome, with its headers on each', async () => {
    const service = await start();
    const wrongName = await upload(service, LICENSE, 'a.txt').expect(400);
    const notMultipart = await supertest(service.url).post('/api/decode').send({}).expect(400);
    const empty = await upload(service, Buffer.alloc(0)).expect(422);
    expect([wrongName, notMultipart, empty].map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
      '2',
      '1',
      '0',
    ]);
    await upload(service).expect(429);
  });

  it('lets exactly three of twenty requests at once pass', async () => {
    const service = await start();
    const answers = await statuses(Array.from({ length: 20 }, () => upload(service)));
    expect(answers.filter((status) => status === 200)).toHaveLength(3);
    expect(answers.filter((status) => status === 429)).toHaveLength(17);
  });

  it('begins anew when the window has ended', async () => {
    const service = await start({ RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '1' });
    await upload(service).expect(200);
    const refused = await upload(service).expect(429);
    expect((refused.body as { message: string }).message).toContain('1 decodes in 1 seconds');
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await upload(service).expect(200);
  });

  it('is decided before the upload is read', async () => {
    const service = await start({ RATE_LIMIT_MAX: '0' });
    const head = decodeHead(['Content-Type: multipart/form-data; boundary=x', 'Content-Length: 5000000']);
    const { responses } = await sendRaw(service.port, [head]);
    expect(responses).toMatchObject([{ status: 429 }]);
  });

  it('does not touch the other paths', async () => {
    const service = await start({ RATE_LIMIT_MAX: '1' });
    for (let i = 0; i < 5; i++) {
      for (const path of ['/api/status', '/api/docs', '/healthz']) {
        const response = await supertest(service.url).get(path);
        expect(response.status).toBeLessThan(429);
        expect(response.headers).not.toHaveProperty('x-ratelimit-limit');
      }
    }
    await upload(service).expect(200);
  });
});

describe('the client address', () => {
  it.each<[string, string | undefined, string[], string[]]>([
    ['the default trusts a proxy on this machine', undefined, ['203.0.113.1'], ['203.0.113.2']],
    [
      'ports are no part of it',
      undefined,
      ['203.0.113.1:1000', '203.0.113.1:2000', '203.0.113.1'],
      ['203.0.113.2:1000'],
    ],
    [
      'a forged first entry does not count',
      undefined,
      ['1.1.1.1, 203.0.113.1', '2.2.2.2, 203.0.113.1', 'x, 203.0.113.1'],
      ['1.1.1.1, 203.0.113.2'],
    ],
    [
      'nor a forged chain of many',
      undefined,
      ['9.9.9.9, 8.8.8.8, 203.0.113.1', '7.7.7.7,203.0.113.1'],
      ['203.0.113.9'],
    ],
    [
      'inner proxies are passed over',
      undefined,
      ['203.0.113.1, 10.0.0.7', '203.0.113.1, 10.0.0.8, 127.0.0.1', '203.0.113.1, 10.0.0.7:4711'],
      ['203.0.113.2, 10.0.0.7'],
    ],
    [
      'what is no address counts as the proxy itself',
      undefined,
      ['garbage', 'more garbage', 'unknown', '_hidden', '999.1.1.1', ''],
      ['203.0.113.1'],
    ],
    [
      'IPv6 counts by its /56',
      undefined,
      ['2001:db8:1:100::1', '2001:db8:1:1ff::2', '[2001:db8:1:100::9]:443'],
      ['2001:db8:1:200::1'],
    ],
    ['IPv4 mapped to IPv6 is IPv4', undefined, ['::ffff:203.0.113.1', '203.0.113.1'], ['::ffff:203.0.113.2']],
    ['off trusts nobody', 'off', ['203.0.113.1', '203.0.113.2', '203.0.113.3, 203.0.113.4'], []],
    [
      'one hop takes the last entry',
      '1',
      ['9.9.9.9, 203.0.113.1', '8.8.8.8, 203.0.113.1'],
      ['203.0.113.1, 203.0.113.2'],
    ],
    [
      'two hops take the one before',
      '2',
      ['9.9.9.9, 203.0.113.1, 198.51.100.1', '203.0.113.1, 198.51.100.2'],
      ['203.0.113.2, 198.51.100.1'],
    ],
    [
      'only the listed proxies are trusted',
      '127.0.0.1, 198.51.100.0/24',
      ['9.9.9.9, 203.0.113.1, 198.51.100.7'],
      ['198.51.100.7, 10.0.0.1'],
    ],
    ['a list without this machine trusts nobody here', '198.51.100.0/24', ['203.0.113.1', '203.0.113.2'], []],
  ])('%s', async (_title, trustProxy, same, others) => {
    const service = await start({
      RATE_LIMIT_MAX: '1',
      ...(trustProxy !== undefined && { TRUST_PROXY: trustProxy }),
    });
    expect((await from(service, same[0] ?? '')).status).toBe(200);
    for (const chain of same) expect([chain, (await from(service, chain)).status]).toEqual([chain, 429]);
    for (const chain of others) expect([chain, (await from(service, chain)).status]).toEqual([chain, 200]);
  });

  it('makes the limiter report nothing', async () => {
    const service = await start();
    await from(service, '203.0.113.1');
    await upload(service).set('Forwarded', 'for=203.0.113.1');
    expect(service.log.filter(({ msg }) => String(msg).startsWith('the limiter'))).toEqual([]);
  });
});
