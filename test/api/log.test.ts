import jwt from 'jsonwebtoken';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { print, quote, transcript, type FakeRing } from '../support/fake-ring.js';
import { sendRaw, unfinishedUpload } from '../support/raw-http.js';
import { LICENSE, getStatus, startTestService, upload } from '../support/service.js';
import { until } from '../support/until.js';

const SECRET = 'a secret for tests that is longer than 32 bytes';
const PRINT_INFO = `printf %s ${quote(transcript('info-one-ru.txt'))}`;

const service = await startTestService({ JWT_SECRET: SECRET, LOG_LEVEL: 'trace' });
const hasty = await startTestService({
  JWT_SECRET: SECRET,
  LOG_LEVEL: 'trace',
  RING_CONCURRENCY: '2',
  DECODE_TIMEOUT_MS: '2200',
});

it('a request is one line: id, method, path, address, status', async () => {
  const { headers } = await upload(service).set('X-Forwarded-For', '203.0.113.7');
  const req = { id: headers['x-request-id'], method: 'POST', path: '/api/decode', address: '203.0.113.7' };
  expect(service.requests()).toMatchObject([{ level: 30, req, res: { status: 200 } }]);
});

it('of a valid token the subject is logged, shortened and without characters that could break the line', async () => {
  const sub = `shop-1@example.org\n{"level":60}${'x'.repeat(99)}`;
  await upload(service).set('Authorization', `Bearer ${jwt.sign({ sub }, SECRET)}`);
  const cut = 'shop-1@example.org___level_:60_'.padEnd(64, 'x');
  expect(service.requests()).toMatchObject([{ token: true, sub: cut }]);
});

it.each([
  ['expired', jwt.sign({ sub: 'shop', exp: 1 }, SECRET)],
  ['invalid', jwt.sign({ sub: 'shop' }, 'another secret')],
])('a token that is not accepted is logged by its problem alone: %s', async (tokenProblem, token) => {
  await upload(service).set('Authorization', `Bearer ${token}`);
  expect(service.requests()).toMatchObject([{ tokenProblem, req: { path: '/api/decode' } }]);
  expect(JSON.stringify(service.log)).not.toMatch(new RegExp(`shop|${token}|"token"`));
});

it('probes are logged at debug only, without their query', async () => {
  const broken = await startTestService({ RING_CMD: '/nonexistent' });
  await supertest(broken.url).get('/healthz?token=eyJhbGciOi').expect(200);
  await getStatus(broken).expect(503);
  expect(broken.requests()).toMatchObject([
    { level: 20, req: { path: '/healthz' } },
    { level: 20, req: { path: '/api/status' } },
  ]);
  expect(JSON.stringify(broken.requests())).not.toContain('"err"');
});

it.each([
  ['', false],
  ['a b', false],
  ['a\tb', false],
  ['\u00ff', false],
  ['<x>', false],
  ['x'.repeat(129), false],
  ['x'.repeat(128), true],
  ['4bf92f35-77b3:4da6.a_1', true],
])('X-Request-Id %j is taken: %o', async (id, isTaken) => {
  const { headers } = await supertest(service.url).get('/healthz').set('X-Request-Id', id);
  expect(headers['x-request-id']).toEqual(isTaken ? id : expect.stringMatching(/^[0-9a-f-]{36}$/));
  expect(service.requests()).toMatchObject([{ req: { id: headers['x-request-id'] } }]);
});

it.each([
  ['/332588056123456-8100123456', 'unknown'],
  ['/docsx/Ivanov', 'unknown'],
  ['/API/status?token=x', 'unknown'],
  ['/api/decode/eyJhbGciOi', '/api/decode'],
])('the unknown path %s is logged as %s, without its text', async (path, logged) => {
  await supertest(service.url).get(path).set('Referer', path);
  expect(service.requests()).toMatchObject([{ req: { path: logged } }]);
  const lines = JSON.stringify(service.requests());
  for (const secret of ['332588056', 'eyJ', 'Ivanov', 'token']) expect(lines).not.toContain(secret);
});

it('a client that disconnects is logged once as 499, and what is not HTTP is no request in the log', async () => {
  await sendRaw(service.port, ['GARBAGE\r\n\r\n']);
  await sendRaw(service.port, [unfinishedUpload()], { halfClose: true });
  await until(() => service.requests().length > 0);
  const expected = { level: 30, req: { path: '/api/decode' }, res: { status: 499 } };
  expect(service.requests()).toMatchObject([expected]);
});

it('a warning about a decode has the id of its request', async () => {
  await service.setRing({ validate: 'exit 0' });
  const { headers } = await upload(service).expect(200);
  const warnings = service.log.filter(({ missing }) => missing);
  expect(warnings).toMatchObject([{ level: 40, req: { id: headers['x-request-id'] } }]);
});

const detail = expect.any(String) as string;
it.each<[string, FakeRing, number, object]>([
  ['a decode', {}, 200, { level: 30 }],
  ['a file that ring refuses', { list: 'exit 3' }, 422, { level: 40, code: 'license_undecodable', detail }],
  ['a run that is killed', { debugValidate: `${PRINT_INFO}; kill -9 $$` }, 502, { level: 50, detail }],
  ['a run that hangs', { info: `${PRINT_INFO}; exec sleep 300` }, 504, { level: 50, detail }],
  ['a flood', { info: 'exec yes Иванов 332588056123456' }, 422, { level: 40, detail }],
  ['a verdict without hardware', { debugValidate: print('info-one-ru.txt') }, 200, { level: 30 }],
])('%s is logged once, without any name, PIN, text of ring, token or secret', async (...row) => {
  const [, commands, status, expected] = row;
  const token = jwt.sign({ sub: 'shop' }, SECRET);
  const at = status === 504 ? hasty : service;
  await at.setRing({ ...commands, always: 'echo "Иванов 332588056123456" >&2' });
  const response = await upload(at, LICENSE, 'Иванов.lic')
    .field('detailed', 'true')
    .set('Authorization', `Bearer ${token}`)
    .set('Cookie', 'session=Somebody');
  expect(response.status).toBe(status);
  expect(at.requests()).toMatchObject([expected]);
  const all = JSON.stringify(at.log);
  expect(all).not.toMatch(/332588056123456|332-588-056|Иван|Ромашка|лиценз|ivan@|SRV-OLD|bGljZW5zZQ|Somebod/);
  for (const secret of [token, SECRET]) expect(all).not.toContain(secret);
});
