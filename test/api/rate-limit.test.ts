import supertest from 'supertest';
import { expect, it } from 'vitest';
import { expectError } from '../support/contract.js';
import { LICENSE, startTestService, upload, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const start = async (settings: Record<string, string> = {}) =>
  startTestService({ RATE_LIMIT_MAX: '3', ...settings });

const from = (service: TestService, forwardedFor: string) =>
  upload(service).set('X-Forwarded-For', forwardedFor);

it('the limit lets three anonymous requests pass and answers the fourth with 429', async () => {
  const service = await start();
  for (const remaining of ['2', '1', '0']) {
    const { headers } = await upload(service).expect(200);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': remaining });
    expect(headers['x-ratelimit-reset']).toMatch(/^3[56]\d\d$/);
    expect(headers['ratelimit']).toContain(`r=${remaining};`);
    expect(headers).not.toHaveProperty('www-authenticate');
  }
  const refused = await upload(service);
  expectError(refused, 'rate_limited');
  const { retryAfter, message } = refused.body as { retryAfter: number; message: string };
  expect(refused.headers).toMatchObject({
    'retry-after': String(retryAfter),
    'x-ratelimit-reset': String(retryAfter),
    'x-ratelimit-remaining': '0',
    'cache-control': 'no-store',
  });
  expect(message).toContain('3 decodes per hour');
  expect(message).toContain(`${retryAfter} seconds`);
});

it('the limit counts requests regardless of their outcome, with its headers on each', async () => {
  const service = await start();
  const wrongName = await upload(service, LICENSE, 'a.txt').expect(400);
  const notMultipart = await supertest(service.url).post('/api/decode').send({}).expect(400);
  const empty = await upload(service, Buffer.alloc(0)).expect(422);
  const remaining = [wrongName, notMultipart, empty].map(({ headers }) => headers['x-ratelimit-remaining']);
  expect(remaining).toEqual(['2', '1', '0']);
  expectError(await upload(service), 'rate_limited');
});

it('the limit begins anew when the window has ended', async () => {
  const service = await start({ RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '2' });
  const refused = () => upload(service, LICENSE, 'a.txt').then(({ status }) => status === 429);
  await until(refused);
  await until(async () => !(await refused()));
});

it('the limit of another window says so, and does not concern the other paths', async () => {
  const service = await start({ RATE_LIMIT_MAX: '2', RATE_LIMIT_WINDOW_SECONDS: '60' });
  for (let n = 0; n < 2; n++) await upload(service).expect(200);
  const refused = await upload(service);
  expect((refused.body as { message: string }).message).toContain('2 decodes in 60 seconds');
  for (const path of ['/api/status', '/api/docs', '/healthz', '/docs']) {
    const { status, headers } = await supertest(service.url).get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers).not.toHaveProperty('x-ratelimit-limit');
  }
});

it.each([
  ['en', 'decodes only with a token. Send one; its operator issues them. Your token was not accepted'],
  ['ru', 'только с токеном. Передайте токен, его выдаёт администратор. Ваш токен не принят'],
])('where only tokens decode, nobody is told in %s to wait', async (language, sentence) => {
  const service = await start({ RATE_LIMIT_MAX: '0' });
  const refused = await upload(service).set({ 'Accept-Language': language, Authorization: 'Bearer x' });
  expectError(refused, 'rate_limited');
  expect((refused.body as { message: string }).message).toContain(sentence);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
});

it.each<[string, string, string[], string[]]>([
  ['by the address from a proxy', '', ['203.0.113.1', '1.1.1.1, 203.0.113.1:99'], ['203.0.113.2']],
  ['by the connection', 'off', ['203.0.113.1', '203.0.113.2'], []],
])('the limit counts %s with TRUST_PROXY=%j', async (_title, trustProxy, same, others) => {
  const service = await start({ RATE_LIMIT_MAX: '1', TRUST_PROXY: trustProxy });
  await from(service, same[0] ?? '').expect(200);
  for (const chain of same) expect([chain, (await from(service, chain)).status]).toEqual([chain, 429]);
  for (const chain of others) expect([chain, (await from(service, chain)).status]).toEqual([chain, 200]);
  await upload(service).set('Forwarded', 'for=203.0.113.9');
  expect(service.log.filter(({ msg }) => String(msg).startsWith('rate limiter'))).toEqual([]);
});
