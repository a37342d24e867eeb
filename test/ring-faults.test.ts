import { describe, expect, it } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { fakeRing, print, type FakeRing } from './support/fake-ring.js';
import { processesIn } from './support/processes.js';
import { filesOf, spawnService } from './support/spawned-service.js';
import { eventually, upload } from './support/service.js';

const CHILD = 'sleep 300 &';
const STUBBORN = `trap '' TERM INT HUP; ${CHILD} while :; do sleep 1; done`;
const lines = (count: number) =>
  `i=0; while [ $i -lt ${count} ]; do echo "332588056123456-$i (file name: \\"a.lic\\")"; i=$((i+1)); done`;

describe('ring that misbehaves', () => {
  it.each<[string, FakeRing, number, string | undefined]>([
    ['hangs in list', { list: 'sleep 300' }, 504, 'ring_timeout'],
    ['hangs in info', { info: 'sleep 300' }, 504, 'ring_timeout'],
    ['hangs in validate', { validate: 'sleep 300' }, 504, 'ring_timeout'],
    ['hangs in a child', { list: `${CHILD} wait` }, 504, 'ring_timeout'],
    ['ignores SIGTERM', { info: STUBBORN }, 504, 'ring_timeout'],
    ['floods stdout for ever', { list: `${CHILD} exec yes` }, 422, 'license_undecodable'],
    ['floods stderr for ever', { info: `${CHILD} exec yes >&2` }, 422, 'license_undecodable'],
    ['floods stdout with one line', { validate: 'exec cat /dev/zero' }, 422, 'license_undecodable'],
    ['forks a child and exits', { list: `${CHILD} ${print('list-one-ru.txt')}` }, 200, undefined],
    [
      'forks a silent child and exits',
      { info: `sleep 300 >/dev/null 2>&1 & ${print('info-one-ru.txt')}` },
      200,
      undefined,
    ],
    ['exits 0 with nothing in list', { list: 'exit 0' }, 422, 'license_undecodable'],
    ['exits 0 with nothing in info', { info: 'exit 0' }, 422, 'license_undecodable'],
    ['exits 0 with nothing in validate', { validate: 'exit 0' }, 200, undefined],
    ['prints half a line', { list: 'printf 33258805612' }, 422, 'license_undecodable'],
    ['prints garbage for a list', { list: 'head -c 100000 /dev/urandom' }, 422, 'license_undecodable'],
    ['prints garbage for an info', { info: 'head -c 100000 /dev/urandom' }, 200, undefined],
    ['prints 10,000 lines', { list: lines(10_000) }, 200, undefined],
    ['is ended by a signal', { validate: 'kill -SEGV $$' }, 503, 'ring_unavailable'],
    ['dumps core with a child left', { list: `${CHILD} kill -ABRT $$` }, 503, 'ring_unavailable'],
  ])('%s', async (_title, commands, status, error) => {
    const service = await spawnService({ RING_CMD: await fakeRing(commands), RING_TIMEOUT_MS: '1500' });
    const response = await upload(service);
    expectDocumented(response);
    expect(response.status).toBe(status);
    expect((response.body as { error?: string }).error).toBe(error);
    expect(await eventually(() => processesIn(service.tmpBase).length === 0, 1000)).toBe(true);
    expect(filesOf(service)).toEqual([]);
    expect(service.peakMemory()).toBeLessThan(300e6);
  });

  it('eight floods at a time stay under 300 MB', async () => {
    const service = await spawnService({
      RING_CMD: await fakeRing({ list: 'yes >&2 & exec yes' }),
      RING_CONCURRENCY: '8',
    });
    const answers = await Promise.all(Array.from({ length: 40 }, () => upload(service)));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(422));
    expect(processesIn(service.tmpBase)).toEqual([]);
    expect(service.peakMemory()).toBeLessThan(300e6);
  });
});
