import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { ClassArchive } from '../../../src/ring/jvm/class-archive.js';
import { Ring } from '../../../src/ring/ring.js';
import { RingSlots } from '../../../src/ring/slots.js';
import { exposureOf } from '../../../src/storage/private-directory.js';
import { print, type FakeRing } from '../../support/fake-ring.js';
import { useFakeTime } from '../../support/fake-time.js';
import { monitorWith, ringSettings } from '../../support/ring-settings.js';
import { tempDirectory } from '../../support/temp.js';
import { until } from '../../support/until.js';

/** A ring that does this, with all that runs it, and what was observed. */
async function ringOf(commands: FakeRing) {
  const settings = { ...(await ringSettings(commands)), jvmTuning: true };
  const waits: number[] = [];
  const { monitor, polls } = monitorWith(settings);
  const archive = new ClassArchive({
    ...settings,
    newDirectory: () => tempDirectory(),
    exposureOf,
    log: pino({ level: 'silent' }),
    runInSlot: (task) => task(),
  });
  const ring = new Ring({
    monitor,
    archive,
    timeoutMs: 60_000,
    slots: new RingSlots(1),
    onWait: (seconds) => waits.push(seconds),
    onRun: () => undefined,
  });
  const list = async (signal = new AbortController().signal) => {
    const licenses = join(await tempDirectory(), 'licenses');
    return ring.list({ licenses, client: 'a', signal });
  };
  return { monitor, archive, polls, waits, list, launcher: settings.command };
}

it('the wait for a slot is measured without the wait for the first poll', async () => {
  useFakeTime('performance');
  const version = 'touch "$0.asked"; until [ -e "$0.go" ]; do sleep 0.02; done; echo 0.19.5-12';
  const { waits, list, launcher } = await ringOf({ version });
  const listed = list();

  await until(() => existsSync(`${launcher}.asked`));
  vi.advanceTimersByTime(10_000);
  await writeFile(`${launcher}.go`, '');
  await listed;
  expect(waits).toEqual([0]);
});

it.each([
  ['was killed', { list: 'kill $$' }, 'killed', 2],
  ['crashed', { list: 'kill -9 $$' }, 'crashed', 2],
  ['misses a directory', { list: print('list-nodir-ru.txt', 1) }, 'not_started', 2],
  ['cannot decode', { list: 'exit 3' }, 'undecodable', 1],
])('after a decode whose ring %s there are so many polls', async (_title, commands, reason, expected) => {
  useFakeTime('performance');
  const { monitor, polls, list } = await ringOf({ ...commands, always: 'echo "$*" >&2' });
  await monitor.poll();
  vi.advanceTimersByTime(60_000);
  await expect(list()).rejects.toMatchObject({ reason });
  await until(() => polls.length === expected);
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
  ['is asked to end', 'kill $$', false],
  ['fails', 'exit 1', false],
])(
  'after a decode whose JVM %s (%s) its class archive is given up: %s',
  async (_title, command, isGivenUp) => {
    const { monitor, archive, list } = await ringOf({ list: command, always: WRITE_ARCHIVE });
    await monitor.poll();
    if (monitor.last) await archive.prepare(monitor.last);
    expect(await archive.jvmOptions()).not.toEqual([]);
    await expect(list()).rejects.toThrow();
    expect((await archive.jvmOptions()).length === 0).toBe(isGivenUp);
  },
);

it('ring is run with the options of the last poll and from the archive', async () => {
  const { monitor, archive, list, launcher } = await ringOf({
    always: `${WRITE_ARCHIVE}\necho "$RING_OPTS" >"$0.options"`,
  });
  await monitor.poll();
  if (monitor.last) await archive.prepare(monitor.last);
  await list();
  const options = readFileSync(`${launcher}.options`, 'utf8');
  const archiveOptions = await archive.jvmOptions();
  expect(options).toContain(` ${monitor.last?.jvmOptions.join(' ')} ${archiveOptions.join(' ')} `);
});

it('an abort ends the check for the module that follows a refused command', async () => {
  const { monitor, list, launcher } = await ringOf({
    listNone: '[ ! -e "$0.refused" ] || { touch "$0.asked"; exec sleep 300; }',
    list: `touch "$0.refused"; echo '[ERROR ] Сбой'; exit 254`,
  });
  await monitor.poll();
  const abort = new AbortController();
  const listed = expect(list(abort.signal)).rejects;
  await until(() => existsSync(`${launcher}.asked`));
  abort.abort();
  await listed.toMatchObject({ reason: 'aborted' });
});
