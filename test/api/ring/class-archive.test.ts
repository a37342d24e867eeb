import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Installation, Tool } from '../../../src/ring/installation/installation.js';
import { ClassArchive, type ClassArchiveOptions } from '../../../src/ring/jvm/class-archive.js';
import { exposureOf } from '../../../src/storage/private-directory.js';
import { recordedLog } from '../../support/recorded-log.js';
import { tempDirectory } from '../../support/temp.js';

/** A launcher that writes an archive as its JVM would, unless the test breaks it. */
const LAUNCHER = `#!/bin/sh
echo "$RING_OPTS" >>"$HOME/runs"
[ ! -e "$HOME/broken" ] || { . "$HOME/broken"; exit 1; }
path=\${RING_OPTS##*ArchiveClassesAtExit=}
echo archive >"\${path%% *}"
`;

const tool = (text: string, numbers: number[], path: string): Tool => ({
  version: { text, numbers },
  isSupported: true,
  path,
  problem: undefined,
  build: undefined,
});

/** An installed ring with its module, and what makes an archive of its classes. */
async function archiveOf(options: Partial<ClassArchiveOptions> = {}) {
  const home = await tempDirectory();
  const base = await tempDirectory();
  const launcher = join(home, 'ring');
  writeFileSync(launcher, LAUNCHER, { mode: 0o755 });
  const jars = [join(home, 'lib', 'ring.jar'), join(home, 'module', 'license.jar')] as const;
  const registry = join(home, 'ring-commands.cfg');
  writeFileSync(registry, `license:\n  - version: "0.15.0"\n    file: "${jars[1]}"\n`);
  for (const name of ['lib', 'module']) mkdirSync(join(home, name));
  for (const jar of jars) writeFileSync(jar, '');

  const { log, lines } = recordedLog();
  const slots = { used: 0 };
  const archive = new ClassArchive({
    jvmTuning: true,
    newDirectory: () => Promise.resolve(mkdtempSync(join(base, 'archive-'))),
    exposureOf,
    language: 'ru',
    env: { PATH: process.env['PATH'], HOME: home, E1C_RING_COMMANDS: registry },
    log,
    runInSlot: (task) => {
      slots.used += 1;
      return task();
    },
    ...options,
  });
  const installation: Installation = {
    jre: tool('17.0.15', [17, 15], '/jre/bin/java'),
    ring: tool('0.19.5-12', [0, 19, 5, 12], launcher),
    module: { name: 'license', problem: undefined },
    jvmOptions: ['-Xmx256m'],
  };
  const runs = join(home, 'runs');
  return {
    archive,
    poll: (changes: Partial<Installation> = {}, signal?: AbortSignal) =>
      archive.prepare({ ...installation, ...changes }, signal),
    log: lines,
    slots,
    launcher,
    jars,
    /** The archives that are there; the one in use is the only one. */
    archives: () => readdirSync(base).map((name) => join(base, name, 'classes.jsa')),
    runs: () => (existsSync(runs) ? readFileSync(runs, 'utf8').trim().split('\n') : []),
    /** From now on ring does this and fails. */
    breakRing: (script: string) => writeFileSync(join(home, 'broken'), script),
  };
}

it('one archive is made in a slot, though polls overlap, then ring is run no more', async () => {
  const { archive, poll, runs, slots, archives, log } = await archiveOf();
  await Promise.all([poll(), poll(), poll()]);
  await poll();
  const [path] = archives();
  expect(runs()).toEqual([expect.stringContaining(` -Xmx256m -XX:ArchiveClassesAtExit=${path} `)]);
  expect(slots.used).toBe(1);
  expect(await archive.jvmOptions()).toEqual([`-XX:SharedArchiveFile=${path}`, '-Xshare:auto']);
  expect(log).toMatchObject([{ msg: 'JVM tuning is complete', archive: true }]);
});

it.each<[string, Partial<ClassArchiveOptions>, Partial<Installation>, object[]]>([
  ['without JVM tuning', { jvmTuning: false }, {}, []],
  [
    'on a JRE that cannot write one',
    {},
    { jre: tool('1.8.0_402', [8, 402], '/jre/bin/java') },
    [{ msg: 'JVM tuning is complete', archive: false }],
  ],
])('%s no archive is made, and that is no problem', async (_title, options, found, lines) => {
  const { archive, poll, runs, log } = await archiveOf(options);
  expect(await poll(found)).toBeUndefined();
  expect([runs(), await archive.jvmOptions()]).toEqual([[], []]);
  expect(log).toMatchObject(lines);
});

it.each<[string, string, Partial<ClassArchiveOptions>, string]>([
  ['the JVM writes none', 'exit 1', {}, 'the JVM wrote no archive of its classes'],
  ['the run takes too long', 'exec sleep 300', { dumpMs: 500 }, 'still running after 500 ms'],
  [
    'there is no room',
    '',
    { newDirectory: () => Promise.reject(new Error('storage_unavailable')) },
    'storage_unavailable',
  ],
])('when %s, ring starts without an archive, and no other is tried', async (...row) => {
  const [, script, options, reason] = row;
  const { archive, poll, breakRing, archives, log } = await archiveOf(options);
  breakRing(script);
  expect(await poll()).toBe(reason);
  await poll();
  expect([archives(), await archive.jvmOptions()]).toEqual([[], []]);
  const msg = 'JVM tuning is incomplete: ring decodes, but starts more slowly';
  expect(log).toMatchObject([{ msg, reason }]);
});

it('a stop ends the making of an archive without a word', async () => {
  const { poll, log, runs } = await archiveOf();
  await poll({}, AbortSignal.abort());
  expect([runs(), log]).toEqual([[], []]);
});

type Change = (files: { launcher: string; jars: readonly [string, string] }) => Partial<Installation>;

/** Changes a file as an update in place does. */
function update(path: string): Partial<Installation> {
  utimesSync(path, 1_000_000_000, 1_000_000_000);
  return {};
}

it.each<[string, Change]>([
  ['another JRE', () => ({ jre: tool('21.0.1', [21, 1], '/jre/bin/java') })],
  ['another version of the module', () => ({ module: { name: 'license@0.16.0', problem: undefined } })],
  ['a launcher that was updated in place', ({ launcher }) => update(launcher)],
  ['a jar of ring that was updated in place', ({ jars }) => update(jars[0])],
  ['a jar of the license module that was updated in place', ({ jars }) => update(jars[1])],
])('for %s another archive takes the place of the first', async (_title, change) => {
  const { poll, archives, ...files } = await archiveOf();
  await poll();
  const before = archives();
  await poll(change(files));
  expect(archives()).toHaveLength(1);
  expect(archives()).not.toEqual(before);
});

it.each<[string, (path: string) => void]>([
  ['that a cleaner has removed', (path) => rmSync(path)],
  ['that others can change', (path) => chmodSync(path, 0o666)],
  ['whose directory others can write to', (path) => chmodSync(dirname(path), 0o777)],
])('ring starts without an archive %s', async (_title, spoil) => {
  const { archive, poll, archives } = await archiveOf();
  await poll();
  expect(await archive.jvmOptions()).not.toEqual([]);
  spoil(archives()[0] ?? '');
  expect(await archive.jvmOptions()).toEqual([]);
});

it('after a crash the archive is removed, and another one is made only for another installation', async () => {
  const { archive, poll, archives, log } = await archiveOf();
  archive.giveUp();
  expect(log).toEqual([]);

  await poll();
  const [path] = archives();
  archive.giveUp();
  archive.giveUp();
  expect(await archive.jvmOptions()).toEqual([]);
  const msg = 'the JVM crashed: ring starts without its class archive, so more slowly';
  expect(log.slice(1)).toMatchObject([{ archive: path, msg }]);
  await expect.poll(archives).toEqual([]);

  await poll();
  expect(archives()).toEqual([]);
  await poll({ module: { name: 'license@0.16.0', problem: undefined } });
  expect(archives()).toHaveLength(1);
});
