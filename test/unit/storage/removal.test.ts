import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeTree, removeTreeSync } from '../../../src/storage/removal.js';
import { tempDirectory } from '../../support/temp.js';

const NOBODY = 65_534;

/** Until the test ends, root is an ordinary user, who needs the rights of a directory. */
function withoutRoot(): void {
  if (process.geteuid?.() !== 0) return;
  process.seteuid?.(NOBODY);
  onTestFinished(() => process.seteuid?.(0));
}

it.each<[string, (path: string) => Promise<void> | void]>([
  ['', removeTree],
  [', at the exit, too', removeTreeSync],
])('what ring has taken all rights of is removed%s, and no target of a link', async (_title, remove) => {
  const [base, target] = [await tempDirectory(), await tempDirectory()];
  writeFileSync(join(target, 'precious'), '');
  chmodSync(base, 0o777);
  chmodSync(target, 0o755);
  withoutRoot();
  const decode = join(base, 'decode');
  const licenses = join(decode, 'licenses');
  mkdirSync(licenses, { recursive: true });
  writeFileSync(join(licenses, 'license.lic'), '');
  symlinkSync(target, join(licenses, 'link'));
  for (const path of [join(licenses, 'license.lic'), licenses, decode]) chmodSync(path, 0o000);
  await remove(decode);
  expect(readdirSync(base)).toEqual([]);
  expect(readdirSync(target)).toEqual(['precious']);
});
