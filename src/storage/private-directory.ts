import { constants, existsSync } from 'node:fs';
import { access, lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Bits of a mode that let the group or everybody write. */
const WRITABLE_BY_OTHERS = 0o022;
/** In a directory with this bit, such as /tmp, users can create entries, but not rename those of others (chmod(1)). */
const STICKY = 0o1000;

/** A file, directory or link on the way to a path, through which other users can change or replace the path's content. */
export interface Exposure {
  path: string;
  /** Why they can, for the operator. */
  reason: string;
}

/**
 * Creates a directory with mode 0700, missing parents included, and finds out who else could write to it or replace it.
 * @param directory an absolute path
 * @returns its path without symbolic links, and its exposures, the nearest first
 * @throws the system's error when it cannot be created
 */
export async function privateDirectory(directory: string): Promise<{ path: string; exposures: Exposure[] }> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    // With `recursive`, Node.js reports ENOENT for a read-only file system. Asking for the right to write gives the
    // real reason.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') await access(`${existingPart(directory)}/.`, constants.W_OK);
    throw error;
  }
  const path = await realpath(directory);
  return { path, exposures: await exposuresOf(directory) };
}

/**
 * Finds where users other than root and ours can change or replace a file or directory: at itself, at each of its parents
 * and at each symbolic link on the way. Nothing is created. It takes a millisecond, so it can be asked before each use.
 * @param path an absolute path
 * @returns empty when the path is private; the nearest first
 * @throws the system's error when there is nothing at the path
 */
export async function exposuresOf(path: string): Promise<Exposure[]> {
  const target = await realpath(path);
  // The path as it is named comes first: where a link of another user leads is of no interest.
  const onTheWay = new Set([...withParents(path), ...withParents(target)]);

  const exposures: Exposure[] = [];
  for (const current of onTheWay) {
    const reason = await exposureReason(current, current === target);
    if (reason !== undefined) exposures.push({ path: current, reason });
  }
  return exposures;
}

async function exposureReason(path: string, isTarget: boolean): Promise<string | undefined> {
  const stats = await lstat(path);
  const isOfRoot = stats.uid === 0;
  const isOurs = stats.uid === process.getuid?.();
  if (!isOfRoot && !isOurs) return `it belongs to user ${stats.uid}`;

  // The mode of a link means nothing. Who can replace it depends on its directory.
  if (stats.isSymbolicLink()) return undefined;
  if ((stats.mode & WRITABLE_BY_OTHERS) === 0) return undefined;

  const keepsEntries = (stats.mode & STICKY) !== 0;
  if (!isTarget && keepsEntries) return undefined;
  return 'other users can write to it';
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  if (parent === path) return [path];
  return [path, ...withParents(parent)];
}

/** The longest part of a path that exists, as far as this user can see. */
export function existingPart(path: string): string {
  if (existsSync(path)) return path;
  return existingPart(dirname(path));
}

/**
 * Creates a directory of files that are trusted as code is, such as the class archives of a JVM. Before each use of such
 * a file, ask {@link exposuresOf} again.
 * @returns its path without symbolic links
 * @throws {Error} also when other users can change or replace it
 */
export async function trustedDirectory(directory: string): Promise<string> {
  const { path, exposures } = await privateDirectory(directory);
  const [exposure] = exposures;
  if (exposure) throw new Error(`${exposure.path}: ${exposure.reason}`);
  return path;
}
