import supertest from 'supertest';
import { expect, it } from 'vitest';
import { MAX_FILE_BYTES } from '../../src/license/clear-text.js';
import { expectDocumented, expectError } from '../support/contract.js';
import type { FakeRing } from '../support/fake-ring.js';
import { LICENSE, getStatus, startTestService, upload } from '../support/service.js';
import { until } from '../support/until.js';

it('a 429 says in both languages what the limit is and when it ends', async () => {
  const service = await startTestService({ RATE_LIMIT_MAX: '2' });
  const client = { 'X-Forwarded-For': '203.0.113.1:99', Forwarded: 'for=203.0.113.9' };
  await upload(service).set(client).expect(200);
  const { headers } = await upload(service).set(client).expect(200);
  expect(headers['ratelimit']).toContain('r=0;');
  expect(headers).not.toHaveProperty('www-authenticate');
  for (const [language, words, end] of [
    ['en', 'Maximum of 2 decode requests per hour. Try again in ', ' seconds.'],
    ['ru', 'Запросов на чтение — не больше 2 в час. Повторите через ', ' с.'],
  ] as const) {
    const refused = await upload(service).set({ ...client, 'Accept-Language': language });
    expectError(refused, 'rate_limited');
    const { retryAfter, message } = refused.body as { retryAfter: number; message: string };
    expect(message).toBe(`${words}${retryAfter}${end}`);
    expect(refused.headers).toMatchObject({
      'retry-after': String(retryAfter),
      'cache-control': 'no-store',
    });
  }
  expect(service.log.filter(({ msg }) => String(msg).startsWith('rate limiter'))).toEqual([]);
});

it('GET /api/status tells what is left of the limit of its client, and counts nothing', async () => {
  const service = await startTestService({ RATE_LIMIT_MAX: '2', RATE_LIMIT_WINDOW_SECONDS: '600' });
  const quotaOf = async (client: string) => {
    const response = await getStatus(service).set('X-Forwarded-For', client);
    expectDocumented(response, '/api/status', 'get');
    const { headers } = response;
    return ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`]));
  };
  const decode = (client: string) => upload(service).set('X-Forwarded-For', client);

  expect(await quotaOf('203.0.113.1')).toEqual([2, 2, 600]);
  expect(await quotaOf('203.0.113.1')).toEqual([2, 2, 600]);
  for (const remaining of [1, 0, 0]) {
    const { headers } = await decode('203.0.113.1');
    const quota = await quotaOf('203.0.113.1');
    expect(quota.slice(0, 2)).toEqual([2, remaining]);
    expect(Number(headers['x-ratelimit-reset']) - (quota[2] ?? 0)).toBeOneOf([0, 1]);
  }
  expect(await quotaOf('203.0.113.2')).toEqual([2, 2, 600]);
  expect((await decode('203.0.113.2')).headers['x-ratelimit-remaining']).toBe('1');
});

const SILENT = { version: 'exec cat /dev/zero' };

it.each<[string, string | FakeRing, NodeJS.ProcessEnv?]>([
  ['there is no ring', '/nowhere/ring'],
  ['there is neither ring nor Java', '/nowhere/ring', { PATH: '/nonexistent' }],
  ['polls get no answer from ring', SILENT],
])('while %s, each request counts, then its form is judged, and then ring is missing', async (...row) => {
  const [, RING_CMD, environment] = row;
  const service = await startTestService({ RATE_LIMIT_MAX: '4', RING_CMD }, environment);
  await getStatus(service).expect(503);
  const answers = [
    await supertest(service.url).post('/api/decode'),
    await upload(service, LICENSE, 'a.txt'),
    await upload(service, Buffer.alloc(MAX_FILE_BYTES + 1)),
    await upload(service),
    await upload(service),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 413, 503, 429]);
  expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['3', '2', '1', '0', '0']);
  expectError(answers[3], 'ring_unavailable');
  expect(service.files()).toEqual([]);
});

it('a ring that answers again is noticed by the decodes that are refused', async () => {
  const service = await startTestService({ RING_CMD: SILENT, STATUS_TTL_SECONDS: '1' });
  const status = await getStatus(service);
  expect(status.body).toMatchObject({ ready: false });
  expectError(await upload(service), 'ring_unavailable');
  const detail = 'license list: the last polls got no answer from Java or ring';
  expect(service.requests().at(-1)).toMatchObject({ detail });

  await service.setRing({});
  await until(async () => (await upload(service)).status === 200);
});

it('where only tokens decode, nobody is told to wait, neither by Retry-After nor in words', async () => {
  const service = await startTestService({ RATE_LIMIT_MAX: '0', JWT_SECRET: 'x'.repeat(32) });
  for (const [language, sentence] of [
    ['en', 'decodes only with a token. Send one; its operator issues them. Your token was not accepted'],
    ['ru', 'только с токеном. Передайте токен, его выдаёт администратор. Ваш токен не принят'],
  ]) {
    const refused = await upload(service).set({ 'Accept-Language': language, Authorization: 'Bearer x' });
    expectError(refused, 'rate_limited');
    const { message, retryAfter } = refused.body as { message: string; retryAfter: number };
    expect(message).toContain(sentence);
    expect(refused.headers).not.toHaveProperty('retry-after');
    expect(retryAfter).toBeGreaterThan(3000);
  }
  const { headers } = await getStatus(service);
  expect(headers).toMatchObject({ 'x-ratelimit-remaining': '0' });
});
