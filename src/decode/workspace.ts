import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { TemporaryStorage } from '../storage/temporary-storage.js';

/** The client's file name is never used on disk. */
const FILE_NAME = 'license.lic';

/**
 * Creates the directory of one decode, mode 0700, and moves the uploaded file into it. Disposing of it removes it, with
 * what the JVM has unpacked into it. ring gets a directory with only this license, because a broken license disturbs its
 * commands on all others in the same directory.
 */
export async function createWorkspace(storage: TemporaryStorage, upload: string, log: Logger) {
  const path = await storage.newDecode();
  const licenses = join(path, 'licenses');
  const workspace = {
    licenses,
    file: join(licenses, FILE_NAME),
    [Symbol.asyncDispose]: () => removeFiles(path, log),
  };
  try {
    await mkdir(licenses);
    // Copied where UPLOAD_DIR is on another file system; the upload is removed with its request.
    await rename(upload, workspace.file).catch(() => copyFile(upload, workspace.file));
    return workspace;
  } catch (error) {
    await removeFiles(path, log);
    throw error;
  }
}

/** Removes a file or directory of a decode. Never throws. */
export async function removeFiles(path: string, log: Logger): Promise<void> {
  try {
    // Retries, because a killed process may still be writing.
    await rm(path, { recursive: true, force: true, maxRetries: 10 });
  } catch (error) {
    log.error({ err: error }, 'could not remove the files of a decode, which hold personal data');
  }
}
