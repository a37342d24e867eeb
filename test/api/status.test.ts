import { execFile } from 'node:child_process';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import supertest from 'supertest';
import { expect, it, onTestFinished, vi } from 'vitest';
import { installationLog } from '../../src/monitoring/status.js';
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

/** Runs until it is killed. */
const HANG = 'echo $$ >"$0.pid"; exec sleep 300';

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
  expectError(await upload(service), 'ring_unavailable');
  await until(async () => !(await isReady(service)));
  expect(service.log.filter(({ msg }) => String(msg).includes('ready to decode'))).toHaveLength(3);
});

it('polls go on while ring is busy and the queue is full', async () => {
  const updated = join(await tempDirectory(), 'updated');
  const service = await startTestService({
    RING_CMD: { list: 'sleep 300', version: `[ -e '${updated}' ] && echo 0.19.5-12 || echo 0.11.5-2` },
    RING_CONCURRENCY: '1',
    RING_QUEUE_LIMIT: '1',
    STATUS_TTL_SECONDS: '1',
  });
  const decodes = [1, 2].map(() => upload(service));
  for (const decode of decodes) decode.end(() => undefined);
  await until(() => service.decoding() === 2);
  await upload(service).expect(503);
  expect(await isReady(service)).toBe(false);
  await writeFile(updated, '');
  await until(() => isReady(service));
  for (const decode of decodes) decode.abort();
});

it.each<[string, string]>([
  [
    'a class is missing',
    'echo \'Exception in thread "main" java.lang.NoClassDefFoundError: a/B\' >&2; exit 1',
  ],
  ['could not run a program', 'exec java-that-is-not-there'],
  ['killed by SIGKILL', 'kill -9 $$'],
])('a ring that cannot start its module decodes nothing and is not ready: %s', async (problem, fails) => {
  const repaired = join(await tempDirectory(), 'repaired');
  const unversioned = `[ -e '${repaired}' ] || { ${fails}; }`;
  const service = await startTestService({ RING_CMD: { unversioned }, STATUS_TTL_SECONDS: '1' });
  const response = await supertest(service.url).get('/api/status').expect(503);
  expect(response.body).toEqual({ jre: JRE, ring: RING, ready: false });
  expectError(await upload(service), 'ring_unavailable');
  const notReady = service.log.find(({ msg }) =>
    String(msg).includes('ring cannot start its license module'),
  );
  expect(notReady).toMatchObject({ module: { problem: expect.stringContaining(problem) as string } });
  await writeFile(repaired, '');
  await until(() => isReady(service));
  await upload(service).expect(200);
});

it('a decode that finds ring unavailable has the status follow at once, the module included', async () => {
  const broken = join(await tempDirectory(), 'broken');
  const unversioned = `[ ! -e '${broken}' ] || exit 127`;
  const service = await startTestService({ RING_CMD: { unversioned }, STATUS_TTL_SECONDS: '86400' });
  expect(await isReady(service)).toBe(true);
  await writeFile(broken, '');
  expectError(await upload(service), 'ring_unavailable');
  await until(async () => !(await isReady(service)));
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
  const ready = { module: { name: 'license@0.15.0', version: '0.15.0' }, msg: 'ready to decode' };
  await expect.poll(() => service.log.filter(({ module }) => module).at(-1)).toMatchObject(ready);
  await upload(service).field('detailed', 'true').expect(200);
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
    await until(async () => (await supertest(service.url).get('/api/status')).status === status);
  },
);

/** A ring whose launcher refuses each file, which its module would not. */
const refusing = { list: "echo '[ERROR ] Сбой'; exit 254" };

it('ten refused files at once cost one more run each, within RING_CONCURRENCY', async () => {
  const always = `mkdir "$0.busy" || echo overlap >>"$0.runs"; trap 'rmdir "$0.busy"' EXIT; echo run >>"$0.runs"`;
  const ring = await fakeRing({ ...refusing, always });
  const service = await startTestService({ RING_CMD: ring, RING_CONCURRENCY: '1' });
  expect(await isReady(service)).toBe(true);
  await rm(`${ring}.runs`);
  const answers = await Promise.all(Array.from({ length: 10 }, () => upload(service)));
  for (const answer of answers) expectError(answer, 'license_undecodable');
  expect(await readFile(`${ring}.runs`, 'utf8')).toBe('run\n'.repeat(20));
});

it('a refused file is the fault of the file in a stop too', async () => {
  const go = join(await tempDirectory(), 'go');
  const list = `until [ -e '${go}' ]; do sleep 0.02; done; ${refusing.list}`;
  const service = await startTestService({ RING_CMD: { list }, SHUTDOWN_TIMEOUT_MS: '600000' });
  const answer = upload(service).then((response) => response);
  await until(() => service.decoding() === 1);
  const stopped = service.stop();
  await writeFile(go, '');
  expectError(await answer, 'license_undecodable');
  await stopped;
});

it('a refused file is the fault of ring when it does not answer whether it has its module', async () => {
  const asked = join(await tempDirectory(), 'asked');
  const listNone = `if [ -e '${asked}' ]; then exec cat /dev/zero; fi`;
  const list = `touch '${asked}'; ${refusing.list}`;
  const service = await startTestService({ RING_CMD: { list, listNone } });
  expect(await isReady(service)).toBe(true);
  expectError(await upload(service), 'ring_unavailable');
});

it('DECODE_TIMEOUT_MS ends the question for the module', async () => {
  const slow = join(await tempDirectory(), 'slow');
  const service = await startTestService({
    RING_CMD: {
      listNone: `if [ -e '${slow}' ]; then exec sleep 300; fi`,
      list: `touch '${slow}'; ${refusing.list}`,
    },
    // Enough for the list on a busy machine; less than the check gets.
    RING_CONCURRENCY: '2',
    RING_TIMEOUT_MS: '8000',
    DECODE_TIMEOUT_MS: '16000',
  });
  await until(() => isReady(service));
  expectError(await upload(service), 'decode_timeout');
});

it('the first decode waits for the first poll, which knows the module', async () => {
  const RING_CMD = {
    version: 'sleep 1; echo 0.19.5-12',
    unversioned: print('launcher-two-versions.txt', 254),
  };
  expect((await upload(await startTestService({ RING_CMD }))).status).toBe(200);
});

it('DECODE_TIMEOUT_MS ends a decode that waits for the first poll, which goes on', async () => {
  const ring = await fakeRing({ version: HANG });
  const timeouts = { RING_TIMEOUT_MS: '500', DECODE_TIMEOUT_MS: '1000' };
  const service = await startTestService({ RING_CMD: ring, ...timeouts });
  const pid = async () => Number(await readFile(`${ring}.pid`, 'utf8').catch(() => 0));
  await until(async () => (await pid()) > 0);
  expectError(await upload(service), 'decode_timeout');
  expect(isRunning(await pid())).toBe(true);
});

it('RING_MODULE is used before the module is known', async () => {
  const RING_CMD = { unversioned: print('launcher-two-versions.txt', 254) };
  const env = { ...process.env, JAVA_HOME: await fakeJavaHome(BROKEN_JAVA) };
  const service = await startTestService({ RING_CMD, RING_MODULE: 'license@0.11.0' }, env);
  expect((await upload(service)).status).toBe(200);
});

it('after a poll in which Java was killed the known module decodes', async () => {
  const JAVA_HOME = await fakeJavaHome();
  const killed = join(await tempDirectory(), 'killed');
  const RING_CMD = {
    unversioned: print('launcher-two-versions.txt', 254),
    list: `if [ -e '${killed}' ]; then exit 127; fi; ${print('list-one-ru.txt')}`,
  };
  const service = await startTestService({ RING_CMD }, { ...process.env, JAVA_HOME });
  expect(await isReady(service)).toBe(true);
  await writeFile(killed, '');
  await writeFile(join(JAVA_HOME, 'bin/java'), '#!/bin/sh\nkill -9 $$\n');
  expectError(await upload(service), 'ring_unavailable');
  await until(async () => !(await isReady(service)));
  await rm(killed);
  await upload(service).expect(200);
});

/** Resolves when this process has noticed the end of all processes that have ended, and done what that leads to. */
async function endsNoticed(): Promise<void> {
  await promisify(execFile)('true');
  await setImmediate();
}

it('a poll that a stop aborts is not logged as a missing ring', async () => {
  const slow = join(await tempDirectory(), 'slow');
  const version = `if [ -e '${slow}' ]; then echo $$ >'${slow}'; exec sleep 300; fi; echo 0.19.5-12`;
  const service = await startTestService({ RING_CMD: { version, list: 'exit 127' } });
  await supertest(service.url).get('/api/status').expect(200);
  await writeFile(slow, '');
  await upload(service).expect(503);
  const pid = async () => Number(await readFile(slow, 'utf8'));
  await until(async () => (await pid()) > 0);
  await service.stop();
  const running = await pid();
  await until(() => !isRunning(running));
  await endsNoticed();
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

const monitorOf = (options: Awaited<ReturnType<typeof optionsFor>>, ttlSeconds: number) => {
  const openCache = () => tempDirectory();
  const tuning = new JvmTuning({ ...options, enabled: true, openCache, runInSlot: (task) => task() });
  return new InstallationMonitor({ ...options, tuning, ttlSeconds, onPoll: () => undefined });
};

it.each<[string, FakeRing, number]>([
  ['ten times the TTL when ring is ready', {}, 1_230_000],
  ['the TTL when it is not', { version: 'exit 1' }, 123_000],
  ['the TTL when it did not answer', { listNone: 'exec cat /dev/zero' }, 123_000],
])('the next poll comes after %s', async (_title, commands, delay) => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  const monitor = monitorOf(await optionsFor(commands), 123);
  await monitor.poll();
  monitor.stop();
  expect(timers.mock.calls.map(([, ms]) => ms).filter((ms = 0) => ms > 100_000)).toEqual([delay]);
});

it('polls run in / with the heap bound of decodes, and need no temporary directory', async () => {
  const options = await optionsFor({ always: 'echo "$PWD $RING_OPTS" >>"$0.runs"' });
  vi.stubEnv('TMPDIR', '/nonexistent');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { jre, ring } = await findInstallation({ ...options, jvmOptions: ['-Xmx256m'] });
  expect([jre.isSupported, ring.isSupported]).toEqual([true, true]);
  const runs = (await readFile(`${options.command}.runs`, 'utf8')).trim().split('\n');
  expect(runs).toEqual(Array(3).fill(expect.stringMatching(/^\/ .* -Xmx256m/)));
});

it('while the service is not ready the reason is logged every ten minutes, otherwise once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const good = await findInstallation(await optionsFor({}));
  const bad = await findInstallation(await optionsFor({ version: 'exit 1' }));
  for (const [installation, lines] of [
    [bad, 3],
    [good, 1],
  ] as const) {
    const log: string[] = [];
    const onPoll = installationLog(pino({}, { write: (line) => log.push(line) }), 'ring', true);
    for (let minute = 0; minute <= 20; minute++) {
      onPoll(installation);
      vi.advanceTimersByTime(60_000);
    }
    expect(log).toHaveLength(lines);
  }
});

it.each<[string, FakeRing]>([
  ['the version is asked for', { version: HANG }],
  ['the module is looked for', { listNone: HANG }],
  ['the JVM is tuned', { version: `case $RING_OPTS in *Tiered*) ${HANG} ;; esac; echo 0.19.5-12` }],
])('stop() while %s ends that run and the polling', async (_title, commands) => {
  const count = 'echo x >>"$0.runs"';
  const [options, others] = [
    await optionsFor({ ...commands, always: count }),
    await optionsFor({ always: count }),
  ];
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const [monitor, other] = [monitorOf(options, 0.005), monitorOf(others, 0.005)];
  void monitor.poll();
  await until(async () => (await read(`${options.command}.pid`)) !== '');
  const pid = Number(await read(`${options.command}.pid`));
  monitor.stop();
  await until(() => !isRunning(pid));
  await endsNoticed();
  const runs = await read(`${options.command}.runs`);
  // Another monitor tells how long several polls take on this machine.
  onTestFinished(() => other.stop());
  void other.poll();
  await until(async () => (await read(`${others.command}.runs`)).length >= 40);
  expect(await read(`${options.command}.runs`)).toBe(runs);
  expect(monitor.ready).toBe(false);
});
