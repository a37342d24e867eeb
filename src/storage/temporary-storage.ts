import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isBelowDefaultBase, type Config } from '../config/settings.js';
import { StartError } from '../errors/start-error.js';
import { privateDirectory } from '../ring/private-directory.js';
import { removeLeftovers, removeOwnFiles } from './leftovers.js';

/** Replicas may share a directory; this tells their entries apart. */
const PROCESS_ID = randomBytes(6).toString('hex');
/** Begins the names of this process's uploads in UPLOAD_DIR. */
export const UPLOAD_PREFIX = `upload-${PROCESS_ID}-`;
/** Begins the names of this process's decode directories in TMP_BASE. */
export const DECODE_PREFIX = `decode-${PROCESS_ID}-`;

/** Milliseconds between two searches for leftovers, and between two signs of life of this process. */
const ROUND_MS = 5_000;
/** Bits of a directory's mode that let others list it. */
const LISTABLE = 0o044;

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
 * Creates both directories, and removes leftovers in them from now on.
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
  const directories = new Set([uploads, work]);
  const problems = new Map<string, string | undefined>();
  const round = async () => {
    for (const directory of directories) {
      const reason = await removeLeftovers(directory, PROCESS_ID, log);
      if (reason && reason !== problems.get(directory)) {
        log.warn({ path: directory, reason }, 'could not remove leftovers');
      }
      problems.set(directory, reason);
    }
  };
  await round();
  const closed = new AbortController();
  const rounds = async () => {
    const { signal } = closed;
    while (await sleep(ROUND_MS, true, { ref: false, signal }).catch(() => false)) await round();
  };
  void rounds();
  const close = () => {
    closed.abort();
    for (const directory of directories) removeOwnFiles(directory, PROCESS_ID, log);
  };
  return { uploads, work, close, undo };
}

async function open(variable: string, directory: string, created: string[], log: Logger): Promise<string> {
  const user = process.getuid?.() ?? '';
  const result = await privateDirectory(directory).catch((error: unknown) => cannotWrite(error));
  const { path, exposedBy } = result;
  // Also a directory that exists but is read-only.
  await access(path, constants.W_OK | constants.X_OK).catch((error: unknown) => cannotWrite(error));
  if (result.created !== undefined) {
    for (let made = directory; made.startsWith(result.created); made = dirname(made)) created.push(made);
  }
  if (exposedBy !== undefined && isBelowDefaultBase(exposedBy)) {
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
  } else if (((await stat(path)).mode & LISTABLE) !== 0) {
    log.warn(
      { variable, path },
      'other users can list the directory: make it private to this user (mode 700)',
    );
  }
  return path;

  function cannotWrite(error: unknown): never {
    throw new StartError(
      `${variable}: cannot write to ${directory} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}). ` +
        `Make it a directory that user ${user} may write to and that has free space, or set ${variable}.`,
    );
  }
}
