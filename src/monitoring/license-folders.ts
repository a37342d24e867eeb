import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';
import { runProgram, type ProgramResult } from '../process/run-program.js';
import type { License } from './read-folder.js';

/** Milliseconds from one reading of all directories to the next. */
const INTERVAL_MS = 5 * 60_000;
/** Milliseconds for a directory; 1,000 files take half a second on a local disk. */
const READ_MS = 60_000;
/** Bytes: 2,000 files with under 1,000 characters of path and texts each, of which JSON may make six. */
const MAX_BYTES = 12_000_000;
/** Bytes: the reason why a directory cannot be read is one line. */
const MAX_ERROR_BYTES = 200_000;
/** Milliseconds that a child which takes longer gets to die. */
const KILL_MS = 1_000;

/** A directory as it was when it was last read, and why a later reading failed. */
interface Folder {
  dir: string;
  licenses: License[];
  /** Seconds since 1970; undefined before the first success. */
  readAt?: number;
  problem?: string | undefined;
  /** The child that reads it, while it lives. On a dead mount not even SIGKILL ends it. */
  child?: Promise<ProgramResult> | undefined;
  /** The last line about it in the log. */
  logged?: string;
}

/** Shows directories of licenses as metrics: reads each now and every five minutes, until the signal aborts. */
export function watchLicenseFolders(
  directories: readonly string[],
  registry: Registry,
  log: Logger,
  signal: AbortSignal,
): void {
  const gauges = createGauges(registry);
  const folders = directories.map((dir): Folder => ({ dir, licenses: [], problem: 'not read yet' }));

  const readAll = async () => {
    const readAgain = () => {
      if (!signal.aborted) void readAll();
    };
    setTimeout(readAgain, INTERVAL_MS).unref();

    for (const folder of folders) {
      await refresh(folder, signal);
      if (signal.aborted) return;
      publish(folders, gauges);
      logChange(folder, log);
    }
  };

  publish(folders, gauges);
  void readAll();
}

/** Reads a directory again. After a failure its licenses stay as they were, with the problem. */
async function refresh(folder: Folder, signal: AbortSignal): Promise<void> {
  // A child that hangs cannot be killed. With another one every five minutes they would become many.
  if (folder.child) return;

  folder.child = startReading(folder.dir, signal).finally(() => {
    folder.child = undefined;
  });

  try {
    const timeout = sleep(READ_MS + KILL_MS, undefined, { ref: false });
    const ended = await Promise.race([folder.child, timeout]);
    if (!ended) throw new Error(`still being read after ${READ_MS / 1000} s: is it on a mount that hangs?`);

    folder.licenses = licensesOf(ended);
    folder.readAt = Date.now() / 1000;
    folder.problem = undefined;
  } catch (error) {
    folder.problem = (error as Error).message;
  }
}

/** Runs the program `licenses` on a directory. */
function startReading(dir: string, signal: AbortSignal): Promise<ProgramResult> {
  return runProgram(process.execPath, ['licenses.js', dir], {
    directory: import.meta.dirname,
    // The program needs none of the service's settings, some of which are secret.
    env: {},
    timeoutMs: READ_MS,
    maxStdout: MAX_BYTES,
    maxStderr: MAX_ERROR_BYTES,
    signal,
  });
}

/** @throws {Error} with the program's reason why it cannot read the directory */
function licensesOf({ exitCode, stdout, stderr }: ProgramResult): License[] {
  if (exitCode !== 0) {
    const [reason] = stderr.toString().split('\n', 1);
    throw new Error(reason);
  }

  const licenses: License[] = [];
  for (const line of stdout.toString().split('\n')) {
    if (line === '') continue;
    licenses.push(JSON.parse(line) as License);
  }
  return licenses;
}

/** The number of files in each state. */
function countStates({ licenses }: Folder): Record<License['state'], number> {
  const counts = {
    read: 0,
    no_clear_text: 0,
    unreadable: 0,
  };
  for (const { state } of licenses) counts[state] += 1;
  return counts;
}

/** Logs each change that an alert is about: whether a directory can be read, is empty, or has unreadable files. */
function logChange(folder: Folder, log: Logger): void {
  const { dir, problem } = folder;
  const files = countStates(folder);
  const text = problem ?? JSON.stringify(files);
  if (text === folder.logged) return;
  folder.logged = text;

  if (problem !== undefined) {
    log.warn({ dir, problem }, 'cannot read a directory of licenses');
    return;
  }

  const isWell = folder.licenses.length > 0 && files.unreadable === 0;
  const level = isWell ? 'info' : 'warn';
  log[level]({ dir, files }, 'license files by what could be read of them');
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registry: Registry) {
  const gauge = (name: string, help: string, ...labels: string[]) => {
    const labelNames = ['dir', ...labels];
    return new Gauge({ name: `license_decoder_${name}`, help, labelNames, registers: [registry] });
  };
  const info = ['registration_number', 'kind', 'product_code', 'computer', 'term'];
  return {
    up: gauge('licenses_dir_up', '1 when the last reading of the directory succeeded'),
    readAt: gauge('licenses_dir_read_timestamp_seconds', 'Time of the last successful reading'),
    files: gauge('license_files', 'License files by what could be read of them', 'state'),
    expires: gauge('license_expires_timestamp_seconds', 'End of its last day, if it has one', 'file'),
    // Tells a file that has lost its date from one that is gone. Only the alert of the latter may end.
    withoutDate: gauge('license_without_date', 'Always 1, for each file whose term is unknown', 'file'),
    users: gauge('license_users', 'Number of users of the license, if known', 'file'),
    info: gauge('license_info', 'Always 1, with what the license says; empty if unknown', 'file', ...info),
  };
}

/** Shows all folders as they are now. Licenses that are gone lose their series, because all are set anew. */
function publish(folders: readonly Folder[], gauges: Gauges): void {
  for (const gauge of Object.values(gauges)) gauge.reset();

  for (const folder of folders) {
    const { dir, readAt, problem } = folder;
    const isUp = problem === undefined;
    gauges.up.set({ dir }, isUp ? 1 : 0);
    // Before the first success, zeros would look like an empty directory.
    if (readAt === undefined) continue;

    gauges.readAt.set({ dir }, readAt);
    for (const [state, count] of Object.entries(countStates(folder))) {
      gauges.files.set({ dir, state }, count);
    }
    for (const license of folder.licenses) publishLicense(license, gauges);
  }
}

function publishLicense(license: License, gauges: Gauges): void {
  const { dir, file } = license;
  const hasTerm = license.state === 'read' && license.term !== 'unknown';
  if (!hasTerm) gauges.withoutDate.set({ dir, file }, 1);
  if (license.state !== 'read') return;

  const labels = {
    dir,
    file,
    registration_number: license.registrationNumber ?? '',
    product_code: license.productCode ?? '',
    kind: license.kind ?? '',
    computer: license.computer ?? '',
    term: license.term,
  };
  gauges.info.set(labels, 1);
  if (license.users !== null) gauges.users.set({ dir, file }, license.users);
  if (license.validUntil) {
    // Without an offset this is local time, that of the time zone in which the service runs.
    const endOfLastDay = Date.parse(`${license.validUntil}T24:00`);
    gauges.expires.set({ dir, file }, endOfLastDay / 1000);
  }
}
