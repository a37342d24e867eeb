import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { removeTree, removeTreeSync } from './removal.js';

/**
 * Names of uploads and probes, which end in a UUID, and of the directories of decodes, class archives and self-checks,
 * which end as mkdtemp(3) makes names. The group is the id of the process that they belong to.
 */
const OUR_NAME = /^(?:upload|probe|decode|archive|doctor)-([0-9a-f]{12})-(?:[0-9a-f-]{36}|[0-9A-Za-z]{6})$/;

/** Milliseconds added to the age of leftovers, because the clocks of hosts that share a volume differ. */
const CLOCK_MARGIN_MS = 600_000;

/** An id for the names of this process's files. Processes that share a directory tell their entries apart by it. */
export function newProcessId(): string {
  return randomBytes(6).toString('hex');
}

/** The id of the process that an entry belongs to; undefined when its name is none of ours. */
const ownerOf = (name: string): string | undefined => OUR_NAME.exec(name)?.[1];

/**
 * Removes the leftovers of killed processes from a directory: entries of our user that have a name of ours, are not of
 * this process, and are too old for a request in progress. Follows no symbolic link.
 * @param processId of this process
 * @param requestMs milliseconds that a request may take from its first byte to its answer
 * @returns the code of an error that kept something from being removed
 */
export async function removeLeftovers(
  directory: string,
  processId: string,
  requestMs: number,
  log: Logger,
): Promise<string | undefined> {
  const maxAgeMs = requestMs + CLOCK_MARGIN_MS;
  let problem: string | undefined;
  for (const name of namesIn(directory)) {
    const owner = ownerOf(name);
    if (owner === undefined || owner === processId) continue;

    const path = join(directory, name);
    try {
      if (!(await isLeftover(path, maxAgeMs))) continue;
      await removeTree(path);
      log.info({ path }, 'removed a leftover of a killed process');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // ENOENT: another replica, which shares the directory, has just removed it.
      if (code !== 'ENOENT') problem = code;
    }
  }
  return problem;
}

async function isLeftover(path: string, maxAgeMs: number): Promise<boolean> {
  const { uid, mtimeMs } = await lstat(path);
  const isOurs = uid === process.getuid?.();
  if (!isOurs) return false;

  const ageMs = Date.now() - mtimeMs;
  return ageMs > maxAgeMs;
}

/** Removes the entries of this process at once, because it is about to exit. Never throws. */
export function removeOwnFiles(directory: string, processId: string, log: Logger): void {
  for (const name of namesIn(directory)) {
    if (ownerOf(name) !== processId) continue;

    const path = join(directory, name);
    try {
      removeTreeSync(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      log.warn({ path, reason: code }, 'could not remove the last files');
    }
  }
}

/** @returns nothing for a directory that cannot be read, or that was removed while the service runs */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
