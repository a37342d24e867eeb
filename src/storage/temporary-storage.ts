import { randomUUID } from 'node:crypto';
import { lstat, mkdtemp, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { HttpError } from '../errors/http-error.js';
import { StartError } from '../errors/start-error.js';
import { newProcessId, removeLeftovers, removeOwnFiles } from './leftovers.js';
import { createDirectory, existingPart, exposureOf } from './private-directory.js';

/** Undefined where users have no ids. */
const USER_ID = process.getuid?.();

/** Milliseconds between two searches for leftovers. */
const SEARCH_MS = 300_000;

export interface TemporaryStorageOptions {
  UPLOAD_DIR: string;
  TMP_BASE: string;
  /** Milliseconds that a request may take from its first byte to its answer. */
  requestMs: number;
  log: Logger;
}

/** UPLOAD_DIR and TMP_BASE, which hold personal data while a request lasts. */
export interface TemporaryStorage {
  /**
   * Path of one more upload, in UPLOAD_DIR.
   * @throws {HttpError} storage_unavailable, when other users have gained access since the start
   */
  newUpload(): Promise<string>;
  /**
   * Creates the directory of one more decode, in TMP_BASE, mode 0700.
   * @throws {HttpError} storage_unavailable, when other users have gained access since the start
   */
  newDecode(): Promise<string>;
  /**
   * Creates the directory of a class archive, in TMP_BASE, mode 0700. It takes the place of the one before: only the last
   * one is kept from other processes' searches for leftovers.
   * @throws {HttpError} storage_unavailable, when other users have gained access since the start
   */
  newArchive(): Promise<string>;
  /** Ends the search for leftovers and removes the files of this process. */
  closeAndRemoveFiles(): void;
}

/**
 * Creates both directories, and removes leftovers in them, now and every {@link SEARCH_MS}. The search includes the
 * system's temporary directory, where a self-check works that may have been killed.
 * @throws {StartError}
 */
export async function openTemporaryStorage(options: TemporaryStorageOptions): Promise<TemporaryStorage> {
  const { requestMs, log } = options;
  const uploads = await open('UPLOAD_DIR', options.UPLOAD_DIR);
  const work = await open('TMP_BASE', options.TMP_BASE);
  warnAboutBlank(work, log);

  // Both settings may name the same directory.
  const ownPaths = new Set([uploads, work]);
  const searchedPaths = new Set([...ownPaths, tmpdir()]);
  const processId = newProcessId();
  let archive: string | undefined;

  async function search(): Promise<void> {
    if (archive !== undefined) await keepFromOthers(archive);
    for (const path of searchedPaths) {
      const reason = await removeLeftovers(path, processId, requestMs, log);
      if (reason !== undefined) log.warn({ path, reason }, 'could not remove leftovers');
    }
  }
  await search();
  const timer = setInterval(() => void search(), SEARCH_MS).unref();

  return {
    newUpload: async () => {
      await checkBeforeUse(uploads);
      return join(uploads, `upload-${processId}-${randomUUID()}`);
    },
    newDecode: async () => {
      await checkBeforeUse(work);
      return mkdtemp(join(work, `decode-${processId}-`));
    },
    newArchive: async () => {
      await checkBeforeUse(work);
      archive = await mkdtemp(join(work, `archive-${processId}-`));
      return archive;
    },
    closeAndRemoveFiles: () => {
      clearInterval(timer);
      for (const path of ownPaths) removeOwnFiles(path, processId, log);
    },
  };
}

/**
 * Marks a class archive as in use. Requests are over long before their files count as leftovers, but an archive is used
 * as long as its process runs. Another process, perhaps in another container, can tell that only from its time.
 */
async function keepFromOthers(archive: string): Promise<void> {
  const seconds = Date.now() / 1000;
  try {
    await utimes(archive, seconds, seconds);
  } catch {
    // It may have been removed. Then ring starts without it, and the next poll makes another one.
  }
}

/**
 * Creates a directory, or takes one that is there.
 * @returns its path without symbolic links
 * @throws {StartError} when it cannot be written to, or when other users can change the files in it
 */
async function open(variable: string, directory: string): Promise<string> {
  const path = await createWritable(variable, directory);
  const exposure = await exposureOf(path);
  if (exposure === undefined) return path;

  throw new StartError(
    `${variable}: ${path}: ${exposure}. Make it a directory of user ${USER_ID} with mode 700, or name a new one.`,
  );
}

/** @throws {StartError} */
async function createWritable(variable: string, directory: string): Promise<string> {
  try {
    return await createDirectory(directory);
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    const existing = await withOwner(existingPart(directory));
    throw new StartError(
      `${variable}: cannot write to ${existing} (${code}). ` +
        `Make it a directory that user ${USER_ID} may write to and that has free space, or set ${variable}.`,
    );
  }
}

/**
 * Creates the directory again if a cleaner of /tmp has removed it, and refuses it if somebody else has done so, or has
 * opened it to others.
 * @throws {HttpError} storage_unavailable
 * @throws the system's error when it cannot be created or written to
 */
async function checkBeforeUse(path: string): Promise<void> {
  await createDirectory(path);
  const exposure = await exposureOf(path);
  if (exposure === undefined) return;

  const detail = `${path}: ${exposure}`;
  throw new HttpError('storage_unavailable', { detail });
}

/** ring's launcher splits the options of its JVM at blanks, so the JVM cannot be told to unpack into such a directory. */
function warnAboutBlank(path: string, log: Logger): void {
  if (!/\s/.test(path)) return;
  const message =
    "the path has a blank, so ring's JVM unpacks into the system's temporary directory, where files stay: " +
    'choose a path without blanks';
  log.warn({ variable: 'TMP_BASE', path }, message);
}

async function withOwner(path: string): Promise<string> {
  const { uid } = await lstat(path);
  return `${path}, which belongs to user ${uid}`;
}
