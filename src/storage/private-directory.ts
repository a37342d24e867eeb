import { constants, existsSync } from 'node:fs';
import { access, lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory with mode 0700, missing parents included, and checks who else could write to it or replace it.
 * @param directory an absolute path
 * @returns its path without symbolic links, and the directory or link that exposes it to others, if there is one
 * @throws the system's error when it cannot be created
 */
export async function privateDirectory(directory: string) {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch(async (error: unknown) => {
    // With `recursive`, Node.js reports ENOENT for a read-only file system.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      await access(`${existingPart(directory)}/.`, constants.W_OK);
    throw error;
  });
  const path = await realpath(directory);
  // As named first: where a link of another user leads is of no interest.
  for (const current of new Set([...withParents(directory), ...withParents(path)])) {
    if (await isExposed(current, current === path)) return { path, exposedBy: current };
  }
  return { path, exposedBy: undefined };
}

async function isExposed(path: string, isTarget: boolean): Promise<boolean> {
  const stats = await lstat(path);
  const { uid, mode } = stats;
  if (uid !== 0 && uid !== process.getuid?.()) return true;
  if (stats.isSymbolicLink() || (mode & 0o022) === 0) return false;
  // In a directory like /tmp others can create entries, but not rename ours (chmod(1), sticky bit).
  return isTarget || (mode & 0o1000) === 0;
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

/** The longest part of a path that exists, as far as this user can see. */
export const existingPart = (path: string): string => (existsSync(path) ? path : existingPart(dirname(path)));

/**
 * Creates a directory of files that are trusted as code is, such as the class archives of a JVM.
 * @returns its path without symbolic links
 * @throws {Error} also when other users can write to it
 */
export async function trustedDirectory(directory: string): Promise<string> {
  const { path, exposedBy } = await privateDirectory(directory);
  if (exposedBy !== undefined) throw new Error(`RING_CACHE_DIR: other users can write to ${exposedBy}`);
  return path;
}
