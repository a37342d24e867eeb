import { chmod, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { expectDocumented } from '../support/contract.js';
import { fakeJavaHome, fakeRing, transcript, type FakeRing } from '../support/fake-ring.js';
import { eventually, startTestService, upload } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';

const MISSING = { installed: false, version: '', valid: false };
const JRE = { installed: true, version: '17.0.15', valid: true };
const RING = { installed: true, version: '0.19.5-12', valid: true };
const OLD_JAVA = transcript('java-version-8-too-old.stderr.txt');
const BROKEN_JAVA = 'Error: could not open `/jre/lib/jvm.cfg';

it.each<[string, FakeRing, string | undefined, object]>([
  ['an old JRE', {}, OLD_JAVA, { jre: { ...JRE, version: '1.8.0_152', valid: false }, ring: RING }],
  ['a JRE that prints no version', {}, BROKEN_JAVA, { jre: MISSING, ring: RING }],
  [
    'an old ring',
    { version: 'echo 0.11.5-2' },
    undefined,
    { jre: JRE, ring: { ...RING, version: '0.11.5-2', valid: false } },
  ],
  ['a ring that fails', { version: 'echo boom; exit 1' }, undefined, { jre: JRE, ring: MISSING }],
  ['a ring that is killed', { version: 'kill -9 $$' }, undefined, { jre: JRE, ring: MISSING }],
])('GET /api/status answers 503 for %s', async (_title, commands, java, expected) => {
  const JAVA_HOME = await fakeJavaHome(java);
  const service = await startTestService(
    { RING_CMD: await fakeRing(commands) },
    { ...process.env, JAVA_HOME },
  );
  const response = await supertest(service.url).get('/api/status').expect(503);
  expectDocumented(response, '/api/status', 'get');
  expect(response.body).toEqual({ ...expected, ready: false });
});

it('GET /api/status answers 503 when both are missing, and GET /healthz 200', async () => {
  const service = await startTestService({ RING_CMD: '/nonexistent/ring' }, { PATH: '/nonexistent' });
  const response = await supertest(service.url).get('/api/status').expect(503);
  expectDocumented(response, '/api/status', 'get');
  expect(response.body).toEqual({ jre: MISSING, ring: MISSING, ready: false });
  expectDocumented(await supertest(service.url).get('/healthz').expect(200), '/healthz', 'get');
});

it('GET and HEAD /api/status answer 200 when both are there and new enough', async () => {
  const service = await startTestService({ RING_CMD: await fakeRing() });
  const response = await supertest(service.url).get('/api/status').expect(200);
  expectDocumented(response, '/api/status', 'get');
  expect(response.body).toEqual({ jre: JRE, ring: RING, ready: true });
  await supertest(service.url).head('/api/status').expect(200);
});

it('ring is found on the PATH', async () => {
  const PATH = `${dirname(await fakeRing())}:${process.env['PATH'] ?? ''}`;
  const service = await startTestService({}, { PATH, JAVA_HOME: await fakeJavaHome() });
  expect((await supertest(service.url).get('/api/status')).status).toBe(200);
  expect((await upload(service)).status).toBe(200);
});

it('fifty probes at once start ring once', async () => {
  const count = join(await tempDirectory(), 'count');
  const service = await startTestService({
    RING_CMD: await fakeRing({ version: `echo x >>'${count}'; sleep 0.3; echo 0.19.5-12` }),
  });
  const probes = Array.from({ length: 50 }, () => supertest(service.url).get('/api/status'));
  expect((await Promise.all(probes)).map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(await readFile(count, 'utf8')).toBe('x\n');
});

it('a ring that is installed later, and one that goes, is noticed without a restart, and each logged once', async () => {
  const ring = await fakeRing();
  await rename(ring, `${ring}.later`);
  const service = await startTestService({ RING_CMD: ring, STATUS_TTL_SECONDS: '1' });
  const isReady = async () => (await supertest(service.url).get('/api/status')).status === 200;
  expect(await isReady()).toBe(false);
  await rename(`${ring}.later`, ring);
  expect(await eventually(isReady)).toBe(true);
  await chmod(ring, 0o644);
  expect(await eventually(async () => !(await isReady()))).toBe(true);
  expect(service.log.filter(({ msg }) => String(msg).includes('ready to decode'))).toHaveLength(3);
});

it('the status stays ready while ring is busy and the queue is full', async () => {
  const probes = join(await tempDirectory(), 'probes');
  const service = await startTestService({
    RING_CMD: await fakeRing({ list: 'sleep 300', version: `echo x >>'${probes}'; echo 0.19.5-12` }),
    RING_CONCURRENCY: '1',
    RING_QUEUE_LIMIT: '1',
    STATUS_TTL_SECONDS: '1',
  });
  const decodes = [1, 2].map(() => upload(service));
  for (const decode of decodes) decode.end(() => undefined);
  expect(await eventually(() => service.decoding() === 2)).toBe(true);
  await upload(service).expect(503);
  const polled = async () => (await readFile(probes, 'utf8').catch(() => '')).length >= 6;
  while (!(await eventually(polled, 100))) await supertest(service.url).get('/api/status').expect(200);
  for (const decode of decodes) decode.abort();
});
