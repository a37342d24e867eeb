import { randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { HttpError } from '../errors/http-error.js';
import { StartError } from '../errors/start-error.js';
import { removeLeftovers, removeOwnFiles } from './leftovers.js';
import { existingPart, privateDirectory, type Exposure } from './private-directory.js';

/** Undefined where users have no ids. */
const USER_ID = process.getuid?.();
const DEFAULT_NAME = USER_ID === undefined ? 'license-decoder' : `license-decoder-${USER_ID}`;
/** Parent of the default directories. Named after the user, because other users may not enter it. */
export const DEFAULT_BASE = join(tmpdir(), DEFAULT_NAME);

/** Milliseconds between two searches for leftovers. */
const SEARCH_MS = 300_000;
/** Milliseconds added to the age of leftovers, because the clocks of hosts that share a volume differ. */
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
  /** Ends the search for leftovers and removes the files of this process. */
  closeAndRemoveFiles(): void;
}

/** A directory of the storage, as it was at the start. */
interface StorageDirectory {
  /** Without symbolic links. */
  path: string;
  /** Its exposures at the start, about which the log has warned. */
  knownExposures: readonly Exposure[];
}

/**
 * Creates both directories, and removes leftovers in them, now and every {@link SEARCH_MS}.
 * @throws {StartError}
 */
export async function openTemporaryStorage(options: TemporaryStorageOptions): Promise<TemporaryStorage> {
  const { requestMs, log } = options;
  const uploads = await open('UPLOAD_DIR', options.UPLOAD_DIR, log);
  const work = await open('TMP_BASE', options.TMP_BASE, log);
  warnAboutBlank(work.path, log);

  // Both settings may name the same directory.
  const paths = new Set([uploads.path, work.path]);
  // Replicas may share a directory; this tells their entries apart.
  const processId = randomBytes(6).toString('hex');

  async function search(): Promise<void> {
    for (const path of paths) {
      const reason = await removeLeftovers(path, processId, requestMs + CLOCK_MARGIN_MS, log);
      if (reason !== undefined) log.warn({ path, reason }, 'could not remove leftovers');
    }
  }
  await search();
  const timer = setInterval(() => void search(), SEARCH_MS).unref();

  return {
    newUpload: async () => {
      await checkBeforeUse(uploads);
      return join(uploads.path, `upload-${processId}-${randomUUID()}`);
    },
    newDecode: async () => {
      await checkBeforeUse(work);
      return mkdtemp(join(work.path, `decode-${processId}-`));
    },
    closeAndRemoveFiles: () => {
      clearInterval(timer);
      for (const path of paths) removeOwnFiles(path, processId, log);
    },
  };
}

/** Whether this is the parent of the default directories, or below it. */
export const isBelowDefaultBase = (path: string) => `${path}/`.startsWith(`${DEFAULT_BASE}/`);

/**
 * Creates a directory, or takes one that is there, and warns about other users who have access to it.
 * @throws {StartError} when it cannot be written to, or when others have access to the default directory
 */
async function open(variable: string, directory: string, log: Logger): Promise<StorageDirectory> {
  const variables = isBelowDefaultBase(directory) ? 'UPLOAD_DIR and TMP_BASE' : variable;
  const { path, exposures } = await createWritable(variable, directory, variables);

  const exposedDefault = exposures.find((exposure) => isBelowDefaultBase(exposure.path));
  if (exposedDefault) {
    const exposed = await withOwner(exposedDefault.path);
    throw new StartError(
      `${variable}: other users can read uploads through ${exposed}. Remove it or make ` +
        `it a directory of user ${USER_ID} with mode 700, or set ${variables}.`,
    );
  }

  await warnAboutOthers(variable, path, exposures, log);
  return { path, knownExposures: exposures };
}

/** @param exposures of the directory, the nearest first */
async function warnAboutOthers(
  variable: string,
  path: string,
  exposures: readonly Exposure[],
  log: Logger,
): Promise<void> {
  const [exposure] = exposures;
  if (exposure) {
    const message = 'other users can read uploads: make it private to this user (mode 700)';
    log.warn({ variable, path, exposedBy: exposure.path }, message);
    return;
  }

  const { mode } = await stat(path);
  const isListable = (mode & LISTABLE) !== 0;
  if (isListable) {
    const message = 'other users can list the directory: make it private to this user (mode 700)';
    log.warn({ variable, path }, message);
  }
}

/** @throws {StartError} */
async function createWritable(variable: string, directory: string, variables: string) {
  try {
    const created = await privateDirectory(directory);
    // It may have been there, and be read-only.
    await access(created.path, constants.W_OK | constants.X_OK);
    return created;
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    const existing = await withOwner(existingPart(directory));
    throw new StartError(
      `${variable}: cannot write to ${existing} (${code}). ` +
        `Make it a directory that user ${USER_ID} may write to and that has free space, or set ${variables}.`,
    );
  }
}

/**
 * Creates the directory again if it has gone, and refuses it if it is exposed in another way than at the start: somebody
 * else may have made it after a cleaner of /tmp had removed it.
 * @throws {HttpError} storage_unavailable
 * @throws the system's error when it cannot be created
 */
async function checkBeforeUse({ path, knownExposures }: StorageDirectory): Promise<void> {
  const { exposures } = await privateDirectory(path);
  const added = exposures.find((exposure) => !isAmong(knownExposures, exposure));
  if (!added) return;

  const detail = `${added.path}: ${added.reason}`;
  throw new HttpError('storage_unavailable', { detail });
}

function isAmong(exposures: readonly Exposure[], { path, reason }: Exposure): boolean {
  return exposures.some((other) => other.path === path && other.reason === reason);
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
