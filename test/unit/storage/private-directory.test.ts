import { chmodSync, chownSync, lchownSync, mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDirectory, exposureOf } from '../../../src/storage/private-directory.js';
import { tempDirectory } from '../../support/temp.js';

const modeOf = (path: string) => statSync(path).mode & 0o7777;
const temp = async () => realpathSync(await tempDirectory());

function makeDirectory(path: string, mode: number): string {
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

describe('createDirectory', () => {
  it.each([0o000, 0o002, 0o022, 0o077])(
    'creates directory and parents with mode 0700 under umask %o',
    async (umask) => {
      const before = process.umask(umask);
      onTestFinished(() => void process.umask(before));
      const base = await temp();
      const path = join(base, 'license-decoder/uploads');
      expect(await createDirectory(path)).toBe(path);
      expect([modeOf(join(base, 'license-decoder')), modeOf(path)]).toEqual([0o700, 0o700]);
    },
  );

  it('takes a directory that is there as it is, and resolves symbolic links', async () => {
    const base = await temp();
    const target = makeDirectory(join(base, 'target'), 0o750);
    symlinkSync(target, join(base, 'link'));
    expect(await createDirectory(join(base, 'link/work'))).toBe(join(target, 'work'));
    expect(modeOf(target)).toBe(0o750);
  });
});

describe('a directory is exposed', () => {
  it.each([
    ['its group', 0o770],
    ['everybody', 0o702],
    ['everybody, in spite of the sticky bit', 0o1777],
  ])('when %s can write to it', async (_title, mode) => {
    const path = makeDirectory(join(await temp(), 'a'), mode);
    expect(await exposureOf(path)).toBe('other users can write to it');
  });

  it('not when others can only list it, nor because of its parent', async () => {
    const parent = makeDirectory(join(await temp(), 'parent'), 0o777);
    expect(await exposureOf(makeDirectory(join(parent, 'a'), 0o755))).toBeUndefined();
  });

  it('when it or a link in its place belongs to another user', { tags: 'root' }, async () => {
    const base = await temp();
    const path = makeDirectory(join(base, 'a'), 0o700);
    const link = join(base, 'link');
    symlinkSync(path, link);
    lchownSync(link, 65_534, 65_534);
    expect(await exposureOf(link)).toBe('it belongs to user 65534');
    chownSync(path, 65_534, 65_534);
    expect(await exposureOf(path)).toBe('it belongs to user 65534');
  });
});
