import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';

/** Replicas may share a directory; this tells their entries apart. */
const PROCESS_ID = randomBytes(6).toString('hex');
/** Begins the names of this process's uploads in UPLOAD_DIR. */
export const UPLOAD_PREFIX = `upload-${PROCESS_ID}-`;
/** Begins the names of this process's decode directories in TMP_BASE. */
export const DECODE_PREFIX = `decode-${PROCESS_ID}-`;
/** Names of any process of this service. */
const OUR_NAME = /^(?:upload|decode)-/;

/**
 * Removes what a killed process left behind: entries with our kind of name, of our user, that are older than any
 * request can live. So the files of a living replica are safe. Follows no symbolic link. Never throws: what cannot be
 * removed is logged and tried again at the next call.
 * @param maxAgeMs milliseconds since the entry was last changed
 */
export async function removeLeftovers(
  directories: readonly string[],
  maxAgeMs: number,
  log: Logger,
): Promise<void> {
  for (const directory of directories) {
    for (const name of await readdir(directory).catch(() => [])) {
      if (!OUR_NAME.test(name)) continue;
      const path = join(directory, name);
      try {
        const { uid, mtimeMs } = await lstat(path);
        if (uid !== process.getuid?.() || Date.now() - mtimeMs <= maxAgeMs) continue;
        await rm(path, { recursive: true, force: true, maxRetries: 3 });
        log.info({ path }, 'removed a leftover of a killed process');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // Another replica was faster.
        if (code !== 'ENOENT') log.warn({ path, reason: code }, 'could not remove a leftover');
      }
    }
  }
}

/** Removes the entries of this process at once, because it is about to exit. Never throws. */
export function removeOwnFiles(directories: readonly string[], log: Logger): void {
  for (const directory of directories) {
    try {
      for (const name of readdirSync(directory)) {
        if (!name.startsWith(UPLOAD_PREFIX) && !name.startsWith(DECODE_PREFIX)) continue;
        // A ring process that was just killed may still be writing.
        rmSync(join(directory, name), { recursive: true, force: true, maxRetries: 3 });
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') log.warn({ path: directory, reason: code }, 'could not remove the last files');
    }
  }
}
