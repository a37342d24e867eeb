import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, ROOT } from './project.js';
import { tempDirectory } from './temp.js';

/** A copy of the build, in which a test can change files. @returns the copies of the project and of its `dist` */
export async function copyOfBuild(): Promise<{ copy: string; dist: string }> {
  const copy = await tempDirectory();
  const dist = join(copy, 'dist');
  cpSync(DIST, dist, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return { copy, dist };
}
