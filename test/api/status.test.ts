import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import supertest from 'supertest';
import { expect, it, vi } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { fakeRing, print, type FakeRing } from '../support/fake-ring.js';
import { useFakeTime } from '../support/fake-time.js';
import { isRunning } from '../support/processes.js';
import { getStatus, isReady, startTestService, upload } from '../support/service.js';
import { until } from '../support/until.js';

const MISSING = { installed: false, version: '', valid: false };
const JRE = { installed: true, version: '17.0.15', valid: true };
const RING = { installed: true, version: '0.19.5-12', valid: true };

const containing = (text: string) => expect.stringContaining(text) as string;

it('without Java and ring, the status is documented, the log says what to do, and GET /healthz is 200', async () => {
  const service = await startTestService({ RING_CMD: 'ring-that-is-nowhere' }, { PATH: '/nonexistent' });
  const response = await getStatus(service).expect(503);
  expectDocumented(response, '/api/status', 'get');
  expectError(await upload(service), 'ring_unavailable');
  const detail = 'license list: no ring found: install ring, or set or correct RING_CMD';
  expect(service.requests().at(-1)).toMatchObject({ detail });
  expectDocumented(await supertest(service.url).get('/healthz').expect(200), '/healthz', 'get');
});

it('GET and HEAD /api/status answer 200 when Java and ring are new enough, and the log says so once', async () => {
  const service = await startTestService();
  await until(() => isReady(service));
  const response = await getStatus(service).expect(200);
  expectDocumented(response, '/api/status', 'get');
  expect(response.body).toEqual({ jre: JRE, ring: RING, ready: true });
  await supertest(service.url).head('/api/status').expect(200);
  expect(service.log.filter(({ msg }) => msg === 'ready to decode')).toMatchObject([
    {
      service: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      node: process.versions.node,
      jre: { version: '17.0.15', path: containing('/bin/java') },
      ring: { version: '0.19.5-12', path: containing('/bin/ring') },
      module: { name: 'license' },
      jvmOptions: '-XX:-UsePerfData -Xmx256m',
    },
  ]);
});

it('a ring that needs no Java decodes without one, and only a damaged file is undecodable', async () => {
  const damaged = `case $(cat "$4"/*) in *damaged*) echo Ошибка; exit 1 ;; esac`;
  const list = `${damaged}; ${print('list-one-ru.txt')}`;
  const environment = { PATH: process.env['PATH'], JAVA_HOME: '/nowhere' };
  const service = await startTestService({ RING_CMD: { list } }, environment);
  const response = await getStatus(service).expect(503);
  expect(response.body).toEqual({ jre: MISSING, ring: RING, ready: false });
  await upload(service).expect(200);
  expectError(await upload(service, Buffer.from('damaged')), 'license_undecodable');
});

it('polls go on while ring is busy', async () => {
  const version = 'until [ -e "$0.go" ]; do sleep 0.02; done; echo 0.11.5-2';
  const ring = await fakeRing({ list: 'echo >"$0.busy"; exec sleep 300', version });
  const settings = { RING_CONCURRENCY: '1', STATUS_TTL_SECONDS: '1' };
  const service = await startTestService({ RING_CMD: ring, ...settings });
  const decode = upload(service);
  decode.end(() => undefined);
  // It is accepted, because no poll has ended yet.
  await until(() => service.decoding() === 1);
  await writeFile(`${ring}.go`, '');
  await until(() => existsSync(`${ring}.busy`));
  expect(await isReady(service)).toBe(false);
  await service.setRing({});
  await until(() => isReady(service));
  decode.abort();
});

it.each([
  ['cannot start', 'exit 127', '127'],
  ['does not have', print('launcher-no-module-ru.txt', 254), 'Модуль "license" не зарегистрирован'],
])('a ring that %s its module decodes nothing and is not ready until it does', async (...row) => {
  const [, unversioned, problem] = row;
  const service = await startTestService({ RING_CMD: { unversioned }, STATUS_TTL_SECONDS: '1' });
  const response = await getStatus(service).expect(503);
  expectDocumented(response, '/api/status', 'get');
  expect(response.body).toEqual({ jre: JRE, ring: RING, ready: false });
  expectError(await upload(service), 'ring_unavailable');
  const notReady = {
    msg: containing('not ready to decode'),
    module: { name: 'license', problem: containing(problem) },
  };
  expect(service.log.find(({ module }) => module)).toMatchObject(notReady);
  await service.setRing({});
  await until(() => isReady(service));
  await upload(service).expect(200);
});

it('the newest of two license modules decodes, even one that was just installed', async () => {
  useFakeTime('performance');
  const service = await startTestService();
  await upload(service).expect(200);
  vi.advanceTimersByTime(5_000);
  await service.setRing({ unversioned: print('launcher-two-versions.txt', 254) });
  // ring refuses the command, and the module is looked for again.
  expectError(await upload(service), 'ring_unavailable');
  const ready = { module: { name: 'license@0.15.0' }, msg: 'ready to decode' };
  await expect.poll(() => service.log.filter(({ module }) => module).at(-1)).toMatchObject(ready);
  await upload(service).field('detailed', 'true').expect(200);
});

/** What the launcher says of a file, or of any command. */
const REFUSAL = "echo '[ERROR ] Неправильный вызов команды 332588056123456-1'; exit 254";
const BROKEN = `[ ! -e "$0.broken" ] ||`;

it.each<[string, FakeRing, string, boolean]>([
  ['the file, when ring has its module', { list: REFUSAL }, 'license_undecodable', true],
  [
    'ring, when it refuses its module too',
    { unversioned: `${BROKEN} { ${REFUSAL}; }` },
    'ring_unavailable',
    false,
  ],
  [
    'ring, when it does not tell whether it has its module',
    { list: REFUSAL, listNone: `${BROKEN} exec cat /dev/zero; echo` },
    'ring_unavailable',
    true,
  ],
])('a command that the launcher refuses is the fault of %s', async (_title, commands, error, ready) => {
  useFakeTime('performance');
  const ring = await fakeRing(commands);
  const service = await startTestService({ RING_CMD: ring });
  expect(await isReady(service)).toBe(true);
  vi.advanceTimersByTime(5_000);
  await writeFile(`${ring}.broken`, '');
  expectError(await upload(service), error);
  const detail = containing('license list: the launcher refused: Неправильный вызов команды …; ');
  expect(service.requests().at(-1)).toMatchObject({ detail });
  // At once, the module included, though the next poll is far off.
  await until(async () => (await isReady(service)) === ready);
});

it('each of ten files that the launcher refuses costs one more run, within RING_CONCURRENCY', async () => {
  const always = `mkdir "$0.busy" || echo overlap >>"$0.runs"; trap 'rmdir "$0.busy"' EXIT; echo run >>"$0.runs"`;
  const ring = await fakeRing({ list: REFUSAL, always });
  const service = await startTestService({ RING_CMD: ring, RING_CONCURRENCY: '1' });
  expect(await isReady(service)).toBe(true);
  await rm(`${ring}.runs`);
  const answers = await Promise.all(Array.from({ length: 10 }, () => upload(service)));
  for (const answer of answers) expectError(answer, 'license_undecodable');
  expect(readFileSync(`${ring}.runs`, 'utf8')).toBe('run\n'.repeat(20));
});

it('a file that the launcher refuses during a stop is answered 422, as at any other time', async () => {
  const ring = await fakeRing({ list: `until [ -e "$0.go" ]; do sleep 0.02; done; ${REFUSAL}` });
  const service = await startTestService({ RING_CMD: ring, SHUTDOWN_TIMEOUT_MS: '600000' });
  const answer = upload(service).then((response) => response);
  await until(() => service.decoding() === 1);
  const stopped = service.stop();
  await writeFile(`${ring}.go`, '');
  expectError(await answer, 'license_undecodable');
  await stopped;
});

it('a module that has not answered yet is not ready, and no status request waits for it', async () => {
  const service = await startTestService({ RING_CMD: { listNone: 'exec sleep 300' } });
  const response = await getStatus(service);
  expectDocumented(response, '/api/status', 'get');
  expect(response).toMatchObject({ status: 503, body: { ready: false } });
});

it('the first decode waits for the first poll, which knows the module', async () => {
  const unversioned = print('launcher-two-versions.txt', 254);
  const service = await startTestService({ RING_CMD: { version: 'sleep 1; echo 0.19.5-12', unversioned } });
  expect(await upload(service)).toMatchObject({ status: 200 });
});

it('DECODE_TIMEOUT_MS ends a decode that waits for the first poll, which goes on', async () => {
  const ring = await fakeRing({ version: 'echo $$ >"$0.pid"; exec sleep 300' });
  const timeouts = { RING_CONCURRENCY: '2', DECODE_TIMEOUT_MS: '1100' };
  const service = await startTestService({ RING_CMD: ring, ...timeouts });
  await until(() => existsSync(`${ring}.pid`));
  expectError(await upload(service), 'decode_timeout');
  expect(isRunning(Number(readFileSync(`${ring}.pid`, 'utf8')))).toBe(true);
});
