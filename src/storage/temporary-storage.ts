import { randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { HttpError } from '../errors/http-error.js';
import { StartError } from '../errors/start-error.js';
import { newProcessId, removeLeftovers, removeOwnFiles } from './leftovers.js';
import { createDirectory, existingPart, exposureOf } from './private-directory.js';

/** Undefined where users have no ids. */
const USER_ID = process.getuid?.();

/** Milliseconds between two searches for leftovers. */
const SEARCH_MS = 300_000;

/** What is written to find out whether there is room. A full file system still takes an empty file. */
const PROBE = Buffer.alloc(4096, 'probe ');
/** Milliseconds for writing it. On a dead mount it would take for ever. */
const PROBE_MS = 20_000;

export interface TemporaryStorageOptions {
  UPLOAD_DIR: string;
  TMP_BASE: string;
  /** Milliseconds that a request may take from its first byte to its answer. */
  requestMs: number;
  log: Logger;
}

/** UPLOAD_DIR and TMP_BASE, which hold personal data while a request lasts. */
export interface TemporaryStorage {
  /** Creates the empty file of one more upload, in UPLOAD_DIR. Throws as {@link createIn} does. */
  newUpload(): Promise<string>;
  /** Creates the directory of one more decode, in TMP_BASE, mode 0700. Throws as {@link createIn} does. */
  newDecode(): Promise<string>;
  /**
   * Creates the directory of a class archive, in TMP_BASE, mode 0700. It takes the place of the one before: only the last
   * one is kept from other processes' searches for leftovers. Throws as {@link createIn} does.
   */
  newArchive(): Promise<string>;
  /** Writes a file in each directory and removes it. Never rejects. @returns why that is not possible */
  findProblem(): Promise<string | undefined>;
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

  async function probe(): Promise<string | undefined> {
    for (const directory of ownPaths) {
      const path = join(directory, `probe-${processId}-${randomUUID()}`);
      const problem = await problemIn(directory, path);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  /** One at a time, so that a dead mount takes no more than one thread of this process. */
  let probing: Promise<string | undefined> | undefined;

  const timer = setInterval(() => void search(), SEARCH_MS).unref();

  return {
    newUpload: async () => {
      const path = join(uploads, `upload-${processId}-${randomUUID()}`);
      await createIn(uploads, () => writeFile(path, '', { flag: 'wx' }));
      return path;
    },
    newDecode: () => createIn(work, () => mkdtemp(join(work, `decode-${processId}-`))),
    newArchive: async () => {
      archive = await createIn(work, () => mkdtemp(join(work, `archive-${processId}-`)));
      return archive;
    },
    findProblem: async () => {
      probing ??= probe().finally(() => (probing = undefined));
      const tooLong = sleep(PROBE_MS, `writing a file takes more than ${PROBE_MS} ms`, { ref: false });
      return Promise.race([probing, tooLong]);
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
    // It may have been removed. Then ring starts without it.
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
    `${variable}: ${directory}: ${exposure}. Make it a directory of user ${USER_ID} with mode 700, or name a new one.`,
  );
}

/** @throws {StartError} */
async function createWritable(variable: string, directory: string): Promise<string> {
  try {
    return await createDirectory(directory);
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    const existing = existingPart(directory);
    const { uid } = await lstat(existing);
    throw new StartError(
      `${variable}: cannot write to ${existing}, which belongs to user ${uid} (${code}). ` +
        `Make it a directory that user ${USER_ID} may write to and that has free space, or set ${variable}.`,
    );
  }
}

/**
 * Creates a file or directory in one of ours, which a cleaner of /tmp may have removed, and another user made again. So
 * ours is made again if it is missing, and refused if it is no longer closed to other users.
 * @throws {HttpError} storage_unavailable, when other users can change the files in the directory
 * @throws the system's error when nothing can be created there
 */
async function createIn<T>(directory: string, create: () => Promise<T>): Promise<T> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const exposure = await exposureOf(directory);
  if (exposure !== undefined) {
    throw new HttpError('storage_unavailable', { detail: `${directory}: ${exposure}` });
  }
  return create();
}

/** Writes a file and removes it. @returns why that is not possible */
async function problemIn(directory: string, path: string): Promise<string | undefined> {
  try {
    await createIn(directory, () => writeFile(path, PROBE));
    await rm(path);
    return undefined;
  } catch (error) {
    // Of a full file system there is an empty file.
    await rm(path, { force: true }).catch(() => undefined);
    const { code } = error as NodeJS.ErrnoException;
    return error instanceof HttpError ? error.detail : `${directory}: ${code}`;
  }
}

/** ring's launcher splits the options of its JVM at blanks, so the JVM cannot be told to unpack into such a directory. */
function warnAboutBlank(path: string, log: Logger): void {
  if (!/\s/.test(path)) return;
  const message =
    "the path has a blank, so ring's JVM unpacks into the system's temporary directory, where files stay: " +
    'choose a path without blanks';
  log.warn({ variable: 'TMP_BASE', path }, message);
}
