import supertest from 'supertest';
import { expect, it } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { print, quote, transcript, type FakeRing } from '../support/fake-ring.js';
import { startTestService, upload, type TestService } from '../support/service.js';
import { expectNothingLeft } from '../support/temp.js';

const CHILD = 'sleep 300 &';
const STUBBORN = `trap '' TERM INT HUP; ${CHILD} while kill -0 $PPID; do sleep 1; done`;
const LINES = `i=0; while [ $i -lt 5000 ]; do echo "332588056123456-$i (file name: \\"a.lic\\")"; i=$((i+1)); done`;

const service = await startTestService({ RING_CONCURRENCY: '2' });
/** Where runs end by time, and not those that end by themselves on a busy machine. */
const hasty = await startTestService({ RING_CONCURRENCY: '2', DECODE_TIMEOUT_MS: '3300' });

it.each<[string, FakeRing, string, TestService?]>([
  ['hangs in list', { list: 'sleep 300' }, 'ring_timeout', hasty],
  ['hangs in a child', { validate: `${CHILD} wait` }, 'ring_timeout', hasty],
  ['ignores SIGTERM', { info: STUBBORN }, 'ring_timeout', hasty],
  ['floods stdout with one line', { validate: 'exec cat /dev/zero' }, 'license_undecodable'],
  ['floods stderr, a child left', { list: `${CHILD} exec yes >&2` }, 'license_undecodable'],
  ['prints garbage for a list', { list: 'head -c 100000 /dev/urandom' }, 'license_undecodable'],
  ['fails in list after a name', { list: print('list-one-ru.txt', 3) }, 'license_undecodable'],
  ['fails in info', { info: print('info-unknown-ru.txt', 1) }, 'license_undecodable'],
  ['prints nothing in info', { info: 'exit 0' }, 'license_undecodable'],
  ['has no Java', { list: 'exec java-that-is-not-there' }, 'ring_unavailable'],
  ['has a JVM that is killed', { list: `sh -c 'kill -9 $$'; exit $?` }, 'ring_crashed'],
  ['is ended by a signal, a child left', { validate: `${CHILD} kill -SEGV $$` }, 'ring_crashed'],
  ['is asked to end', { list: 'kill -TERM $$' }, 'ring_unavailable'],
])('a ring that %s leaves no process and no file, and the log alone says why', async (...row) => {
  const [, commands, error, at = service] = row;
  await at.setRing(commands);
  const response = await upload(at);
  expectError(response, error);
  expect(at.files()).toEqual([]);
  await expectNothingLeft(at);
  const internal = /\/tmp|\/var|ring license|java\.|Error|RING_OPTS|Ошибка|33258/;
  expect(JSON.stringify(response.body)).not.toMatch(internal);
  expect(at.requests()).toMatchObject([{ detail: expect.stringMatching(/./) as string }]);
});

const CHAIN = transcript('list-nodir-ru.txt');
const [STORAGE = ''] = CHAIN.split('\n По причине: Директория');
const HINT = 'if every file fails, npm run doctor';

it.each<[string, FakeRing, string, string]>([
  [
    'speaks of its storage alone',
    { list: `printf %s ${quote(STORAGE)}; exit 1` },
    'license_undecodable',
    `(exit status 1: Ошибка получения списка лицензий. По причине: Ошибка при работе с хранилищем лицензий.); ${HINT}`,
  ],
  [
    'finds a directory missing',
    { list: print('list-nodir-ru.txt', 1) },
    'ring_unavailable',
    'По причине: Директория не найдена: …)',
  ],
  [
    "quotes what is nobody's business",
    { list: 'echo ООО Ромашка не найдена' },
    'license_undecodable',
    '… не найдена); ',
  ],
  ['says nothing', { list: 'exit 3' }, 'license_undecodable', `(exit status 3); ${HINT}`],
  [
    'gives no text',
    { info: 'echo Ошибка; exit 1' },
    'license_undecodable',
    `(exit status 1: Ошибка); ${HINT}`,
  ],
])('of a ring that %s the log has the words that are known, and what to do', async (...row) => {
  const [, commands, error, words] = row;
  await service.setRing(commands);
  expectError(await upload(service), error);
  expect(service.requests()).toMatchObject([{ detail: expect.stringContaining(words) as string }]);
});

it.each<[string, FakeRing]>([
  ['forks a child and exits', { list: `${CHILD} ${print('list-one-ru.txt')}` }],
  ['forks a silent child and exits', { info: `sleep 300 >/dev/null 2>&1 & ${print('info-one-ru.txt')}` }],
  ['prints nothing in validate', { validate: 'exit 0' }],
  ['prints garbage for an info', { info: 'head -c 100000 /dev/urandom' }],
  ['prints 5,000 lines', { list: LINES }],
])('a ring that %s decodes, and leaves no process and no file', async (_title, commands) => {
  await service.setRing(commands);
  const response = await upload(service);
  expect(response.status).toBe(200);
  expectDocumented(response);
  expect(service.files()).toEqual([]);
  await expectNothingLeft(service);
});

/**
 * Runs on until it is killed; the other run fails only once it has started. What leaves the process group and holds the
 * output makes the end of the run last half a second.
 */
const ENDLESS = '(cd /; exec setsid sleep 2) & touch "$0.started"; exec sleep 300';
const STARTED = 'until [ -e "$0.started" ]; do sleep 0.05; done';

it.each<[string, FakeRing, string, string]>([
  ['info', { info: `${STARTED}; exit 1`, validate: ENDLESS }, 'license_undecodable', 'validate'],
  ['validate', { validate: `${STARTED}; kill -SEGV $$`, info: ENDLESS }, 'ring_crashed', 'info'],
])('when %s fails, the other run is killed, and over before the answer', async (...row) => {
  const [, RING_CMD, error, other] = row;
  // Longer than a test may take: no time-out can end the run.
  const timeouts = { DECODE_TIMEOUT_MS: '1200000' };
  const patient = await startTestService({ RING_CMD, RING_CONCURRENCY: '2', METRICS_PORT: '0', ...timeouts });
  expectError(await upload(patient), error);
  const { text } = await supertest(patient.metricsUrl).get('/metrics');
  expect(text).toContain(`ring_run_duration_seconds_count{command="${other}",result="aborted"} 1\n`);
  await expectNothingLeft(patient);
});
