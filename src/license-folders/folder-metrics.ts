import { Gauge, type Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';
import { runProgram } from '../process/run-program.js';
import type { License } from './read-folder.js';

/** Milliseconds from the end of one reading of all directories to the next. */
const INTERVAL_MS = 5 * 60_000;
/** Milliseconds for a directory; 1,000 files take half a second on a local disk. */
const READ_MS = 60_000;
/** Bytes: 2,000 files with under 1,000 characters of path and texts each, of which JSON may make six. */
const MAX_OUTPUT_BYTES = 12_000_000;

/** A directory as it was when it was last read, and why a later reading failed. */
interface Folder {
  dir: string;
  licenses: License[];
  /** Seconds since 1970; undefined before the first success. */
  readAt?: number;
  problem: string | undefined;
}

/** Shows directories of licenses as metrics: reads them now and every five minutes, until the signal aborts. */
export function watchLicenseFolders(
  directories: readonly string[],
  registry: Registry,
  log: Logger,
  signal: AbortSignal,
): void {
  const gauges = createGauges(registry);
  const folders = directories.map((dir): Folder => ({ dir, licenses: [], problem: 'not read yet' }));

  const readAll = async () => {
    for (const folder of folders) {
      const problemBefore = folder.problem;
      await refresh(folder, signal);
      if (signal.aborted) return;

      publish(folders, gauges);
      if (folder.problem !== problemBefore) logState(folder, log);
    }
    setTimeout(() => void readAll(), INTERVAL_MS).unref();
  };

  publish(folders, gauges);
  void readAll();
}

/**
 * Reads a directory again. After a failure its licenses stay as they were: without their dates, the alerts about them
 * would end.
 */
async function refresh(folder: Folder, signal: AbortSignal): Promise<void> {
  try {
    folder.licenses = await readInChild(folder.dir, signal);
    folder.readAt = Date.now() / 1000;
    folder.problem = undefined;
  } catch (error) {
    folder.problem = (error as Error).message;
  }
}

/**
 * Runs the program `licenses` on a directory.
 * @throws {Error} with the reason why the directory cannot be read
 */
async function readInChild(dir: string, signal: AbortSignal): Promise<License[]> {
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, ['licenses.js', dir], {
    directory: import.meta.dirname,
    // The program needs none of the service's settings, some of which are secret.
    env: {},
    timeoutMs: READ_MS,
    maxStdout: MAX_OUTPUT_BYTES,
    maxStderr: MAX_OUTPUT_BYTES,
    signal,
  });
  if (exitCode !== 0) {
    const [reason] = stderr.toString().split('\n', 1);
    throw new Error(reason);
  }

  const lines = stdout.toString().split('\n');
  const filled = lines.filter((line) => line !== '');
  return filled.map((line) => JSON.parse(line) as License);
}

/** Logs whether a directory can be read. */
function logState({ dir, problem }: Folder, log: Logger): void {
  if (problem === undefined) {
    log.info({ dir }, 'reads a directory of licenses');
  } else {
    log.warn({ dir, problem }, 'cannot read a directory of licenses');
  }
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
    expires: gauge(
      'license_expires_timestamp_seconds',
      'When the license ends, if it does. Files name no time zone, so that of the service counts (TZ)',
      'file',
    ),
    // Tells a file that has lost its date, which an alert reports, from one that somebody has removed.
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
    const time = license.validUntilTime ?? '24:00';
    // Without an offset this is local time, that of the time zone in which the service runs.
    const end = Date.parse(`${license.validUntil}T${time}`);
    gauges.expires.set({ dir, file }, end / 1000);
  }
}
