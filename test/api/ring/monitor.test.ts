import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { MonitorOptions } from '../../../src/ring/installation/monitor.js';
import type { PollResult } from '../../../src/ring/installation/poll-result.js';
import { print, type FakeRing } from '../../support/fake-ring.js';
import { useFakeTime } from '../../support/fake-time.js';
import { isRunning } from '../../support/processes.js';
import { recordedLog } from '../../support/recorded-log.js';
import { monitorWith, ringSettings } from '../../support/ring-settings.js';
import { until } from '../../support/until.js';

/** Runs until it is killed. */
const HANG = 'echo $$ >"$0.pid"; exec sleep 300';
/** Answers once, and then prints without end. */
const ONCE = '[ -e "$0.once" ] && exec cat /dev/zero; touch "$0.once"';
const TWO_VERSIONS = { unversioned: print('launcher-two-versions.txt', 254) };

/** A monitor of a ring that does this, and what its polls have found. */
async function monitorOf(commands: FakeRing, options: Partial<MonitorOptions> = {}, java?: string) {
  const settings = await ringSettings(commands, java);
  const { monitor, polls } = monitorWith({ ...settings, ...options });
  const ring = settings.command;
  const read = (suffix: string) => {
    const path = `${ring}.${suffix}`;
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  return { monitor, polls, ring, read };
}

const never = new AbortController().signal;

it.each([
  ['prints too much', 'exec cat /dev/zero', { reason: 'output_limit' }],
  ['is killed', "sh -c 'kill -9 $$'; exit $?", { reason: 'crashed' }],
  ['is asked to end', 'kill $$', { reason: 'killed' }],
])('two polls in a row in which ring %s change nothing, a third does, and tells why', async (...row) => {
  const [, silence, problem] = row;
  const listNone = `[ ! -e "$0.silent" ] || ${silence}`;
  const { monitor, polls, ring } = await monitorOf({ ...TWO_VERSIONS, listNone });
  await monitor.poll();
  expect(monitor.ready).toBe(true);
  const [first] = polls;

  await writeFile(`${ring}.silent`, '');
  await monitor.poll();
  await monitor.poll();
  expect(polls.slice(1)).toEqual([first, first]);
  expect(monitor.ready).toBe(true);
  await monitor.poll();
  expect(polls.at(-1)?.module?.problem).toMatchObject(problem);
  expect(monitor.ready).toBe(false);
  await expect(monitor.ringToRun(never)).rejects.toMatchObject({ reason: 'not_started' });

  await rm(`${ring}.silent`);
  await monitor.poll();
  expect(polls.at(-1)).toEqual(first);
  await writeFile(`${ring}.silent`, '');
  await monitor.poll();
  expect(polls.at(-1)).toEqual(first);
  expect(monitor.ready).toBe(true);
});

it('the same holds when files cannot be written, but ring is run all the same', async () => {
  const problem = '/work: ENOSPC';
  const problems = [undefined, problem, problem, problem];
  const { monitor } = await monitorOf({}, { findStorageProblem: () => Promise.resolve(problems.shift()) });
  const states = [];
  for (let n = 0; n < 4; n++) {
    await monitor.poll();
    states.push(monitor.ready);
  }
  expect(states).toEqual([true, true, true, false]);
  expect(await monitor.ringToRun(never)).toMatchObject({ module: 'license' });
});

it('fifty questions at once start ring once', async () => {
  const { monitor, polls } = await monitorOf({ version: 'sleep 0.3; echo 0.19.5-12' });
  const questions = Array.from({ length: 50 }, () => monitor.firstPoll(never));
  await Promise.all(questions);
  expect(monitor.last?.ring.version?.text).toBe('0.19.5-12');
  expect(polls).toHaveLength(1);
});

it('a ring that is installed later, and one that goes, is noticed', async () => {
  const { monitor, ring } = await monitorOf({}, { ttlSeconds: 0.005 });
  await rename(ring, `${ring}.later`);
  await monitor.poll();
  expect(monitor.ready).toBe(false);
  await rename(`${ring}.later`, ring);
  await until(() => monitor.ready);
  await rm(ring);
  await until(() => !monitor.ready);
});

it.each<[string, FakeRing, number]>([
  ['ten times the TTL when ring is ready', {}, 1_230_000],
  ['the TTL when it is not', { version: 'exit 1' }, 123_000],
  ['the TTL when its module did not answer', { listNone: ONCE }, 123_000],
])('the next poll comes after %s', async (_title, commands, delay) => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  const { monitor } = await monitorOf(commands, { ttlSeconds: 123 });
  await monitor.poll();
  await monitor.poll();
  const planned = timers.mock.calls.map(([, ms]) => ms).findLast((ms = 0) => ms > 100_000);
  expect(planned).toBeCloseTo(delay, -2);
});

it('Java and ring are known before the module is asked', async () => {
  const { monitor, read } = await monitorOf({ listNone: HANG });
  void monitor.poll();
  await until(() => read('pid') !== '');
  expect(monitor.last).toMatchObject({ jre: { isSupported: true }, ring: { isSupported: true } });
  expect(monitor.ready).toBe(false);
});

it('a poll that a decode asks for begins five seconds after the last one', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  useFakeTime('performance');
  onTestFinished(() => timers.mockRestore());
  const { monitor } = await monitorOf({});
  await monitor.poll();
  for (const [passed, left] of [
    [0, 5_000],
    [4_000, 1_000],
    [60_000, 0],
  ] as const) {
    vi.advanceTimersByTime(passed);
    monitor.recheck();
    expect(timers.mock.lastCall?.[1]).toBe(left);
  }

  // One that is under way may have looked before the fault.
  const polled = monitor.poll();
  monitor.recheck();
  await polled;
  expect(timers.mock.lastCall?.[1]).toBe(5_000);
});

it('a poll that fails unexpectedly is logged, and the next one comes', async () => {
  const { log, lines } = recordedLog();
  let isOdd = true;
  const polls: PollResult[] = [];
  const { monitor } = await monitorOf(
    {},
    {
      ttlSeconds: 0.005,
      log,
      onPoll: (found) => {
        if (isOdd) throw new Error('spawn EODD');
        polls.push(found);
      },
    },
  );
  await monitor.poll();
  expect(lines).toMatchObject([
    { err: { message: 'spawn EODD' }, msg: expect.stringContaining('failed unexpectedly') as string },
  ]);
  isOdd = false;
  await until(() => polls.length > 0);
});

it('without Java the module is found, but the service is not ready', async () => {
  const { monitor } = await monitorOf(TWO_VERSIONS, {}, 'no version');
  await monitor.poll();
  expect(monitor.ready).toBe(false);
  expect(await monitor.ringToRun(never)).toMatchObject({ module: 'license@0.15.0' });
});

/** Resolves when this process has noticed the end of all processes that have ended, and done what that leads to. */
async function endsNoticed(): Promise<void> {
  await promisify(execFile)('true');
  await setImmediate();
}

it.each<[string, FakeRing]>([
  ['the version is asked for', { version: HANG }],
  ['the module is looked for', { listNone: HANG }],
])('stop() while %s ends that run and the polling, and finds nothing missing', async (_title, commands) => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  const { monitor, polls, read } = await monitorOf(commands, { ttlSeconds: 123 });
  const polled = monitor.poll();
  await until(() => read('pid') !== '');
  monitor.stop();
  await polled;
  await until(() => !isRunning(Number(read('pid'))));
  await endsNoticed();
  monitor.recheck();
  expect(timers.mock.calls.filter(([, ms = 0]) => ms > 100_000)).toEqual([]);
  expect(polls).toEqual([]);
  expect(monitor.ready).toBe(false);
});
