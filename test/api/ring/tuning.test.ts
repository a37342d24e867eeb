import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Installation, Tool } from '../../../src/ring/installation/installation.js';
import { JvmTuning, type JvmTuningOptions } from '../../../src/ring/jvm/tuning.js';
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

const RETRY_MS = 60_000;
const HOUR_MS = 3_600_000;

async function tuned(options: Partial<JvmTuningOptions> = {}) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const home = await tempDirectory();
  const base = await tempDirectory();
  const launcher = join(home, 'ring');
  writeFileSync(launcher, SCRIPTED_RING, { mode: 0o755 });
  const log: Record<string, unknown>[] = [];
  const slots = { used: 0 };
  const tuning = new JvmTuning({
    enabled: true,
    newArchiveDirectory: () => Promise.resolve(mkdtempSync(join(base, 'archive-'))),
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
    base,
    log,
    slots,
    poll,
    pollLater: (ms = RETRY_MS) => {
      vi.advanceTimersByTime(ms);
      return poll();
    },
    /** The archives that are there; the one in use is the only one. */
    archives: () => readdirSync(base).map((name) => join(base, name, 'classes.jsa')),
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
  it('bounds the heap and keeps no performance counters before any trial, and runs nothing without a slot or during a stop', async () => {
    expect((await tuned({ env: { RING_OPTS: '-Xmx1g' } })).tuning.jvmOptions).toEqual(['-XX:-UsePerfData']);
    expect((await tuned({ enabled: false })).tuning.jvmOptions).toEqual([]);
    const stopped = await tuned();
    expect(stopped.tuning.jvmOptions).toEqual(['-XX:-UsePerfData', '-Xmx256m']);
    await stopped.poll({}, AbortSignal.abort());
    expect([stopped.runs(), stopped.log]).toEqual([[], []]);
    const { tuning, poll, runs } = await tuned({ runInSlot: () => Promise.reject(new Error('queue full')) });
    await poll();
    expect([runs(), tuning.jvmOptions]).toEqual([[], ['-XX:-UsePerfData', '-Xmx256m']]);
  });

  it('tries the options, makes one archive though polls overlap, tries that, then runs nothing more', async () => {
    const { tuning, poll, runs, slots, archives, log } = await tuned();
    await Promise.all([poll(), poll(), poll()]);
    const [archive] = archives();
    expect(runs()).toEqual([
      expect.stringContaining('TieredStopAtLevel'),
      expect.stringContaining(`-XX:ArchiveClassesAtExit=${archive}`),
      expect.stringContaining(`-XX:SharedArchiveFile=${archive} -Xshare:on -XX:ErrorFile=/dev/null`),
    ]);
    expect(tuning.jvmOptions.slice(-2)).toEqual([`-XX:SharedArchiveFile=${archive}`, '-Xshare:auto']);
    await poll();
    expect(runs()).toHaveLength(3);
    expect(slots.used).toBe(3);
    expect(archives()).toEqual([archive]);
    expect(log).toMatchObject([{ msg: 'JVM tuning is complete', archive: true }]);
  });

  it('makes no archive for a JRE that cannot write one, and reports no problem', async () => {
    const { tuning, poll, runs, log, archives } = await tuned();
    await poll({ jre: tool('1.8.0_402', [8, 402]) });
    expect(runs()).toHaveLength(1);
    expect(archives()).toEqual([]);
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
    expect(tuning.jvmOptions).toEqual(['-XX:-UsePerfData', '-Xmx256m']);
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
      const { tuning, poll, pollLater, archives, breakOn } = await tuned();
      breakOn(pattern, end);
      await poll();
      expect(archives()).toEqual([]);
      expect(tuning.jvmOptions).toContain('-XX:TieredStopAtLevel=1');
      expect(tuning.jvmOptions.join()).not.toContain('SharedArchiveFile');
      breakOn();
      await pollLater();
      expect(archives()).toHaveLength(1);
      expect(tuning.jvmOptions.join()).toContain('SharedArchiveFile');
    },
  );

  it('stops the making of an archive after dumpMs', async () => {
    const { poll, breakOn, log } = await tuned({ dumpMs: 500 });
    breakOn('ArchiveClassesAtExit', 'exec sleep 300');
    await poll();
    expect(log).toMatchObject([{ reason: 'still running after 500 ms' }]);
  });

  it.each<[string, (launcher: string) => Partial<Installation>]>([
    ['JRE', () => ({ jre: tool('21.0.1', [21, 1]) })],
    ['ring', (launcher) => ({ ring: tool('0.20.0+4', [0, 20, 0, 4], launcher) })],
    [
      'launcher',
      (launcher) => {
        utimesSync(launcher, 1_000_000_000, 1_000_000_000);
        return {};
      },
    ],
  ])('replaces its archive when the %s has changed', async (_title, change) => {
    const { poll, archives, launcher } = await tuned();
    await poll();
    const before = archives();
    await poll(change(launcher));
    expect(archives()).toHaveLength(1);
    expect(archives()).not.toEqual(before);
  });

  it('keeps the options when there is no room for an archive, and says why', async () => {
    const noRoom = () => Promise.reject(new Error('storage_unavailable'));
    const { tuning, poll, log } = await tuned({ newArchiveDirectory: noRoom });
    await poll();
    expect(tuning.jvmOptions).toContain('-XX:TieredStopAtLevel=1');
    expect(log).toMatchObject([{ reason: 'storage_unavailable' }]);
  });

  it('runs without an archive that a cleaner has removed, and makes another with the next poll', async () => {
    const { tuning, poll, archives, base } = await tuned();
    await poll();
    const [removed = ''] = archives();
    rmSync(join(base, readdirSync(base)[0] ?? ''), { recursive: true });
    expect(tuning.jvmOptions).toContain('-XX:TieredStopAtLevel=1');
    expect(tuning.jvmOptions.join()).not.toContain('SharedArchiveFile');

    await poll();
    const [archive] = archives();
    expect(archive).not.toBe(removed);
    expect(tuning.jvmOptions).toContain(`-XX:SharedArchiveFile=${archive}`);
  });

  it('removes an archive with which the JVM has crashed, and makes another with the next poll', async () => {
    const { tuning, poll, archives, log } = await tuned();
    tuning.jvmCrashed();
    expect(log).toEqual([]);

    await poll();
    const [archive] = archives();
    tuning.jvmCrashed();
    tuning.jvmCrashed();
    expect(tuning.jvmOptions.join()).not.toContain('SharedArchiveFile');
    const msg = 'the JVM crashed: ring starts without its class archive, so more slowly';
    expect(log.slice(1)).toMatchObject([{ archive, msg }]);
    await expect.poll(archives).toEqual([]);

    await poll();
    expect(tuning.jvmOptions).toContain(`-XX:SharedArchiveFile=${archives()[0]}`);
  });

  it('makes at most one archive an hour when the JVM crashes again and again', async () => {
    const { tuning, poll, pollLater, archives, runs } = await tuned();
    const made = () => runs().filter((options) => options.includes('ArchiveClassesAtExit')).length;
    const crash = () => {
      tuning.jvmCrashed();
      return expect.poll(archives).toEqual([]);
    };
    await poll();
    await crash();
    await poll();
    expect(made()).toBe(2);

    for (const expected of [3, 4]) {
      await crash();
      await pollLater(HOUR_MS / 2);
      expect(made()).toBe(expected - 1);
      await pollLater(HOUR_MS / 2);
      expect(made()).toBe(expected);
    }
  });
});
