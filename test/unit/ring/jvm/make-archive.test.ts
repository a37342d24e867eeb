import { expect, it } from 'vitest';
import { archiveMethod, makeArchive } from '../../../../src/ring/jvm/make-archive.js';
import { tempDirectory } from '../../../support/temp.js';

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
] as const)('making a %s archive takes these runs, and fails when they write none', async (...row) => {
  const [method, expected] = row;
  const directory = await tempDirectory();
  const runs: string[][] = [];
  const note = (args: string[], jvmOptions: string[]) => {
    const command = args.slice(0, 2).join(' ');
    runs.push([command, ...jvmOptions.map((option) => option.replace(directory, 'WORK'))]);
    return Promise.resolve();
  };
  const making = makeArchive(directory, method, 'license', note);
  await expect(making).rejects.toThrow('the JVM wrote no archive');
  expect(runs).toEqual(expected);
});
