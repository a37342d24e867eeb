import { constants, existsSync } from 'node:fs';
import { access, lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Bits of a mode that let the group or everybody write. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Creates a directory with mode 0700, missing parents included, or takes one that is there.
 * @param directory an absolute path
 * @returns its path without symbolic links
 * @throws the system's error when it cannot be created, or is there and cannot be written to
 */
export async function createDirectory(directory: string): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    // With `recursive`, Node.js reports ENOENT for a read-only file system. Asking for the right to write gives the
    // real reason.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') await access(`${existingPart(directory)}/.`, constants.W_OK);
    throw error;
  }
  await access(directory, constants.W_OK | constants.X_OK);
  return realpath(directory);
}

/**
 * Why other users can change or replace the files in a directory. Its parents are not looked at.
 * @param path without symbolic links; one that has since taken the directory's place is looked at itself, and never private
 * @returns undefined when only this user can
 * @throws the system's error when there is nothing at the path
 */
export async function exposureOf(path: string): Promise<string | undefined> {
  const { uid, mode } = await lstat(path);
  if (uid !== process.getuid?.()) return `it belongs to user ${uid}`;
  if ((mode & WRITABLE_BY_OTHERS) !== 0) return 'other users can write to it';
  return undefined;
}

/** The longest part of a path that exists, as far as this user can see. */
export function existingPart(path: string): string {
  if (existsSync(path)) return path;
  return existingPart(dirname(path));
}
