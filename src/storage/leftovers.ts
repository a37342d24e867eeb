import { readdirSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';

/** Names of uploads, which end in a UUID, and of decodes, which end as mkdtemp(3) does; the group is their process. */
const OUR_NAME = /^(?:upload|decode)-([0-9a-f]{12})-(?:[0-9a-f-]{36}|[0-9A-Za-z]{6})$/;

/**
 * Removes what killed processes have left in a directory: what has our form of name, belongs to our user, is not of this
 * process, and is too old for a request in progress. Follows no symbolic link.
 * @param processId of this process
 * @param maxAgeMs milliseconds since the last modification that no request in progress reaches
 * @returns the code of an error that kept something from being removed
 */
export async function removeLeftovers(
  directory: string,
  processId: string,
  maxAgeMs: number,
  log: Logger,
): Promise<string | undefined> {
  let problem: string | undefined;
  for (const name of await readdir(directory).catch(() => [])) {
    const owner = OUR_NAME.exec(name)?.[1];
    if (owner === undefined || owner === processId) continue;
    const path = join(directory, name);
    try {
      const { uid, mtimeMs } = await lstat(path);
      if (uid !== process.getuid?.() || Date.now() - mtimeMs <= maxAgeMs) continue;
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      log.info({ path }, 'removed a leftover of a killed process');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another replica was faster.
      if (code !== 'ENOENT') problem = code;
    }
  }
  return problem;
}

/** Removes the entries of this process at once, because it is about to exit. Never throws. */
export function removeOwnFiles(directory: string, processId: string, log: Logger): void {
  try {
    for (const name of readdirSync(directory)) {
      if (OUR_NAME.exec(name)?.[1] !== processId) continue;
      // A ring process that was just killed may still be writing.
      rmSync(join(directory, name), { recursive: true, force: true, maxRetries: 3 });
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') log.warn({ path: directory, reason: code }, 'could not remove the last files');
  }
}
