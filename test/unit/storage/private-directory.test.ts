import { chmodSync, chownSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exposuresOf, privateDirectory } from '../../../src/storage/private-directory.js';
import { tempDirectory } from '../../support/temp.js';

const modeOf = (path: string) => statSync(path).mode & 0o7777;
const temp = async () => realpathSync(await tempDirectory());

function makeDirectory(path: string, mode: number): string {
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

describe('privateDirectory', () => {
  it.each([0o000, 0o002, 0o022, 0o077])(
    'creates directory and parents with mode 0700 under umask %o',
    async (umask) => {
      const before = process.umask(umask);
      onTestFinished(() => void process.umask(before));
      const base = await temp();
      const path = join(base, 'license-decoder/uploads');
      expect(await privateDirectory(path)).toEqual({ path, exposures: [] });
      expect([modeOf(join(base, 'license-decoder')), modeOf(path)]).toEqual([0o700, 0o700]);
    },
  );

  it('takes a directory that is there as it is, and resolves symbolic links of ours', async () => {
    const base = await temp();
    const target = makeDirectory(join(base, 'target'), 0o750);
    symlinkSync(target, join(base, 'link'));
    const path = join(target, 'work');
    expect(await privateDirectory(join(base, 'link/work'))).toEqual({ path, exposures: [] });
    expect(modeOf(target)).toBe(0o750);
  });

  it('rejects with the error of the system where a file is in the way', async () => {
    const file = join(await temp(), 'file');
    writeFileSync(file, '');
    await expect(privateDirectory(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(privateDirectory(file)).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

it('a file is exposed when others can write to it', async () => {
  const file = join(await temp(), 'archive');
  writeFileSync(file, '', { mode: 0o600 });
  expect(await exposuresOf(file)).toEqual([]);
  chmodSync(file, 0o666);
  expect(await exposuresOf(file)).toEqual([{ path: file, reason: 'other users can write to it' }]);
});

describe('a directory is exposed', () => {
  it.each([
    ['by its group', 0o770],
    ['by everybody', 0o777],
    ['by everybody, in spite of the sticky bit', 0o1777],
  ])('when it can be written to %s', async (_title, mode) => {
    const path = makeDirectory(join(await temp(), 'a'), mode);
    expect(await exposuresOf(path)).toEqual([{ path, reason: 'other users can write to it' }]);
  });

  it.each([
    [0o777, true],
    [0o775, true],
    [0o770, true],
    [0o1777, false],
  ])('by a parent of mode %o, in which others can rename it: %o', async (mode, isExposed) => {
    const parent = makeDirectory(join(await temp(), 'parent'), mode);
    const { exposures } = await privateDirectory(join(parent, 'a/b'));
    expect(exposures.map(({ path }) => path)).toEqual(isExposed ? [parent] : []);
  });

  it('by a link in a directory where others can exchange it', async () => {
    const base = await temp();
    const open = makeDirectory(join(base, 'open'), 0o777);
    symlinkSync(makeDirectory(join(base, 'target'), 0o700), join(open, 'link'));
    const { exposures } = await privateDirectory(join(open, 'link/work'));
    expect(exposures.map(({ path }) => path)).toEqual([open]);
  });

  it('by each directory above it that others can write to, the nearest first', async () => {
    const outer = makeDirectory(join(await temp(), 'outer'), 0o777);
    const inner = makeDirectory(join(outer, 'inner'), 0o770);
    const { exposures } = await privateDirectory(join(inner, 'a'));
    expect(exposures.map(({ path }) => path)).toEqual([inner, outer]);
  });

  it('by another user who owns it or a parent', { tags: 'root' }, async () => {
    const parent = makeDirectory(join(await temp(), 'parent'), 0o755);
    chownSync(parent, 65_534, 65_534);
    const exposure = { path: parent, reason: 'it belongs to user 65534' };
    expect(await exposuresOf(parent)).toEqual([exposure]);
    expect((await privateDirectory(join(parent, 'a'))).exposures).toEqual([exposure]);
  });
});
