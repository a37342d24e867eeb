import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { archiveMethod, archiveOptions, makeArchive } from '../../../src/ring/jvm/archive.js';
import { tempDirectory } from '../../support/temp.js';

it.each([
  [10, '', undefined],
  [11, '', 'static'],
  [12, '', 'static'],
  [13, '', 'dynamic'],
  [17, '-Dx=y', 'dynamic'],
  [17, '-Xshare:off', undefined],
  [11, '-XX:SharedArchiveFile=/my.jsa', undefined],
  [25, '-XX:AOTCache=/my.aot', undefined],
] as const)('the archive method of Java %i with RING_OPTS=%s is %s', (major, operatorOptions, expected) =>
  expect(archiveMethod(major, operatorOptions)).toBe(expected),
);

it('an archive is used where the JVM can, and required in a trial', () => {
  expect(archiveOptions('/c.jsa')).toEqual(['-XX:SharedArchiveFile=/c.jsa', '-Xshare:auto']);
  expect(archiveOptions('/c.jsa', 'on')).toEqual(['-XX:SharedArchiveFile=/c.jsa', '-Xshare:on']);
});

const DUMP = ['-XX:SharedClassListFile=WORK/classes.list', '-XX:SharedArchiveFile=WORK/classes.jsa'];
/** Does what the JVM does with the option that names a file to write. */
const writeDump = (option: string) => async (_args: string[], jvmOptions: string[]) => {
  const path = jvmOptions.find((each) => each.startsWith(option))?.slice(option.length);
  if (path && !jvmOptions.includes('-Xshare:off')) await writeFile(path, 'archive');
};

it.each([
  [
    'static',
    [
      ['license list', '-Xshare:off', '-XX:DumpLoadedClassList=WORK/classes.list'],
      ['--version', '-Xshare:dump', ...DUMP],
    ],
  ],
  ['dynamic', [['license list', '-XX:ArchiveClassesAtExit=WORK/classes.jsa']]],
] as const)(
  'making an archive %s: takes a run that loads the classes, and the options of this method',
  async (method, expected) => {
    const runs: string[][] = [];
    const note = (args: string[], jvmOptions: string[], work: string) => {
      const command = args.slice(0, 2).join(' ');
      runs.push([command, ...jvmOptions.map((option) => option.replace(work, 'WORK'))]);
      return Promise.resolve();
    };
    const archive = join(await tempDirectory(), 'name.jsa');
    await expect(makeArchive(archive, method, 'license', note)).rejects.toThrow();
    expect(runs).toEqual(expected);
  },
);

it('making an archive leaves nothing when the JVM writes none', async () => {
  const directory = await tempDirectory();
  const making = makeArchive(join(directory, 'name.jsa'), 'dynamic', 'license', () => Promise.resolve());
  await expect(making).rejects.toThrow('the JVM wrote no archive');
  expect(await readdir(directory)).toEqual([]);
});

it('making an archive removes leftovers of a crash, but neither other archives nor what another replica is making', async () => {
  const directory = await tempDirectory();
  await mkdir(join(directory, 'making-old'));
  await mkdir(join(directory, 'making-new'));
  await writeFile(join(directory, 'other.jsa'), '');
  for (const old of ['making-old', 'other.jsa']) await utimes(join(directory, old), 0, 0);
  await makeArchive(join(directory, 'name.jsa'), 'static', 'license', writeDump('-XX:SharedArchiveFile='));
  expect((await readdir(directory)).sort()).toEqual(['making-new', 'name.jsa', 'other.jsa']);
});
