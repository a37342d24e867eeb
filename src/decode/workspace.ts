import { copyFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { removeTree } from '../storage/removal.js';
import type { TemporaryStorage } from '../storage/temporary-storage.js';

/** The client's file name is never used on disk. */
const FILE_NAME = 'license.lic';

/**
 * Creates the directory of one decode, mode 0700, and moves the uploaded file into it. Disposing of the result removes
 * the directory with all that the JVM has unpacked into it. ring gets a directory below it that has only this license,
 * because a broken license disturbs ring's commands on all others in the same directory.
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
    await moveFile(upload, workspace.file);
    return workspace;
  } catch (error) {
    await removeFiles(path, log);
    throw error;
  }
}

/** Moves the upload, or copies it where UPLOAD_DIR is on another file system. The copied one is removed with its request. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch {
    await copyFile(from, to);
  }
}

/** Removes a file or directory of a decode. Never throws. */
export async function removeFiles(path: string, log: Logger): Promise<void> {
  try {
    await removeTree(path);
  } catch (error) {
    log.error({ err: error }, 'could not remove the files of a decode, which hold personal data');
  }
}
