import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Installation } from '../../../src/ring/installation/installation.js';
import { InstallationMonitor, type MonitorOptions } from '../../../src/ring/installation/monitor.js';
import { print, type FakeRing } from '../../support/fake-ring.js';
import { isRunning } from '../../support/processes.js';
import { ringSettings } from '../../support/ring-settings.js';
import { until } from '../../support/until.js';

/** Runs until it is killed. */
const HANG = 'echo $$ >"$0.pid"; exec sleep 300';
/** Answers once, and then prints without end. */
const ONCE = '[ -e "$0.once" ] && exec cat /dev/zero; touch "$0.once"';
const TWO_VERSIONS = { unversioned: print('launcher-two-versions.txt', 254) };

/** A monitor of a ring that does this, and what its polls have found. */
async function monitorOf(commands: FakeRing, options: Partial<MonitorOptions> = {}, java?: string) {
  const settings = await ringSettings(commands, java);
  const polls: Installation[] = [];
  const monitor = new InstallationMonitor({
    ...settings,
    ttlSeconds: 600,
    onPoll: (found) => polls.push(found),
    log: pino({ level: 'silent' }),
    ...options,
  });
  onTestFinished(() => monitor.stop());
  const ring = settings.command;
  const read = (suffix: string) => {
    const path = `${ring}.${suffix}`;
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  return { monitor, polls, ring, java: join(settings.env.JAVA_HOME, 'bin/java'), read };
}

const never = new AbortController().signal;

it('two polls in a row without an answer change nothing, a third does, and tells why', async () => {
  const listNone = '[ ! -e "$0.silent" ] || exec cat /dev/zero';
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
  expect(polls.at(-1)?.module?.problem).toMatchObject({ reason: 'output_limit' });
  expect(monitor.ready).toBe(false);
  expect(await monitor.ringToRun(never)).toMatchObject({ module: 'license@0.15.0' });

  await rm(`${ring}.silent`);
  await monitor.poll();
  expect(polls.at(-1)).toEqual(first);
  await writeFile(`${ring}.silent`, '');
  await monitor.poll();
  expect(polls.at(-1)).toEqual(first);
  expect(monitor.ready).toBe(true);
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
  expect(planned).toBe(delay);
});

it('Java and ring are known before the module is asked', async () => {
  const { monitor, read } = await monitorOf({ listNone: HANG });
  void monitor.poll();
  await until(() => read('pid') !== '');
  expect(monitor.last).toMatchObject({ jre: { isSupported: true }, ring: { isSupported: true } });
  expect(monitor.ready).toBe(false);
});

it('a poll that a decode asks for follows, unless one is under way or has just ended', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { monitor, polls } = await monitorOf({ always: 'echo x >>"$0.runs"' });
  const polled = monitor.poll();
  monitor.recheck();
  await polled;
  vi.advanceTimersByTime(4_999);
  monitor.recheck();
  // Joins a poll under way, so if one of them had begun, there would be a third one.
  await monitor.poll();
  expect(polls).toHaveLength(2);

  vi.advanceTimersByTime(5_000);
  monitor.recheck();
  await monitor.poll();
  expect(polls).toHaveLength(3);
});

it('a poll that fails unexpectedly is logged, and the next one comes', async () => {
  const lines: string[] = [];
  let isOdd = true;
  const polls: Installation[] = [];
  const { monitor } = await monitorOf(
    {},
    {
      ttlSeconds: 0.005,
      log: pino({}, { write: (line: string) => lines.push(line) }),
      onPoll: (found) => {
        if (isOdd) throw new Error('spawn EODD');
        polls.push(found);
      },
    },
  );
  await monitor.poll();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { err: { message: 'spawn EODD' }, msg: expect.stringContaining('failed unexpectedly') as string },
  ]);
  isOdd = false;
  await until(() => polls.length > 0);
});

it('RING_MODULE is used before the module is known', async () => {
  const { monitor } = await monitorOf(TWO_VERSIONS, { module: 'license@0.11.0' }, 'no version');
  expect(await monitor.ringToRun(never)).toMatchObject({ module: 'license@0.11.0' });
});

it('after a poll in which Java was killed, decodes still use the module that was found before', async () => {
  const { monitor, java } = await monitorOf(TWO_VERSIONS);
  await monitor.poll();
  await writeFile(java, '#!/bin/sh\nkill -9 $$\n');
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
