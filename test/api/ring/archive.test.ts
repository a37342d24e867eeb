import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { archiveMethod, makeArchive } from '../../../src/ring/jvm/archive.js';
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

const DUMP = ['-XX:SharedClassListFile=WORK/classes.list', '-XX:SharedArchiveFile=WORK/classes.jsa'];
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
  'making a %s archive takes these runs, and leaves nothing when they write none',
  async (...row) => {
    const [method, expected] = row;
    const runs: string[][] = [];
    const note = (args: string[], jvmOptions: string[], work: string) => {
      const command = args.slice(0, 2).join(' ');
      runs.push([command, ...jvmOptions.map((option) => option.replace(work, 'WORK'))]);
      return Promise.resolve();
    };
    const directory = await tempDirectory();
    const making = makeArchive(join(directory, 'name.jsa'), method, 'license', note);
    await expect(making).rejects.toThrow('the JVM wrote no archive');
    expect(runs).toEqual(expected);
    expect(await readdir(directory)).toEqual([]);
  },
);

it('making an archive removes leftovers of a crash, but neither other archives nor what another replica is making', async () => {
  const directory = await tempDirectory();
  await mkdir(join(directory, 'making-old'));
  await mkdir(join(directory, 'making-new'));
  await writeFile(join(directory, 'other.jsa'), '');
  for (const old of ['making-old', 'other.jsa']) await utimes(join(directory, old), 0, 0);
  const write = (_args: string[], _options: string[], work: string) =>
    writeFile(join(work, 'classes.jsa'), '');
  await makeArchive(join(directory, 'name.jsa'), 'static', 'license', write);
  expect((await readdir(directory)).sort()).toEqual(['making-new', 'name.jsa', 'other.jsa']);
});
