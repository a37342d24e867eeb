import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import express from 'express';
import jwt from 'jsonwebtoken';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { optionalJwt } from '../../../src/access/optional-jwt.js';

const SECRET = 'a secret for tests that is longer than 32 bytes';
const now = Math.floor(Date.now() / 1000);

const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
function forged(header: object, payload: object, secret = SECRET): string {
  const body = `${segment(header)}.${segment(payload)}`;
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** What a request with this header knows of its client, and is told. */
async function ask(authorization: string, secret: string | undefined = SECRET) {
  const app = express().use(optionalJwt(secret), (_req, res) => void res.json(res.locals));
  const response = await supertest(app).get('/').set('Authorization', authorization);
  return { body: response.body as object, told: response.headers['www-authenticate'] };
}

it.each<[string, string, string]>([
  ['expired', `Bearer ${jwt.sign({ exp: now - 1 }, SECRET)}`, 'expired'],
  ['not valid yet', `Bearer ${jwt.sign({ nbf: now + 3600 }, SECRET)}`, 'not valid yet'],
  ['of another secret', `Bearer ${jwt.sign({}, 'another secret')}`, 'not signed'],
  ['of HS512', `Bearer ${jwt.sign({}, SECRET, { algorithm: 'HS512' })}`, 'HS256'],
  ['of RS256', `Bearer ${jwt.sign({}, privateKey, { algorithm: 'RS256' })}`, 'HS256'],
  ['of alg none with the signature of HS256', `Bearer ${forged({ alg: 'none' }, {})}`, 'HS256'],
  ['of alg HS256 in small letters', `Bearer ${forged({ alg: 'hs256' }, {})}`, 'HS256'],
  ['with an expiry that is text', `Bearer ${forged({ alg: 'HS256' }, { exp: 'never' })}`, 'malformed'],
  ['changed', `Bearer ${jwt.sign({}, SECRET).replace(/\.[^.]+/, `.${segment({ a: 1 })}`)}`, 'not signed'],
  ['empty', 'Bearer ', 'form'],
  ['hidden behind another', `Bearer x, Bearer ${jwt.sign({}, SECRET)}`, 'form'],
  ['before another', `Bearer ${jwt.sign({}, SECRET)}, Bearer x`, 'form'],
  ['of 8 KB', `Bearer ${'a'.repeat(8000)}.b.c`, 'malformed'],
])('a token %s is reported, and the request stays anonymous', async (_title, authorization, reason) => {
  const { body, told } = await ask(authorization);
  expect(told).toContain(reason);
  expect(body).toEqual({ tokenProblem: expect.any(String) as string });
});

it.each<[string, object, object]>([
  ['without an expiry', {}, {}],
  ['with an expiry to come', { sub: 'somebody', exp: now + 3600 }, { subject: 'somebody' }],
  ['with claims of any kind', { roles: ['a'], nested: { b: 1 }, sub: 5 }, {}],
])('a token %s is accepted, whatever the letters of its scheme', async (_title, claims, locals) => {
  const token = forged({ alg: 'HS256' }, claims);
  const tokenHash = createHash('sha256').update(token).digest('hex');
  for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
    expect(await ask(`${scheme} ${token}`)).toEqual({
      body: { authenticated: true, tokenHash, ...locals },
      told: undefined,
    });
  }
});

it.each(['Basic dXNlcjpwYXNz', 'Negotiate YQ==', 'BearerX a.b.c', ''])(
  'what %j carries is no token, so nothing is said about it',
  async (authorization) => {
    for (const secret of [SECRET, '']) {
      expect(await ask(authorization, secret)).toEqual({ body: {}, told: undefined });
    }
  },
);

it('without a secret no token is accepted, not even one that is signed with an empty secret', async () => {
  for (const token of [jwt.sign({}, SECRET), forged({ alg: 'HS256' }, {}, '')])
    expect((await ask(`Bearer ${token}`, '')).told).toContain('no secret');
});
