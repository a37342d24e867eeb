import { expect, it } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { fakeRing, print, type FakeRing } from '../support/fake-ring.js';
import { processesIn } from '../support/processes.js';
import { eventually, startTestService, upload } from '../support/service.js';

const CHILD = 'sleep 300 &';
const STUBBORN = `trap '' TERM INT HUP; ${CHILD} while :; do sleep 1; done`;
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
  ['prints nothing in list', { list: 'exit 0' }, 'license_undecodable'],
  ['prints half a line', { list: 'printf 33258805612' }, 'license_undecodable'],
  ['prints garbage for a list', { list: 'head -c 100000 /dev/urandom' }, 'license_undecodable'],
  ['is ended by a signal', { validate: 'kill -SEGV $$' }, 'ring_unavailable'],
  ['dies with a child left', { list: `${CHILD} kill -ABRT $$` }, 'ring_unavailable'],
])('a ring that %s leaves no process and no file', async (_title, commands, error) => {
  const service = await startTestService({
    RING_CMD: await fakeRing(commands),
    RING_TIMEOUT_MS: error === 'ring_timeout' ? SHORT : LONG,
  });
  expectError(await upload(service), error);
  expect(await eventually(() => processesIn(service.tmpBase).length === 0)).toBe(true);
  expect(service.files()).toEqual([]);
});

it.each<[string, FakeRing]>([
  ['forks a child and exits', { list: `${CHILD} ${print('list-one-ru.txt')}` }],
  ['forks a silent child and exits', { info: `sleep 300 >/dev/null 2>&1 & ${print('info-one-ru.txt')}` }],
  ['prints nothing in validate', { validate: 'exit 0' }],
  ['prints garbage for an info', { info: 'head -c 100000 /dev/urandom' }],
  ['prints 10,000 lines', { list: LINES }],
])('a ring that %s decodes, and leaves no process and no file', async (_title, commands) => {
  const service = await startTestService({ RING_CMD: await fakeRing(commands) });
  const response = await upload(service);
  expect(response.status).toBe(200);
  expectDocumented(response);
  expect(await eventually(() => processesIn(service.tmpBase).length === 0)).toBe(true);
  expect(service.files()).toEqual([]);
});

it('a decode that fails 20 times in a row still frees its slot', async () => {
  const service = await startTestService({
    RING_CMD: await fakeRing({ list: print('list-empty.txt') }),
    RING_CONCURRENCY: '1',
  });
  for (let i = 0; i < 20; i++) expectError(await upload(service), 'license_undecodable');
});

/** Runs on until it is killed; the other run fails only once it has started. */
const ENDLESS = 'touch "$0.started"; exec sleep 300';
const STARTED = 'until [ -e "$0.started" ]; do sleep 0.05; done';

it.each<[string, FakeRing, string]>([
  ['info', { info: `${STARTED}; exit 1`, validate: ENDLESS }, 'license_undecodable'],
  ['validate', { validate: `${STARTED}; kill -SEGV $$`, info: ENDLESS }, 'ring_unavailable'],
])('when %s fails, the other run is killed', async (_title, commands, error) => {
  const service = await startTestService({
    RING_CMD: await fakeRing(commands),
    RING_CONCURRENCY: '2',
    // Longer than a test may take: no time-out can end the run.
    RING_TIMEOUT_MS: '600000',
    DECODE_TIMEOUT_MS: '1200000',
  });
  expectError(await upload(service), error);
  expect(await eventually(() => processesIn(service.tmpBase).length === 0)).toBe(true);
});
