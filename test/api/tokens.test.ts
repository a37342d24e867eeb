import { createHmac } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { startTestService, upload, type TestService } from '../support/service.js';

const SECRET = 'a secret for tests that is longer than 32 bytes';
const now = Math.floor(Date.now() / 1000);
const start = async (secret = SECRET) => startTestService({ RATE_LIMIT_MAX: '1', JWT_SECRET: secret });

const warnings = ({ log }: TestService) => log.filter(({ level }) => level === 40).map(({ msg }) => msg);

const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
function forged(header: object, payload: object, secret = SECRET): string {
  const body = `${segment(header)}.${segment(payload)}`;
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}

describe('a token that is not valid', () => {
  it.each<[string, string, string]>([
    ['expired', `Bearer ${jwt.sign({ exp: now - 1 }, SECRET)}`, 'expired'],
    ['of another scheme', 'Basic dXNlcjpwYXNz', 'form'],
  ])('%s is reported, and the request counts as anonymous', async (_title, authorization, reason) => {
    const service = await start();
    const response = await upload(service).set('Authorization', authorization).expect(200);
    expectDocumented(response);
    expect(response.headers).toMatchObject({ 'x-ratelimit-remaining': '0' });
    expect(response.headers['www-authenticate']).toContain(reason);
    const refused = await upload(service).set('Authorization', authorization);
    expectError(refused, 'rate_limited');
    expect((refused.body as { message: string }).message).toContain(reason);
  });
});

it.each<[string, string]>([
  ['without an expiry', jwt.sign({}, SECRET, { noTimestamp: true })],
  ['with an expiry to come', jwt.sign({ sub: 'somebody' }, SECRET, { expiresIn: 3600 })],
  ['with claims of any kind', jwt.sign({ roles: ['a'], nested: { b: 1 } }, SECRET)],
])('a valid token %s lifts the limit', async (_title, token) => {
  const service = await start();
  for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
    const response = await upload(service).set('Authorization', `${scheme} ${token}`).expect(200);
    expectDocumented(response);
    expect(Object.keys(response.headers).filter((name) => /ratelimit|www-auth/.test(name))).toEqual([]);
  }
  expect((await upload(service)).headers['x-ratelimit-remaining']).toBe('0');
});

it.each([{ JWT_SECRET: '' }, {}])('with %j no token is accepted, and the start says so', async (settings) => {
  const service = await startTestService(settings);
  for (const token of [jwt.sign({}, SECRET), forged({ alg: 'HS256' }, {}, '')]) {
    const { headers } = await upload(service).set('Authorization', `Bearer ${token}`);
    expect(headers['www-authenticate']).toContain('no secret');
    expect(headers).toHaveProperty('x-ratelimit-limit');
  }
  expect(warnings(service)).toContainEqual(expect.stringMatching(/^JWT_SECRET is not set/));
});

it('a secret of less than 32 bytes works in any letters, with a warning at the start', async () => {
  const service = await start('секрет');
  const { headers } = await upload(service).set('Authorization', `Bearer ${jwt.sign({}, 'секрет')}`);
  expect(headers).not.toHaveProperty('x-ratelimit-limit');
  expect(warnings(service)).toContainEqual(expect.stringContaining('shorter than 32 bytes'));
});
