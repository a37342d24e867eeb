import supertest from 'supertest';
import { expect, it } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { print, transcriptPath, type FakeRing } from '../support/fake-ring.js';
import { startTestService, upload } from '../support/service.js';
import { expectNothingLeft } from '../support/temp.js';

const CHILD = 'sleep 300 &';
const STUBBORN = `trap '' TERM INT HUP; ${CHILD} while kill -0 $PPID; do sleep 1; done`;
const LINES = `i=0; while [ $i -lt 10000 ]; do echo "332588056123456-$i (file name: \\"a.lic\\")"; i=$((i+1)); done`;

/** Long enough for a run that ends by itself on a busy machine, where the test expects no time-out. */
const SHORT = '1500';
const LONG = '18000';

it.each<[string, FakeRing, string]>([
  ['hangs in list', { list: 'sleep 300' }, 'ring_timeout'],
  ['hangs in info', { info: 'sleep 300' }, 'ring_timeout'],
  ['hangs in validate', { validate: 'sleep 300' }, 'ring_timeout'],
  ['hangs in a child', { list: `${CHILD} wait` }, 'ring_timeout'],
  ['ignores SIGTERM', { info: STUBBORN }, 'ring_timeout'],
  ['floods stdout with one line', { validate: 'exec cat /dev/zero' }, 'license_undecodable'],
  ['floods stderr, a child left', { list: `${CHILD} exec yes >&2` }, 'license_undecodable'],
  ['prints an empty list', { list: print('list-empty.txt') }, 'license_undecodable'],
  ['prints half a line', { list: 'printf 33258805612' }, 'license_undecodable'],
  ['prints garbage for a list', { list: 'head -c 100000 /dev/urandom' }, 'license_undecodable'],
  ['fails in list', { list: print('list-nodir-ru.txt', 1) }, 'license_undecodable'],
  ['fails in list after a name', { list: print('list-one-ru.txt', 3) }, 'license_undecodable'],
  ['fails in list without a word', { list: 'exit 255' }, 'license_undecodable'],
  ['fails in info', { info: print('info-unknown-ru.txt', 1) }, 'license_undecodable'],
  ['prints nothing in info', { info: 'exit 0' }, 'license_undecodable'],
  ['has no Java', { list: 'exec java-that-is-not-there' }, 'ring_unavailable'],
  ['has no room', { info: `echo 'Error occurred during initialization of VM'; exit 1` }, 'ring_unavailable'],
  ['has a JVM that is killed', { list: `sh -c 'kill -9 $$'; exit $?` }, 'ring_unavailable'],
  ['is ended by a signal', { validate: 'kill -SEGV $$' }, 'ring_unavailable'],
  ['dies with a child left', { list: `${CHILD} kill -ABRT $$` }, 'ring_unavailable'],
])('a ring that %s leaves no process and no file, and the log alone says why', async (...row) => {
  const [, RING_CMD, error] = row;
  const RING_TIMEOUT_MS = error === 'ring_timeout' ? SHORT : LONG;
  const service = await startTestService({ RING_CMD, RING_TIMEOUT_MS });
  const response = await upload(service);
  expectError(response, error);
  expect(service.files()).toEqual([]);
  await expectNothingLeft(service);
  const internal = /\/tmp|\/var|ring license|java\.|Error|RING_OPTS|Ошибка|33258/;
  expect(JSON.stringify(response.body)).not.toMatch(internal);
  expect(service.requests()).toMatchObject([{ detail: expect.stringMatching(/./) as string }]);
});

it.each<[string, FakeRing]>([
  ['1', { validate: 'sleep 300' }],
  ['2', { info: 'sleep 300' }],
])('with %s slots RING_TIMEOUT_MS ends the last run before DECODE_TIMEOUT_MS', async (slots, RING_CMD) => {
  const settings = { RING_CMD, RING_CONCURRENCY: slots, DECODE_TIMEOUT_MS: '6000' };
  expectError(await upload(await startTestService(settings)), 'ring_timeout');
});

it.each<[string, FakeRing]>([
  ['forks a child and exits', { list: `${CHILD} ${print('list-one-ru.txt')}` }],
  ['forks a silent child and exits', { info: `sleep 300 >/dev/null 2>&1 & ${print('info-one-ru.txt')}` }],
  ['prints nothing in validate', { validate: 'exit 0' }],
  ['prints garbage for an info', { info: 'head -c 100000 /dev/urandom' }],
  ['prints 10,000 lines', { list: LINES }],
])('a ring that %s decodes, and leaves no process and no file', async (_title, RING_CMD) => {
  const service = await startTestService({ RING_CMD });
  const response = await upload(service);
  expect(response.status).toBe(200);
  expectDocumented(response);
  expect(service.files()).toEqual([]);
  await expectNothingLeft(service);
});

it.each([
  ['is not there', '/nonexistent/ring', 'ENOENT'],
  ['is not executable', transcriptPath('list-one-ru.txt'), 'EACCES'],
  ['is a directory', '/usr/bin/', 'EACCES'],
  ['is on no PATH', 'ring-that-is-nowhere', ''],
])('a ring whose launcher %s is answered 503, and the log has why', async (_title, RING_CMD, reason) => {
  const service = await startTestService({ RING_CMD });
  expectError(await upload(service), 'ring_unavailable');
  expect(service.requests()).toMatchObject([{ detail: expect.stringContaining(reason) as string }]);
  expect(service.files()).toEqual([]);
});

it('a decode that fails 20 times in a row still frees its slot', async () => {
  const RING_CMD = { list: print('list-empty.txt') };
  const service = await startTestService({ RING_CMD, RING_CONCURRENCY: '1' });
  for (let i = 0; i < 20; i++) expectError(await upload(service), 'license_undecodable');
});

/**
 * Runs on until it is killed; the other run fails only once it has started. What leaves the process group and holds the
 * output makes the end of the run last half a second.
 */
const ENDLESS = '(cd /; exec setsid sleep 2) & touch "$0.started"; exec sleep 300';
const STARTED = 'until [ -e "$0.started" ]; do sleep 0.05; done';

it.each<[string, FakeRing, string, string]>([
  ['info', { info: `${STARTED}; exit 1`, validate: ENDLESS }, 'license_undecodable', 'validate'],
  ['validate', { validate: `${STARTED}; kill -SEGV $$`, info: ENDLESS }, 'ring_unavailable', 'info'],
])('when %s fails, the other run is killed, and over before the answer', async (...row) => {
  const [, RING_CMD, error, other] = row;
  const service = await startTestService({
    RING_CMD,
    RING_CONCURRENCY: '2',
    METRICS_PORT: '0',
    // Longer than a test may take: no time-out can end the run.
    RING_TIMEOUT_MS: '600000',
    DECODE_TIMEOUT_MS: '1200000',
  });
  expectError(await upload(service), error);
  const { text } = await supertest(service.metricsUrl).get('/metrics');
  expect(text).toContain(`ring_run_duration_seconds_count{command="${other}",result="aborted"} 1\n`);
  await expectNothingLeft(service);
});
