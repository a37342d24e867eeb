import jwt from 'jsonwebtoken';
import { expect, it } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { getStatus, startTestService, upload } from '../support/service.js';

const SECRET = 'a secret for tests that is longer than 32 bytes';
const start = (JWT_SECRET: string) => startTestService({ RATE_LIMIT_MAX: '1', JWT_SECRET });
const warning = (text: string) =>
  expect.arrayContaining([
    expect.objectContaining({ level: 40, msg: expect.stringContaining(text) as string }),
  ]) as object[];

it('a token that is not valid is reported, and the request counts as anonymous', async () => {
  const service = await start(SECRET);
  const authorization = `Bearer ${jwt.sign({ exp: 1 }, SECRET)}`;
  const response = await upload(service).set('Authorization', authorization).expect(200);
  expectDocumented(response);
  expect(response.headers['www-authenticate']).toContain('expired');
  const refused = await upload(service).set('Authorization', authorization);
  expectError(refused, 'rate_limited');
  expect((refused.body as { message: string }).message).toContain('expired');
});

it('GET /api/status says whether a token is accepted, else what is left, and counts nothing', async () => {
  const service = await start(SECRET);
  const ask = (token: string) => getStatus(service).set('Authorization', token);
  const plain = await getStatus(service);
  for (const [token, says] of [
    [`Bearer ${jwt.sign({ exp: 1 }, SECRET)}`, 'expired'],
    ['Bearer', 'not of the form'],
    [`Bearer ${jwt.sign({}, SECRET)}`, undefined],
  ] as const) {
    const response = await ask(token).expect(200);
    expectDocumented(response, '/api/status', 'get');
    expect(response.body).toEqual(plain.body);
    const header = response.headers['www-authenticate'];
    const remaining = response.headers['x-ratelimit-remaining'];
    if (says === undefined) expect([header, remaining]).toEqual([undefined, undefined]);
    else {
      expect(header).toContain(says);
      expect(remaining).toBe('1');
    }
  }
  expect((await upload(service)).headers['x-ratelimit-remaining']).toBe('0');
});

it.each([
  ['en', 'seconds. A token lifts this limit.'],
  ['ru', ' с. С токеном этого ограничения нет.'],
])('a 429 says (%s) what a token would do', async (language, words) => {
  const service = await start(SECRET);
  await upload(service);
  const refused = await upload(service).set('Accept-Language', language).expect(429);
  expect((refused.body as { message: string }).message).toContain(words);
});

it('without a secret no token is accepted, a 429 speaks of none, and the start says so', async () => {
  const service = await start('');
  // The first one is decoded.
  for (const language of ['en', 'en', 'ru']) {
    const { text, headers } = await upload(service).set({
      Authorization: `Bearer ${jwt.sign({}, SECRET)}`,
      'Accept-Language': language,
    });
    expect(headers['www-authenticate']).toContain('no secret');
    expect(text).not.toMatch(/token|токен/i);
  }
  expect(service.log).toEqual(warning('JWT_SECRET is not set'));
});

it('a secret of less than 32 bytes works in any letters, with a warning at the start', async () => {
  const service = await start('секрет');
  const { headers } = await upload(service).set('Authorization', `Bearer ${jwt.sign({}, 'секрет')}`);
  expect(headers).not.toHaveProperty('x-ratelimit-limit');
  expect(service.log).toEqual(warning('shorter than 32 bytes'));
});
