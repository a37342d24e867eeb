import { constants } from 'node:fs';
import { access, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DEFAULT_BASE, type Config } from '../config/settings.js';
import { StartError } from '../errors/start-error.js';
import type { Logger } from 'pino';
import { removeLeftovers, removeOwnFiles } from './leftovers.js';
import { privateDirectory, type PrivateDirectory } from './private-directory.js';

/** Milliseconds between two searches for leftovers. */
const SEARCH_MS = 60_000;
/** Milliseconds on top of the longest life of a request before its files count as leftovers. */
const AGE_MARGIN_MS = 10_000;

/** UPLOAD_DIR and TMP_BASE, which hold personal data as long as a request lives. */
export interface TemporaryStorage {
  uploads: string;
  work: string;
  /** Ends the search for leftovers and removes the files of this process. */
  close(): void;
  /** Removes the directories that were created, for a start that failed. */
  undo(): Promise<void>;
}

/**
 * Creates both directories, and removes leftovers in them now and every minute.
 * @throws {StartError}
 */
export async function openTemporaryStorage(config: Config, log: Logger): Promise<TemporaryStorage> {
  const created: string[] = [];
  const undo = async () => {
    // Children first, and only what is empty: another replica may be using it by now.
    for (const path of created.toSorted((a, b) => b.length - a.length))
      await rmdir(path).catch(() => undefined);
  };
  let uploads: string, work: string;
  try {
    uploads = await open('UPLOAD_DIR', config.UPLOAD_DIR, created, log);
    work = await open('TMP_BASE', config.TMP_BASE, created, log);
  } catch (error) {
    await undo();
    throw error;
  }
  const maxAgeMs = config.UPLOAD_TIMEOUT_MS + config.DECODE_TIMEOUT_MS + AGE_MARGIN_MS;
  const search = () => removeLeftovers([uploads, work], maxAgeMs, log);
  await search();
  const timer = setInterval(() => void search(), SEARCH_MS).unref();
  const close = () => {
    clearInterval(timer);
    removeOwnFiles([uploads, work], log);
  };
  return { uploads, work, close, undo };
}

/** @throws the system's error, also for a directory that exists but is read-only */
async function writableDirectory(directory: string): Promise<PrivateDirectory> {
  const result = await privateDirectory(directory);
  await access(result.path, constants.W_OK | constants.X_OK);
  return result;
}

async function open(variable: string, directory: string, created: string[], log: Logger): Promise<string> {
  const user = process.getuid?.() ?? '';
  const result = await writableDirectory(directory).catch((error: unknown) => {
    throw new StartError(
      `${variable}: cannot write to ${directory} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}). ` +
        `Make it a directory that user ${user} may write to and that has free space, or set ${variable}.`,
    );
  });
  if (result.created !== undefined) {
    for (let path = directory; path.startsWith(result.created); path = dirname(path)) created.push(path);
  }
  const { path, exposedBy } = result;
  if (exposedBy === DEFAULT_BASE || exposedBy?.startsWith(`${DEFAULT_BASE}/`)) {
    throw new StartError(
      `${variable}: other users can read uploads through ${exposedBy}. Remove it or make it a directory of user ${user} ` +
        `with mode 700, or set ${variable}.`,
    );
  }
  if (exposedBy !== undefined) {
    log.warn(
      { variable, exposedBy },
      'other users can read uploads: make the directory private to this user',
    );
  }
  return path;
}
