import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { installationLog } from '../../../src/monitoring/status.js';
import {
  canDecode,
  findInstallation,
  hasAnswered,
  type Installation,
} from '../../../src/ring/installation/installation.js';
import { findRing } from '../../../src/ring/installation/locate.js';
import { InstallationMonitor, type MonitorOptions } from '../../../src/ring/installation/monitor.js';
import { JvmTuning } from '../../../src/ring/jvm/tuning.js';
import { Ring, type RunObservation } from '../../../src/ring/ring.js';
import { RingSlots } from '../../../src/ring/slots.js';
import { fakeJavaHome, fakeRing, print, transcript, type FakeRing } from '../../support/fake-ring.js';
import { isRunning } from '../../support/processes.js';
import { tempDirectory } from '../../support/temp.js';
import { until } from '../../support/until.js';

const BROKEN_JAVA = 'Error: could not open `/jre/lib/jvm.cfg';
/** Runs until it is killed. */
const HANG = 'echo $$ >"$0.pid"; exec sleep 300';
/** Answers once, and then prints without end. */
const ONCE = '[ -e "$0.once" ] && exec cat /dev/zero; touch "$0.once"';
const TWO_VERSIONS = { unversioned: print('launcher-two-versions.txt', 254) };

/** What finds a ring that does this. */
const settingsFor = async (commands: FakeRing = {}, java?: string) => ({
  command: await fakeRing(commands),
  module: undefined,
  language: 'ru' as const,
  env: { PATH: process.env['PATH'], JAVA_HOME: await fakeJavaHome(java) },
});

/** A monitor of a ring that does this, and what its polls have found. */
async function monitorOf(commands: FakeRing, options: Partial<MonitorOptions> = {}, java?: string) {
  const settings = await settingsFor(commands, java);
  const polls: Installation[] = [];
  const log = options.log ?? pino({ level: 'silent' });
  const tuning = new JvmTuning({
    ...settings,
    log,
    enabled: true,
    newArchiveDirectory: () => tempDirectory(),
    runInSlot: (task) => task(),
  });
  const onPoll = (found: Installation, signal: AbortSignal) => {
    polls.push(found);
    if (canDecode(found)) void tuning.prepare(found, signal);
  };
  const jvmOptions = tuning.firstOptions;
  const monitor = new InstallationMonitor({
    ...settings,
    jvmOptions,
    ttlSeconds: 600,
    onPoll,
    log,
    ...options,
  });
  onTestFinished(() => monitor.stop());
  const read = (suffix: string) => {
    const path = `${settings.command}.${suffix}`;
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  return {
    monitor,
    tuning,
    polls,
    ring: settings.command,
    java: join(settings.env.JAVA_HOME, 'bin/java'),
    read,
  };
}

const never = new AbortController().signal;

it.each<[string, FakeRing, string | undefined, 'jre' | 'ring', object]>([
  [
    'an old JRE',
    {},
    transcript('java-version-8-too-old.stderr.txt'),
    'jre',
    { problem: 'older than 1.8.0_161' },
  ],
  ['a JRE that prints no version', {}, BROKEN_JAVA, 'jre', { version: undefined }],
  ['an old ring', { version: 'echo 0.11.5-2' }, undefined, 'ring', { problem: 'older than 0.11.5-3' }],
  ['a ring that fails', { version: 'echo boom; exit 1' }, undefined, 'ring', { version: undefined }],
])('%s is not supported', async (_title, commands, java, name, expected) => {
  const found = await findInstallation(await settingsFor(commands, java));
  expect(found[name]).toMatchObject({
    isSupported: false,
    problem: expect.any(String) as string,
    ...expected,
  });
  expect(found[name === 'jre' ? 'ring' : 'jre']).toMatchObject({ isSupported: true });
});

it.each<[string, (path: string) => string]>([
  ['not found', (path) => basename(path)],
  ['could not be started: EACCES', (path) => path],
])(
  'of a launcher without its execute bit the problem is "%s", with the file and its mode',
  async (words, commandOf) => {
    const settings = await settingsFor();
    const path = settings.command;
    await chmod(path, 0o640);
    const env = { ...settings.env, PATH: `/nonexistent:${dirname(path)}` };
    const { ring } = await findInstallation({ ...settings, env, command: commandOf(path) });
    expect(ring.problem).toBe(`${words}: this user cannot execute ${path} (mode 640)`);
  },
);

it.each([
  ['prints its version to stdout', 'echo 0.20.0+4 >&2; echo ring 0.19.5-12', '0.19.5-12', undefined],
  ['prints it to stderr', 'echo 0.19.5-12 >&2', undefined, 'printed no version: 0.19.5-12'],
  ['prints it and fails', 'echo 0.19.5-12; exit 3', undefined, 'failed with exit status 3: 0.19.5-12'],
  ['prints none', 'echo out; echo err >&2; exit 3', undefined, 'failed with exit status 3: err'],
  ['prints nothing', 'exit 0', undefined, 'printed no version'],
])('a ring that %s (%s) has the version %s', async (_title, version, text, problem) => {
  const { ring } = await findInstallation(await settingsFor({ version }));
  expect(ring.version?.text).toBe(text);
  expect(ring.problem).toBe(problem);
});

it('ring help modules is asked once, and again after the launcher has changed', async () => {
  const always = '[ "$*" != "help modules" ] || echo x >>"$0.helps"';
  const { monitor, polls, ring, read } = await monitorOf({ always });
  await monitor.poll();
  await monitor.poll();
  expect(read('helps')).toBe('x\n');
  expect(polls.at(-1)?.module?.version).toBe('0.15.0');

  await fakeRing({ always, help: print('launcher-help-modules-ru.txt').replace('0.15.0', '0.16.0') }, ring);
  await monitor.poll();
  expect(read('helps')).toBe('x\nx\n');
  expect(polls.at(-1)?.module?.version).toBe('0.16.0');
});

it.each([undefined, 'own-ring'])('ring is found on the PATH, RING_CMD being %s', async (name) => {
  const path = join(await tempDirectory(), name ?? 'ring');
  await fakeRing({}, path);
  expect(await findRing(name, { PATH: `/nonexistent:${dirname(path)}` })).toBe(path);
});

it.each<[string, FakeRing, string]>([
  ['a ring that takes too long', { version: 'exec sleep 300' }, 'still running after 2000 ms'],
  ['a module that takes too long', { listNone: 'exec sleep 300' }, 'still running after 2000 ms'],
  ['a ring that prints too much', { version: 'exec cat /dev/zero' }, 'printed more than the output limit'],
  ['a module that prints too much', { listNone: 'exec cat /dev/zero' }, 'printed more than the output limit'],
])('%s has not answered, and the problem says so', async (_title, commands, words) => {
  const settings = await settingsFor(commands);
  const found = await findInstallation({ ...settings, timeoutMs: 2_000 });
  expect(hasAnswered(found)).toBe(false);
  const problem = found.ring.problem ?? found.module?.problem?.message;
  expect(problem).toContain(words);
});

it('a module whose version ring does not tell in time is usable', async () => {
  const settings = await settingsFor({ help: 'exec sleep 300' });
  const found = await findInstallation({ ...settings, timeoutMs: 2_000 });
  expect(hasAnswered(found)).toBe(true);
  expect(canDecode(found)).toBe(true);
  expect(found.module).toMatchObject({ name: 'license', version: undefined });
});

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

it('polls run in / with the heap bound of decodes, and need no temporary directory', async () => {
  const settings = await settingsFor({ always: 'echo "$PWD $RING_OPTS" >>"$0.runs"' });
  vi.stubEnv('TMPDIR', '/nonexistent');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { jre, ring } = await findInstallation({ ...settings, jvmOptions: ['-Xmx256m'] });
  expect([jre.isSupported, ring.isSupported]).toEqual([true, true]);
  const runs = readFileSync(`${settings.command}.runs`, 'utf8').trim().split('\n');
  expect(runs).toEqual(Array(3).fill(expect.stringMatching(/^\/ .* -Xmx256m/)));
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
  monitor.stop();
  const planned = timers.mock.calls.map(([, ms]) => ms).findLast((ms = 0) => ms > 100_000);
  expect(Math.ceil((planned ?? 0) / 1000)).toBe(delay / 1000);
});

it('Java and ring are known before the module is asked', async () => {
  const { monitor, read } = await monitorOf({ listNone: HANG });
  void monitor.poll();
  await until(() => read('pid') !== '');
  expect(monitor.last).toMatchObject({ jre: { isSupported: true }, ring: { isSupported: true } });
  expect(monitor.ready).toBe(false);
});

it('a decode that takes too long has the module asked again, also when a poll has just asked it', async () => {
  const always = 'case "$*" in *installation*) echo x >>"$0.asked" ;; esac';
  const version = `[ ! -e "$0.slow" ] || { until [ -e "$0.go" ]; do sleep 0.02; done; }; echo 0.19.5-12`;
  const {
    monitor,
    tuning,
    polls,
    read,
    ring: launcher,
  } = await monitorOf({ always, version, list: 'exec sleep 300' }, { recheckMs: 0 });
  await monitor.poll();
  const asked = read('asked').length;
  const ring = new Ring({ monitor, tuning, timeoutMs: 300, slots: new RingSlots(1), onRun: () => undefined });
  const list = async () => {
    const licenses = join(await tempDirectory(), 'licenses');
    await expect(ring.list({ licenses, client: 'a', signal: never })).rejects.toMatchObject({
      reason: 'timed_out',
      message: 'license list: still running after 300 ms',
    });
  };
  await list();
  await until(() => polls.length === 2);
  expect(read('asked')).toHaveLength(2 * asked);
  await writeFile(`${launcher}.slow`, '');
  const polled = monitor.poll();
  await list();
  await writeFile(`${launcher}.go`, '');
  await polled;
  await until(() => polls.length === 4);
  expect(read('asked')).toHaveLength(4 * asked);
});

it('the wait for a slot is measured without the wait for the first poll', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const version = 'touch "$0.asked"; until [ -e "$0.go" ]; do sleep 0.02; done; echo 0.19.5-12';
  const { monitor, tuning, ring: launcher } = await monitorOf({ version });
  const waits: number[] = [];
  const onRun = ({ waited }: RunObservation) => void waits.push(waited);
  const ring = new Ring({ monitor, tuning, timeoutMs: 60_000, slots: new RingSlots(1), onRun });
  const licenses = join(await tempDirectory(), 'licenses');
  const listed = ring.list({ licenses, client: 'a', signal: never });

  await until(() => existsSync(`${launcher}.asked`));
  vi.advanceTimersByTime(10_000);
  await writeFile(`${launcher}.go`, '');
  await listed;
  expect(waits).toEqual([0]);
});

it.each([
  ['was killed', { list: 'kill $$' }, 'killed'],
  ['crashed', { list: 'kill -9 $$' }, 'crashed'],
  ['misses a directory', { list: print('list-nodir-ru.txt', 1) }, 'not_started'],
])('a decode whose ring %s has it polled', async (_title, commands, reason) => {
  const { monitor, tuning, polls } = await monitorOf(commands);
  await monitor.poll();
  const ring = new Ring({
    monitor,
    tuning,
    timeoutMs: 60_000,
    slots: new RingSlots(1),
    onRun: () => undefined,
  });
  const licenses = join(await tempDirectory(), 'licenses');
  const context = { licenses, client: 'a', signal: never };
  await expect(ring.list(context)).rejects.toMatchObject({ reason });
  await until(() => polls.length === 2);
});

/** Writes an archive of ring's classes where the JVM would. */
const WRITE_ARCHIVE = `case $RING_OPTS in
  *ArchiveClassesAtExit=*) path=\${RING_OPTS##*ArchiveClassesAtExit=}; echo archive >"\${path%% *}"; exit ;;
esac`;

it.each([
  ['crashes by itself', 'kill -SEGV $$', true],
  ['aborts', 'exit 134', true],
  ['meets a file that was cut off', 'exit 135', true],
  ['crashes', 'exit 139', true],
  ['is killed because memory is short', 'kill -9 $$', false],
  ['is killed because memory is short, as a shell says it', 'exit 137', false],
  ['fails', 'exit 1', false],
])('after a decode whose JVM %s (%s) its class archive is given up: %s', async (_title, list, isGivenUp) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const { monitor, tuning } = await monitorOf({ list, always: WRITE_ARCHIVE }, { log });
  await monitor.poll();
  const isLogged = (words: string) => lines.some((line) => line.includes(words));
  await until(() => isLogged('JVM tuning is complete'));

  const ring = new Ring({
    monitor,
    tuning,
    timeoutMs: 60_000,
    slots: new RingSlots(1),
    onRun: () => undefined,
  });
  const licenses = join(await tempDirectory(), 'licenses');
  await expect(ring.list({ licenses, client: 'a', signal: never })).rejects.toThrow();
  expect(isLogged('ring starts without its class archive')).toBe(isGivenUp);
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

it('a poll that a decode asks for begins five seconds after the end of the last such poll', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  const version = '[ ! -e "$0.slow" ] || until [ -e "$0.go" ]; do sleep 0.02; done; echo 0.19.5-12';
  const { monitor, ring } = await monitorOf({ version });
  await monitor.poll();
  await writeFile(`${ring}.slow`, '');
  monitor.recheck();
  const polled = monitor.poll();

  vi.advanceTimersByTime(3_000);
  monitor.recheck();
  await writeFile(`${ring}.go`, '');
  await polled;
  const delays = timers.mock.calls.map(([, ms = 0]) => Math.round(ms));
  expect(delays).toContain(5_000);
});

it('a ring that is not ready is not tuned', async () => {
  const { monitor, read } = await monitorOf({
    always: 'echo "$RING_OPTS" >>"$0.options"',
    listNone: print('launcher-no-module-ru.txt', 254),
  });
  await monitor.poll();
  await endsNoticed();
  await endsNoticed();
  expect(read('options')).not.toBe('');
  expect(read('options')).not.toContain('Tiered');
});

it('RING_MODULE is used before the module is known', async () => {
  const { monitor } = await monitorOf(TWO_VERSIONS, { module: 'license@0.11.0' }, BROKEN_JAVA);
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

it('an abort ends the check for the module that follows a refused command', async () => {
  const { monitor, tuning, read } = await monitorOf({
    listNone: `[ ! -e "$0.refused" ] || { ${HANG}; }`,
    list: `touch "$0.refused"; echo '[ERROR ] Сбой'; exit 254`,
  });
  await monitor.poll();
  const ring = new Ring({
    monitor,
    tuning,
    timeoutMs: 60_000,
    slots: new RingSlots(1),
    onRun: () => undefined,
  });
  const abort = new AbortController();
  const licenses = join(await tempDirectory(), 'licenses');
  const list = expect(ring.list({ licenses, client: 'a', signal: abort.signal })).rejects;
  await until(() => read('pid') !== '');
  abort.abort();
  await list.toMatchObject({ reason: 'aborted' });
});

it('while the service is not ready the reason is logged every ten minutes, otherwise once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const good = await findInstallation(await settingsFor());
  const bad = await findInstallation(await settingsFor({ version: 'exit 1' }));
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

/** Resolves when this process has noticed the end of all processes that have ended, and done what that leads to. */
async function endsNoticed(): Promise<void> {
  await promisify(execFile)('true');
  await setImmediate();
}

it.each<[string, FakeRing]>([
  ['the version is asked for', { version: HANG }],
  ['the module is looked for', { listNone: HANG }],
  ['the JVM is tuned', { version: `case $RING_OPTS in *Tiered*) ${HANG} ;; esac; echo 0.19.5-12` }],
])('stop() while %s ends that run and the polling, and finds nothing missing', async (_title, commands) => {
  const always = 'echo x >>"$0.runs"';
  const { monitor, polls, read } = await monitorOf({ ...commands, always }, { ttlSeconds: 0.005 });
  void monitor.poll();
  await until(() => read('pid') !== '');
  const pid = Number(read('pid'));
  monitor.stop();
  const found = polls.length;
  await until(() => !isRunning(pid));
  await endsNoticed();
  const runs = read('runs');
  // Another monitor tells how long several polls take on this machine.
  const other = await monitorOf({ always }, { ttlSeconds: 0.005 });
  void other.monitor.poll();
  await until(() => other.read('runs').length >= 40);
  expect(read('runs')).toBe(runs);
  expect(polls).toHaveLength(found);
  expect(monitor.ready).toBe(false);
});
