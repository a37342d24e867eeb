import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { findInstallation, type Installation } from '../../src/ring/installation/installation.js';
import { JvmTuning } from '../../src/ring/jvm/tuning.js';
import { InstallationMonitor } from '../../src/ring/installation/monitor.js';
import { expectDocumented, expectError } from '../support/contract.js';
import { fakeJavaHome, fakeRing, print, transcript, type FakeRing } from '../support/fake-ring.js';
import { isRunning } from '../support/processes.js';
import { startTestService, upload, type TestService } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const MISSING = { installed: false, version: '', valid: false };
const JRE = { installed: true, version: '17.0.15', valid: true };
const RING = { installed: true, version: '0.19.5-12', valid: true };
const OLD_RING = { ...RING, version: '0.11.5-2', valid: false };
const OLD_JAVA = transcript('java-version-8-too-old.stderr.txt');
const BROKEN_JAVA = 'Error: could not open `/jre/lib/jvm.cfg';

const isReady = async ({ url }: TestService) => (await supertest(url).get('/api/status')).status === 200;

it.each<[string, FakeRing, string | undefined, object]>([
  ['an old JRE', {}, OLD_JAVA, { jre: { ...JRE, version: '1.8.0_152', valid: false }, ring: RING }],
  ['a JRE that prints no version', {}, BROKEN_JAVA, { jre: MISSING, ring: RING }],
  ['an old ring', { version: 'echo 0.11.5-2' }, undefined, { jre: JRE, ring: OLD_RING }],
  ['a ring that fails', { version: 'echo boom; exit 1' }, undefined, { jre: JRE, ring: MISSING }],
])('GET /api/status answers 503 for %s', async (_title, commands, java, expected) => {
  const JAVA_HOME = await fakeJavaHome(java);
  const service = await startTestService({ RING_CMD: commands }, { ...process.env, JAVA_HOME });
  const response = await supertest(service.url).get('/api/status').expect(503);
  expectDocumented(response, '/api/status', 'get');
  expect(response.body).toEqual({ ...expected, ready: false });
});

it('GET /api/status answers 503 when both are missing, and GET /healthz 200', async () => {
  const service = await startTestService({ RING_CMD: '/nonexistent/ring' }, { PATH: '/nonexistent' });
  const response = await supertest(service.url).get('/api/status').expect(503);
  expect(response.body).toEqual({ jre: MISSING, ring: MISSING, ready: false });
  expectDocumented(await supertest(service.url).get('/healthz').expect(200), '/healthz', 'get');
});

it('GET and HEAD /api/status answer 200 when both are there and new enough, and one line of the log', async () => {
  const service = await startTestService();
  const response = await supertest(service.url).get('/api/status').expect(200);
  expectDocumented(response, '/api/status', 'get');
  expect(response.body).toEqual({ jre: JRE, ring: RING, ready: true });
  await supertest(service.url).head('/api/status').expect(200);
  expect(service.log.filter(({ msg }) => msg === 'ready to decode')).toMatchObject([
    {
      service: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      node: process.versions.node,
      jre: { version: '17.0.15', path: expect.stringContaining('/bin/java') as string },
      ring: { version: '0.19.5-12', path: expect.stringContaining('/bin/ring') as string },
      module: { name: 'license', version: '0.15.0' },
      tuning: false,
    },
  ]);
});

it.each<[string, { RING_CMD: string }]>([
  ['', { RING_CMD: '' }],
  [' by the name in RING_CMD', { RING_CMD: 'own-ring' }],
])('ring is found on the PATH%s', async (_title, settings) => {
  const ring = await fakeRing();
  await rename(ring, join(dirname(ring), settings.RING_CMD || 'ring'));
  const PATH = `${dirname(ring)}:${process.env['PATH'] ?? ''}`;
  const service = await startTestService(settings, { PATH, JAVA_HOME: await fakeJavaHome() });
  expect(await isReady(service)).toBe(true);
  await upload(service).expect(200);
});

it('fifty probes at once start ring once', async () => {
  const count = join(await tempDirectory(), 'count');
  const version = `echo x >>'${count}'; sleep 0.3; echo 0.19.5-12`;
  const service = await startTestService({ RING_CMD: { version } });
  const probes = Array.from({ length: 50 }, () => supertest(service.url).get('/api/status'));
  expect((await Promise.all(probes)).map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(await readFile(count, 'utf8')).toBe('x\n');
});

it('a ring that is installed later, and one that goes, is noticed without a restart, and each logged once', async () => {
  const ring = await fakeRing();
  await rename(ring, `${ring}.later`);
  const service = await startTestService({ RING_CMD: ring, STATUS_TTL_SECONDS: '1' });
  expect(await isReady(service)).toBe(false);
  await rename(`${ring}.later`, ring);
  await until(() => isReady(service));
  await chmod(ring, 0o644);
  await until(async () => !(await isReady(service)));
  expect(service.log.filter(({ msg }) => String(msg).includes('ready to decode'))).toHaveLength(3);
});

it('the status stays ready while ring is busy and the queue is full', async () => {
  const probes = join(await tempDirectory(), 'probes');
  const service = await startTestService({
    RING_CMD: { list: 'sleep 300', version: `echo x >>'${probes}'; echo 0.19.5-12` },
    RING_CONCURRENCY: '1',
    RING_QUEUE_LIMIT: '1',
    STATUS_TTL_SECONDS: '1',
  });
  const decodes = [1, 2].map(() => upload(service));
  for (const decode of decodes) decode.end(() => undefined);
  await until(() => service.decoding() === 2);
  await upload(service).expect(503);
  const polled = async () => (await readFile(probes, 'utf8').catch(() => '')).length >= 6;
  while (!(await polled())) await supertest(service.url).get('/api/status').expect(200);
  for (const decode of decodes) decode.abort();
});

it('a ring without its license module decodes nothing until the module is installed', async () => {
  const installed = join(await tempDirectory(), 'installed');
  const unversioned = `[ -e '${installed}' ] || { ${print('launcher-no-module-ru.txt', 254)}; }`;
  const service = await startTestService({ RING_CMD: { unversioned }, STATUS_TTL_SECONDS: '1' });
  const response = await supertest(service.url).get('/api/status').expect(503);
  expectDocumented(response, '/api/status', 'get');
  expect(response.body).toEqual({ jre: JRE, ring: RING, ready: false });
  expectError(await upload(service), 'ring_unavailable');
  const words = expect.stringContaining('Модуль "license" не зарегистрирован') as string;
  const notReady = service.log.find(({ msg }) => String(msg).includes('install license-tools'));
  expect(notReady).toMatchObject({ module: { name: 'license', problem: words } });
  expect(service.requests().at(-1)).toMatchObject({ code: 'ring_unavailable', detail: words });
  await writeFile(installed, '');
  await until(() => isReady(service));
  await upload(service).expect(200);
});

it('of two versions of the module the newest decodes, also when it was installed just now', async () => {
  const updated = join(await tempDirectory(), 'updated');
  const unversioned = `[ ! -e '${updated}' ] || { ${print('launcher-two-versions.txt', 254)}; }`;
  const service = await startTestService({ RING_CMD: { unversioned } });
  await upload(service).expect(200);
  await writeFile(updated, '');
  // ring refuses the command, and the module is looked for again.
  expectError(await upload(service), 'ring_unavailable');
  await upload(service).field('detailed', 'true').expect(200);
  const ready = service.log.findLast(({ msg }) => msg === 'ready to decode');
  expect(ready).toMatchObject({ module: { name: 'license@0.15.0', version: '0.15.0' } });
});

it.each([
  ['the file, when ring has its module', 'list', 'license_undecodable', 200],
  ['ring, when it refuses its module too', 'unversioned', 'ring_unavailable', 503],
] as const)(
  'a command that the launcher refuses is the fault of %s',
  async (_title, command, error, status) => {
    const broken = join(await tempDirectory(), 'broken');
    const words = "echo '[ERROR ] Неправильный вызов команды 332588056123456-1'";
    const refuse = `if [ -e '${broken}' ]; then ${words}; exit 1; fi; `;
    const commands =
      command === 'list' ? { list: refuse + print('list-one-ru.txt') } : { unversioned: refuse };
    const service = await startTestService({ RING_CMD: commands });
    await upload(service).expect(200);
    await writeFile(broken, '');
    expectError(await upload(service), error);
    const detail = 'ring refused the command: Неправильный вызов команды …';
    expect(service.requests().at(-1)).toMatchObject({ detail });
    await supertest(service.url).get('/api/status').expect(status);
  },
);

it('after a poll in which Java was killed the known module decodes, and refusals are the fault of ring', async () => {
  const JAVA_HOME = await fakeJavaHome();
  const java = join(JAVA_HOME, 'bin/java');
  const broken = join(await tempDirectory(), 'broken');
  const ring = await fakeRing({
    unversioned: print('launcher-two-versions.txt', 254),
    list: `if [ -e '${broken}' ]; then echo '[ERROR ] Сбой'; exit 254; fi; ${print('list-one-ru.txt')}`,
  });
  const settings = { RING_CMD: ring, STATUS_TTL_SECONDS: '1' };
  const service = await startTestService(settings, { ...process.env, JAVA_HOME });
  expect(await isReady(service)).toBe(true);
  await writeFile(java, '#!/bin/sh\nkill -9 $$\n');
  await until(async () => !(await isReady(service)));
  await upload(service).expect(200);
  await writeFile(broken, '');
  expectError(await upload(service), 'ring_unavailable');
});

it('DECODE_TIMEOUT_MS ends a decode that waits for the second check of the module', async () => {
  const slow = join(await tempDirectory(), 'slow');
  const service = await startTestService({
    RING_CMD: {
      version: `if [ -e '${slow}' ]; then exec sleep 300; fi; echo 0.19.5-12`,
      list: `touch '${slow}'; echo '[ERROR ] Сбой'; exit 254`,
    },
    RING_TIMEOUT_MS: '2000',
    DECODE_TIMEOUT_MS: '4000',
  });
  await until(() => isReady(service));
  expectError(await upload(service), 'decode_timeout');
});

it('a poll that a stop aborts is not logged as a missing ring', async () => {
  const slow = join(await tempDirectory(), 'slow');
  const version = `if [ -e '${slow}' ]; then echo $$ >'${slow}'; exec sleep 300; fi; echo 0.19.5-12`;
  const service = await startTestService({ RING_CMD: { version }, STATUS_TTL_SECONDS: '1' });
  await supertest(service.url).get('/api/status').expect(200);
  await writeFile(slow, '');
  const pid = async () => Number(await readFile(slow, 'utf8'));
  await until(async () => (await pid()) > 0);
  await service.stop();
  const running = await pid();
  await until(() => !isRunning(running));
  // What the end of that run leads to would have been logged by now.
  await sleep(100);
  const logged = service.log.map(({ msg }) => msg);
  expect(logged.filter((msg) => String(msg).includes('ready to decode'))).toEqual(['ready to decode']);
});

/** What finds a ring that does this. */
const optionsFor = async (commands: FakeRing) => ({
  command: await fakeRing(commands),
  module: undefined,
  language: 'ru' as const,
  env: { ...process.env, JAVA_HOME: await fakeJavaHome() },
  log: pino({ level: 'silent' }),
});

it('two polls in a row that time out keep the last version, a third does not, and tells why', async () => {
  const slow = join(await tempDirectory(), 'slow');
  const version = `if [ -e '${slow}' ]; then exec sleep 300; fi; echo 0.19.5-12`;
  const options = await optionsFor({ version });
  const first = await findInstallation(options);
  await writeFile(slow, '');
  const poll = (last?: Installation) => findInstallation({ ...options, timeoutMs: 500 }, last);
  const second = await poll(await poll(first));
  expect(second.ring).toEqual({ ...first.ring, timeouts: 2 });
  for (const { ring } of [await poll(second), await poll()]) {
    expect(ring).toMatchObject({ version: undefined, problem: 'still running after 500 ms' });
  }
});

/** Runs until it is killed. */
const HANG = 'echo $$ >"$0.pid"; exec sleep 300';

it.each<[string, FakeRing]>([
  ['the version is asked for', { version: HANG }],
  ['the module is looked for', { listNone: HANG }],
  ['the JVM is tuned', { version: `case $RING_OPTS in *Tiered*) ${HANG} ;; esac; echo 0.19.5-12` }],
])('stop() while %s ends that run and the polling', async (_title, commands) => {
  const options = await optionsFor({ ...commands, always: 'echo x >>"$0.runs"' });
  const read = (suffix: string) => readFile(options.command + suffix, 'utf8').catch(() => '');
  const openCache = () => tempDirectory();
  const tuning = new JvmTuning({ ...options, enabled: true, openCache, runInSlot: (task) => task() });
  const monitor = new InstallationMonitor({ ...options, tuning, ttlSeconds: 0.05, onPoll: () => undefined });
  monitor.start();
  await until(async () => (await read('.pid')) !== '');
  const pid = Number(await read('.pid'));
  monitor.stop();
  await until(() => !isRunning(pid));
  // Many polls would fit into each wait.
  await sleep(300);
  const runs = await read('.runs');
  await sleep(300);
  expect(await read('.runs')).toBe(runs);
  expect(monitor.ready).toBe(false);
});
