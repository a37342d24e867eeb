import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import supertest, { type Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/settings.js';
import { print } from '../support/fake-ring.js';
import { LICENSE, getStatus, startTestService, upload } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';

// The interface by which the service was ordered, a test for each of its statements. All else is in the other files.

const SECRET = 'a secret for tests that is longer than 32 bytes';
const MAX_BYTES = 5 * 1024 * 1024;
const NUMBER = /^\d+$/;

const service = await startTestService({ JWT_SECRET: SECRET });
const get = (path: string) => supertest(service.url).get(path);
const startLimited = () => startTestService({ JWT_SECRET: SECRET, RATE_LIMIT_MAX: '3' });
const statusOf = async (request: Test) => (await request).status;
/** The statuses of so many requests, one after the other. */
async function statuses(count: number, ask: () => Test): Promise<number[]> {
  const received = [];
  for (let n = 0; n < count; n++) received.push(await statusOf(ask()));
  return received;
}
const withToken = (request: Test, claims: object = {}) =>
  request.set('Authorization', `Bearer ${jwt.sign(claims, SECRET)}`);

describe('GET /api/status', () => {
  const tool = { installed: true, version: expect.any(String) as string, valid: true };

  it('answers the readiness report as JSON', async () => {
    const response = await get('/api/status')
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    expect(response.body).toEqual({ jre: tool, ring: tool, ready: true });
  });

  it('reports a JRE and a ring that are not installed', async () => {
    const bare = await startTestService({ RING_CMD: 'ring-that-is-nowhere' }, { PATH: '/nonexistent' });
    const missing = { installed: false, version: '', valid: false };
    const response = await getStatus(bare);
    expect(response.body).toEqual({ jre: missing, ring: missing, ready: false });
  });

  it('reports an installed ring that is too old as not valid', async () => {
    const old = await startTestService({ RING_CMD: { version: 'echo 0.11.5-2' } });
    const response = await getStatus(old);
    expect(response.body).toMatchObject({
      ring: { installed: true, version: '0.11.5-2', valid: false },
      ready: false,
    });
  });

  it('is not limited, and does not count as a decode', async () => {
    const limited = await startLimited();
    const answers = await statuses(10, () => getStatus(limited));
    expect(new Set(answers)).toEqual(new Set([200]));
    const { headers } = await upload(limited).expect(200);
    expect(headers['x-ratelimit-remaining']).toBe('2');
  });
});

describe('POST /api/decode', () => {
  const FIELDS = ['licName', 'pinCode', 'licData', 'validateData', 'licHWConfig', 'currentHWConfig'];
  const HARDWARE = ['licHWConfig', 'currentHWConfig'] as const;

  it('answers with exactly the six fields, all text but the hardware, as JSON', async () => {
    const response = await upload(service)
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    const body = response.body as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(FIELDS);
    for (const name of FIELDS) {
      const isHardware = HARDWARE.some((field) => field === name);
      if (isHardware) expect(body[name]).toBeNull();
      else expect(body[name]).toBeTypeOf('string');
    }
  });

  it('answers with the PIN code in groups that are separated by hyphens', async () => {
    const response = await upload(service);
    expect((response.body as { pinCode: string }).pinCode).toMatch(/^\w+(-\w+)+$/);
  });

  it('with detailed=true, both hardware configurations are text', async () => {
    const response = await upload(service).field('detailed', 'true').expect(200);
    const body = response.body as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(FIELDS);
    for (const name of HARDWARE) expect(body[name]).toMatch(/\S/);
  });

  it.each(['false', 'TRUE', '1', 'yes', ''])('with detailed=%j, the hardware is null', async (value) => {
    const response = await upload(service).field('detailed', value).expect(200);
    expect(response.body).toMatchObject({ licHWConfig: null, currentHWConfig: null });
  });

  it.each(['comment', 'submit', '_csrf', 'Detailed', 'data[comment]'])(
    'a text field %j of which the interface says nothing does not matter',
    async (name) => {
      const response = await upload(service).field(name, 'x').expect(200);
      expect(response.body).toMatchObject({ licHWConfig: null, currentHWConfig: null });
    },
  );

  it('answers 400 when no file is uploaded', async () => {
    const post = () => supertest(service.url).post('/api/decode');
    expect(await statusOf(post().field('detailed', 'true'))).toBe(400);
    expect(await statusOf(post())).toBe(400);
    expect(await statusOf(post().attach('file', LICENSE, 'license.lic'))).toBe(400);
  });

  it.each(['license.txt', 'license.lic.exe', 'license', 'lic'])(
    'answers 400 to a file named %s',
    async (name) => {
      expect(await statusOf(upload(service, LICENSE, name))).toBe(400);
    },
  );

  it.each(['license.lic', 'LICENSE.LIC', 'Лицензия 1.lic'])('takes a file named %s', async (name) => {
    expect(await statusOf(upload(service, LICENSE, name))).toBe(200);
  });

  it.each([
    [MAX_BYTES, 200],
    [MAX_BYTES + 1, 413],
    [2 * MAX_BYTES, 413],
  ])('answers a file of %i bytes with %i', async (size, status) => {
    expect(await statusOf(upload(service, Buffer.alloc(size, 'x')))).toBe(status);
  });

  it('answers 422 when the file cannot be decoded', async () => {
    await service.setRing({ list: 'echo' });
    expect(await statusOf(upload(service))).toBe(422);
  });
});

describe('the limit', () => {
  it('is 3 decode requests per hour and address; the fourth is answered 429 with the body of the interface', async () => {
    const limited = await startLimited();
    for (let n = 0; n < 3; n++) await upload(limited).expect(200);
    const response = await upload(limited).expect(429);
    const body = response.body as { error: string; message: string; retryAfter: number };
    expect(Object.keys(body)).toEqual(['error', 'message', 'retryAfter']);
    expect(body.error).toMatch(/^\w{1,20}$/);
    expect(Number.isInteger(body.retryAfter)).toBe(true);
    expect(body.retryAfter).toBeGreaterThan(3500);
    expect(body.retryAfter).toBeLessThanOrEqual(3600);
    expect(body.message).toMatch(/\bmaximum of 3 decode requests per hour\b/i);
    expect(body.message).toContain(`${body.retryAfter} seconds`);
  });

  it('X-RateLimit-* are the maximum, what remains and the seconds until the window ends, as retryAfter', async () => {
    const limited = await startLimited();
    for (const remaining of ['2', '1', '0', '0']) {
      const response = await upload(limited);
      const { status, headers } = response;
      expect(headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': remaining });
      expect(headers['x-ratelimit-reset']).toMatch(NUMBER);
      expect(Number(headers['x-ratelimit-reset'])).toBeLessThanOrEqual(3600);
      if (status === 429) {
        const { retryAfter } = response.body as { retryAfter: number };
        expect(headers['x-ratelimit-reset']).toBe(String(retryAfter));
      }
    }
  });

  it('counts by the address in X-Forwarded-For of a proxy, without any setting', async () => {
    const limited = await startLimited();
    const from = (address: string) => upload(limited).set('X-Forwarded-For', address);
    expect(await statuses(4, () => from('203.0.113.1'))).toEqual([200, 200, 200, 429]);
    expect(await statusOf(from('203.0.113.2'))).toBe(200);
  });

  it('begins anew when the window has ended', async () => {
    const limited = await startTestService({ RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '1' });
    const served = await upload(limited);
    await expect.poll(async () => (await upload(limited)).status).toBe(200);
    expect(served.status).toBe(200);
  });

  it('does not count by an address that the client itself has written in front of its own', async () => {
    const limited = await startLimited();
    let made = 0;
    const forge = () => upload(limited).set('X-Forwarded-For', `198.51.100.${++made}, 203.0.113.1`);
    expect(await statuses(4, forge)).toEqual([200, 200, 200, 429]);
  });

  it('counts a decode request regardless of its outcome', async () => {
    const limited = await startLimited();
    const answers = await statuses(4, () => upload(limited, LICENSE, 'a.txt'));
    expect(answers).toEqual([400, 400, 400, 429]);
  });
});

describe('a token', () => {
  it.each([
    ['with an empty claim set', {}],
    ['with an expiry in 30 days', { exp: Math.floor(Date.now() / 1000) + 30 * 86_400 }],
  ])('%s that JWT_SECRET has signed by HS256 removes the limit', async (_title, claims) => {
    const limited = await startLimited();
    const answers = await statuses(4, () => withToken(upload(limited), claims));
    expect(answers).toEqual([200, 200, 200, 200]);
    expect((await upload(limited)).headers['x-ratelimit-remaining']).toBe('2');
  });

  it.each([
    ['of another secret', jwt.sign({}, 'another secret')],
    ['that has expired', jwt.sign({ exp: 1 }, SECRET)],
    ['of another algorithm', jwt.sign({}, SECRET, { algorithm: 'HS512' })],
    ['that is malformed', 'no.token'],
  ])('%s does not', async (_title, token) => {
    const limited = await startLimited();
    const ask = () => upload(limited).set('Authorization', `Bearer ${token}`);
    expect(await statuses(4, ask)).toEqual([200, 200, 200, 429]);
  });

  it('lifts a limit that is used up', async () => {
    const limited = await startLimited();
    expect(await statuses(4, () => upload(limited))).toEqual([200, 200, 200, 429]);
    expect(await statusOf(withToken(upload(limited)))).toBe(200);
  });

  it('is accepted from nobody where JWT_SECRET is not set', async () => {
    const limited = await startTestService({ RATE_LIMIT_MAX: '1' });
    expect(await statuses(2, () => withToken(upload(limited)))).toEqual([200, 429]);
  });

  it('is needed by no endpoint', async () => {
    const answers = [upload(service), get('/api/status'), get('/api/docs')].map(statusOf);
    expect(await Promise.all(answers)).toEqual([200, 200, 200]);
  });
});

it('GET /api/docs answers the description of the interface as JSON', async () => {
  const response = await get('/api/docs')
    .expect(200)
    .expect('Content-Type', /^application\/json/);
  const { paths } = response.body as { paths: object };
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/decode', '/api/status', '/api/docs']));
});

describe('the environment', () => {
  it('the port is 3000 and the limit 3 per hour unless it says otherwise', () => {
    expect(loadConfig({})).toMatchObject({ PORT: 3000, RATE_LIMIT_MAX: 3, RATE_LIMIT_WINDOW_SECONDS: 3600 });
    expect(loadConfig({ PORT: '8080' })).toMatchObject({ PORT: 8080 });
  });

  it('UPLOAD_DIR, TMP_BASE and RING_CMD say where uploads, temporary files and ring are', async () => {
    const seen = await tempDirectory();
    const list = `echo "$4" >'${seen}/path'; echo "$0" >'${seen}/ring'; ${print('list-one-ru.txt')}`;
    const own = await startTestService({ RING_CMD: { list } });
    await upload(own).expect(200);
    expect(readFileSync(join(seen, 'path'), 'utf8').startsWith(own.tmpBase)).toBe(true);
    expect(readFileSync(join(seen, 'ring'), 'utf8')).toMatch(/\/bin\/ring\n$/);
    expect(own.files()).toEqual([]);
  });
});
