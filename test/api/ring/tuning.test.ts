import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { chmod, chown, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Installation, Tool } from '../../../src/ring/installation/installation.js';
import { JvmTuning, type JvmTuningOptions } from '../../../src/ring/jvm/tuning.js';
import { RingError } from '../../../src/ring/ring-error.js';
import { exposuresOf, trustedDirectory } from '../../../src/storage/private-directory.js';
import { tempDirectory } from '../../support/temp.js';

/** A ring that notes its RING_OPTS, writes archives as a JVM does, and fails while `when-broken` matches its options. */
const SCRIPTED_RING = `#!/bin/sh
here=\${0%/*}
echo "$RING_OPTS" >>"$here/runs"
if [ -e "$here/when-broken" ] && echo "$RING_OPTS" | grep -q -e "$(cat "$here/when-broken")"; then . "$here/end"; fi
case $RING_OPTS in
  *ArchiveClassesAtExit=*) path=\${RING_OPTS##*ArchiveClassesAtExit=}; echo archive >"\${path%% *}" ;;
esac
echo 0.19.5-12
`;

const tool = (text: string, numbers: number[], path?: string): Tool => ({
  version: { text, numbers },
  isSupported: true,
  path,
  problem: undefined,
  build: undefined,
  hasNoAnswer: false,
});

const retryMs = 60_000;

async function tuned(options: Partial<JvmTuningOptions> = {}) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const home = await tempDirectory();
  const cache = join(await tempDirectory(), 'a/cache');
  const launcher = join(home, 'ring');
  writeFileSync(launcher, SCRIPTED_RING, { mode: 0o755 });
  const log: Record<string, unknown>[] = [];
  const slots = { used: 0 };
  const tuning = new JvmTuning({
    enabled: true,
    retryMs,
    openCache: () => trustedDirectory(cache),
    exposuresOf,
    language: 'ru',
    env: { PATH: process.env['PATH'] },
    log: pino({}, { write: (line: string) => log.push(JSON.parse(line) as Record<string, unknown>) }),
    runInSlot: (task) => {
      slots.used += 1;
      return task();
    },
    ...options,
  });
  const installation: Installation = {
    jre: tool('17.0.15', [17, 15]),
    ring: tool('0.19.5-12', [0, 19, 5, 12], launcher),
    module: { name: 'license', version: '0.15.0', problem: undefined },
  };
  const poll = (changes: Partial<Installation> = {}, signal?: AbortSignal) =>
    tuning.prepare({ ...installation, ...changes }, signal);
  return {
    tuning,
    cache,
    log,
    slots,
    poll,
    pollLater: () => {
      vi.advanceTimersByTime(retryMs);
      return poll();
    },
    launcher,
    runs: () =>
      existsSync(join(home, 'runs')) ? readFileSync(join(home, 'runs'), 'utf8').trim().split('\n') : [],
    /** From now on ring ends so when its options match, never without a pattern: no options have a `^` inside. */
    breakOn: (pattern = 'x^', end = 'exit 1') => {
      writeFileSync(join(home, 'end'), end);
      writeFileSync(join(home, 'when-broken'), pattern);
    },
  };
}

describe('tuning, poll by poll', () => {
  it('bounds the heap before any trial, and runs nothing without a slot or during a stop', async () => {
    expect((await tuned({ env: { RING_OPTS: '-Xmx1g' } })).tuning.jvmOptions).toEqual([]);
    expect((await tuned({ enabled: false })).tuning.jvmOptions).toEqual([]);
    const stopped = await tuned();
    expect(stopped.tuning.jvmOptions).toEqual(['-Xmx256m']);
    await stopped.poll({}, AbortSignal.abort());
    expect([stopped.runs(), stopped.log]).toEqual([[], []]);
    const { tuning, poll, runs } = await tuned({ runInSlot: () => Promise.reject(new Error('queue full')) });
    await poll();
    expect([runs(), tuning.jvmOptions]).toEqual([[], ['-Xmx256m']]);
  });

  it('tries the options, makes one archive though polls overlap, tries that, then runs nothing more', async () => {
    const { tuning, poll, runs, slots, cache, log } = await tuned();
    await Promise.all([poll(), poll(), poll()]);
    const [archive = ''] = readdirSync(cache);
    const path = join(cache, archive);
    expect(runs()).toEqual([
      expect.stringContaining('TieredStopAtLevel'),
      expect.stringContaining('-XX:ArchiveClassesAtExit='),
      expect.stringContaining(`-XX:SharedArchiveFile=${path} -Xshare:on -XX:ErrorFile=/dev/null`),
    ]);
    expect(tuning.jvmOptions.slice(-2)).toEqual([`-XX:SharedArchiveFile=${path}`, '-Xshare:auto']);
    await poll();
    expect(runs()).toHaveLength(3);
    expect(slots.used).toBe(3);
    expect(log).toMatchObject([{ msg: 'JVM tuning is complete', archive: true }]);
    expect(statSync(join(cache, '..')).mode & 0o777).toBe(0o700);
  });

  it('makes no archive for a JRE that cannot write one, and reports no problem', async () => {
    const { tuning, poll, runs, log, cache } = await tuned();
    await poll({ jre: tool('1.8.0_402', [8, 402]) });
    expect(runs()).toHaveLength(1);
    expect(existsSync(cache)).toBe(false);
    expect(tuning.jvmOptions).toContain('-XX:TieredStopAtLevel=1');
    expect(log).toMatchObject([{ msg: 'JVM tuning is complete', archive: false }]);
  });

  it('retries a failed trial after some time, and reports it once', async () => {
    const { tuning, poll, pollLater, runs, log, breakOn } = await tuned();
    breakOn('Tiered');
    for (let n = 0; n < 3; n++) {
      await pollLater();
      await poll();
    }
    expect(runs()).toHaveLength(3);
    expect(tuning.jvmOptions).toEqual(['-Xmx256m']);
    expect(log).toMatchObject([{ msg: expect.stringContaining('JVM tuning is incomplete') as string }]);
    breakOn();
    await pollLater();
    expect(log.at(-1)).toMatchObject({ msg: 'JVM tuning is complete' });
  });

  it.each([
    ['can not be made', 'ArchiveClassesAtExit', 'exit 1'],
    ['makes ring fail', 'Xshare:on', 'echo 0.19.5-12; exit 1'],
    ['makes ring say nothing', 'Xshare:on', 'exit 0'],
    ['kills its JVM', 'Xshare:on', 'kill -ABRT $$'],
  ])(
    'keeps the options without an archive that %s, and makes another later',
    async (_title, pattern, end) => {
      const { tuning, poll, pollLater, cache, breakOn } = await tuned();
      breakOn(pattern, end);
      await poll();
      expect(readdirSync(cache)).toEqual([]);
      expect(tuning.jvmOptions).toContain('-XX:TieredStopAtLevel=1');
      expect(tuning.jvmOptions.join()).not.toContain('SharedArchiveFile');
      breakOn();
      await pollLater();
      expect(readdirSync(cache)).toHaveLength(1);
      expect(tuning.jvmOptions.join()).toContain('SharedArchiveFile');
    },
  );

  it('keeps an archive whose trial took too long, and tries it again', async () => {
    let tasks = 0;
    const runInSlot: JvmTuningOptions['runInSlot'] = (task) =>
      ++tasks === 3 ? Promise.reject(new RingError('timed_out', 'still running')) : task();
    const { tuning, poll, pollLater, cache, runs } = await tuned({ runInSlot });
    await poll();
    expect(readdirSync(cache)).toHaveLength(1);
    await pollLater();
    expect(runs().filter((options) => options.includes('ArchiveClassesAtExit'))).toHaveLength(1);
    expect(tuning.jvmOptions.join()).toContain('SharedArchiveFile');
  });

  it('stops the making of an archive after dumpMs', async () => {
    const { poll, breakOn, log } = await tuned({ dumpMs: 500 });
    breakOn('ArchiveClassesAtExit', 'exec sleep 300');
    await poll();
    expect(log).toMatchObject([{ reason: 'still running after 500 ms' }]);
  });

  it('makes an archive for each JRE, ring and second of its launcher, since images keep no fractions', async () => {
    const { poll, cache, launcher } = await tuned();
    const archives = [];
    const newer = tool('0.20.0+4', [0, 20, 0, 4], launcher);
    for (const [installedAt, changes] of [
      [1_000_000_000.9, {}],
      [1_000_000_000, {}],
      [1_000_000_001, {}],
      [1_000_000_001, { jre: tool('21.0.1', [21, 1]) }],
      [1_000_000_001, { ring: newer }],
    ] as const) {
      utimesSync(launcher, installedAt, installedAt);
      await poll(changes);
      archives.push(readdirSync(cache).length);
    }
    expect(archives).toEqual([1, 1, 2, 3, 4]);
  });

  it('makes no archive where other users could exchange it', async () => {
    const open = await tempDirectory();
    await chmod(open, 0o777);
    const { tuning, poll, log } = await tuned({ openCache: () => trustedDirectory(open) });
    await poll();
    expect(readdirSync(open)).toEqual([]);
    expect(tuning.jvmOptions).toContain('-XX:TieredStopAtLevel=1');
    expect(log[0]).toMatchObject({ reason: `${open}: other users can write to it` });
  });

  /** An archive is made, tried, used, spoiled, and made again once its directory is private. */
  async function testSpoiled(spoil: (cache: string) => unknown): Promise<void> {
    const { tuning, poll, cache, log, runs } = await tuned();
    await poll();
    const withArchive = await tuning.optionsToRun();
    expect(withArchive.join()).toContain('SharedArchiveFile');

    await spoil(cache);
    const [first, second] = await Promise.all([tuning.optionsToRun(), tuning.optionsToRun()]);
    expect(first).toContain('-XX:TieredStopAtLevel=1');
    expect(first.join()).not.toContain('SharedArchiveFile');
    expect(second).toEqual(first);
    const msg = 'ring starts without its class archive, so more slowly';
    expect(log.filter((line) => line['msg'] === msg)).toHaveLength(1);

    if (existsSync(cache)) await chmod(cache, 0o700);
    const before = runs().length;
    await poll();
    expect(await tuning.optionsToRun()).toEqual(withArchive);
    expect(runs().length).toBeGreaterThan(before);
    for (const name of readdirSync(cache)) {
      expect(statSync(join(cache, name)).uid).toBe(process.getuid?.());
    }
  }

  it('replaces an archive with which the JVM has crashed', async () => {
    const { tuning, poll, cache, log } = await tuned();
    tuning.jvmCrashed();
    expect(log).toEqual([]);

    await poll();
    const withArchive = await tuning.optionsToRun();
    const archive = join(cache, readdirSync(cache)[0] ?? '');
    writeFileSync(archive, 'damaged in a part that no trial loads');
    tuning.jvmCrashed();
    expect((await tuning.optionsToRun()).join()).not.toContain('SharedArchiveFile');
    expect(log.at(-1)).toMatchObject({ archive, reason: 'the JVM crashed' });

    await poll();
    expect(await tuning.optionsToRun()).toEqual(withArchive);
    expect(readFileSync(archive, 'utf8')).toBe('archive\n');
  });

  it('runs without an archive whose directory others can write to, until it is private again', () =>
    testSpoiled((cache) => chmod(cache, 0o777)));

  it('runs without an archive that is gone, until it has made another', () =>
    testSpoiled((cache) => rm(cache, { recursive: true })));

  it('runs without an archive of another user, and replaces it', { tags: 'root' }, () =>
    testSpoiled((cache) => chown(join(cache, readdirSync(cache)[0] ?? ''), 65_534, 65_534)),
  );
});
