import { randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdir, mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { StartError } from '../errors/start-error.js';
import { removeLeftovers, removeOwnFiles } from './leftovers.js';
import { existingPart, privateDirectory } from './private-directory.js';

/** Undefined where users have no ids. */
const USER_ID = process.getuid?.();
/** Parent of the default directories. Named after the user, because other users may not enter it. */
export const DEFAULT_BASE = join(tmpdir(), `license-decoder${USER_ID === undefined ? '' : `-${USER_ID}`}`);

/** Milliseconds between two searches for leftovers. */
const SEARCH_MS = 300_000;
/** Milliseconds added to the age of leftovers: clocks of hosts that share a volume differ. */
const CLOCK_MARGIN_MS = 600_000;
/** Bits of a directory's mode that let others list it. */
const LISTABLE = 0o044;

export interface TemporaryStorageOptions {
  UPLOAD_DIR: string;
  TMP_BASE: string;
  /** Milliseconds that a request may take from its first byte to its answer. */
  requestMs: number;
  log: Logger;
}

/** UPLOAD_DIR and TMP_BASE, which hold personal data while a request lasts. */
export interface TemporaryStorage {
  /** Path of one more upload, in UPLOAD_DIR. */
  newUpload(): Promise<string>;
  /** Creates the directory of one more decode, in TMP_BASE, mode 0700. */
  newDecode(): Promise<string>;
  /** Ends the search for leftovers and removes the files of this process. */
  close(): void;
}

/**
 * Creates both directories, and removes leftovers in them, now and every {@link SEARCH_MS}.
 * @throws {StartError}
 */
export async function openTemporaryStorage(options: TemporaryStorageOptions): Promise<TemporaryStorage> {
  const { requestMs, log } = options;
  const uploads = await open('UPLOAD_DIR', options.UPLOAD_DIR, log);
  const work = await open('TMP_BASE', options.TMP_BASE, log);
  const directories = new Set([uploads, work]);
  // Replicas may share a directory; this tells their entries apart.
  const processId = randomBytes(6).toString('hex');
  const startOfPath = async (directory: string, kind: string) => {
    // The directory may have been removed while the service runs.
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return join(directory, `${kind}-${processId}-`);
  };
  const search = async () => {
    for (const path of directories) {
      const reason = await removeLeftovers(path, processId, requestMs + CLOCK_MARGIN_MS, log);
      if (reason) log.warn({ path, reason }, 'could not remove leftovers');
    }
  };
  await search();
  const timer = setInterval(() => void search(), SEARCH_MS).unref();
  return {
    newUpload: async () => (await startOfPath(uploads, 'upload')) + randomUUID(),
    newDecode: async () => mkdtemp(await startOfPath(work, 'decode')),
    close: () => {
      clearInterval(timer);
      for (const directory of directories) removeOwnFiles(directory, processId, log);
    },
  };
}

/** Whether this is the parent of the default directories, or below it. */
export const isBelowDefaultBase = (path: string) => `${path}/`.startsWith(`${DEFAULT_BASE}/`);

async function open(variable: string, directory: string, log: Logger): Promise<string> {
  const variables = isBelowDefaultBase(directory) ? 'UPLOAD_DIR and TMP_BASE' : variable;
  const { path, exposedBy } = await privateDirectory(directory).catch(cannotWrite);
  // Also a directory that exists but is read-only.
  await access(path, constants.W_OK | constants.X_OK).catch(cannotWrite);
  if (exposedBy !== undefined && isBelowDefaultBase(exposedBy)) {
    throw new StartError(
      `${variable}: other users can read uploads through ${await withOwner(exposedBy)}. Remove it or make it a ` +
        `directory of user ${USER_ID} with mode 700, or set ${variables}.`,
    );
  }
  if (exposedBy !== undefined || ((await stat(path)).mode & LISTABLE) !== 0) {
    const problem = exposedBy === undefined ? 'list the directory' : 'read uploads';
    log.warn(
      { variable, path, exposedBy },
      `other users can ${problem}: make it private to this user (mode 700)`,
    );
  }
  return path;

  async function cannotWrite(error: unknown): Promise<never> {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new StartError(
      `${variable}: cannot write to ${await withOwner(existingPart(directory))} (${code}). ` +
        `Make it a directory that user ${USER_ID} may write to and that has free space, or set ${variables}.`,
    );
  }
}

const withOwner = async (path: string) => `${path}, which belongs to user ${(await lstat(path)).uid}`;
