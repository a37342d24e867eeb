import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';
import { runProgram, type ProgramResult } from '../process/run-program.js';
import type { License } from './read-folder.js';

const INTERVAL_MS = 5 * 60_000;
/** Milliseconds for a directory; 1,000 files take half a second on a local disk. */
const READ_MS = 60_000;
/** Bytes: 2,000 files with under 1,000 characters of path and texts each, of which JSON may make six. */
const MAX_BYTES = 12_000_000;
/** Bytes: the reason why a directory cannot be read is one line. */
const MAX_ERROR_BYTES = 200_000;
/** Milliseconds that a child which takes longer gets to die. */
const KILL_MS = 1_000;

const STATES = ['read', 'no_clear_text', 'unreadable'] as const;

/** A directory as it was when it was last read, and why a later reading failed. */
interface Folder {
  licenses: License[];
  /** Seconds since 1970; undefined before the first success. */
  readAt?: number;
  problem?: string | undefined;
  /** The child that reads it, while it lives: on a dead mount not even SIGKILL ends it. */
  child?: Promise<ProgramResult> | undefined;
  /** What the log says of it. */
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
  const folders = new Map(
    directories.map((dir): [string, Folder] => [dir, { licenses: [], problem: 'not read yet' }]),
  );
  const readAll = async () => {
    setTimeout(() => signal.aborted || void readAll(), INTERVAL_MS).unref();
    for (const [dir, folder] of folders) {
      await refresh(dir, folder, signal);
      if (signal.aborted) return;
      publish(folders, gauges);
      logChange(dir, folder, log);
    }
  };
  publish(folders, gauges);
  void readAll();
}

async function refresh(dir: string, folder: Folder, signal: AbortSignal): Promise<void> {
  if (folder.child) return;
  const child = runProgram(process.execPath, ['licenses.js', dir], {
    directory: import.meta.dirname,
    // The program needs none of the service's settings, some of which are secret.
    env: {},
    timeoutMs: READ_MS,
    maxStdout: MAX_BYTES,
    maxStderr: MAX_ERROR_BYTES,
    signal,
  });
  folder.child = child.finally(() => (folder.child = undefined));
  try {
    const ended = await Promise.race([folder.child, sleep(READ_MS + KILL_MS, undefined, { ref: false })]);
    if (!ended) throw new Error(`still being read after ${READ_MS / 1000} s: is it on a mount that hangs?`);
    const { exitCode, stdout, stderr } = ended;
    if (exitCode !== 0) throw new Error(stderr.toString().split('\n', 1)[0]);
    const lines = stdout.toString().split('\n').filter(Boolean);
    folder.licenses = lines.map((line) => JSON.parse(line) as License);
    folder.readAt = Date.now() / 1000;
    folder.problem = undefined;
  } catch (error) {
    folder.problem = (error as Error).message;
  }
}

/** The number of files by what could be read of them. */
const countsOf = ({ licenses }: Folder) =>
  STATES.map((name) => [name, licenses.filter(({ state }) => state === name).length] as const);

/** Logs each change of what the alerts are about: whether a directory can be read, is empty, or has files that cannot. */
function logChange(dir: string, folder: Folder, log: Logger): void {
  const { problem } = folder;
  const files = Object.fromEntries(countsOf(folder));
  const text = problem ?? JSON.stringify(files);
  if (text === folder.logged) return;
  folder.logged = text;
  const isWell = folder.licenses.length > 0 && files['unreadable'] === 0;
  if (problem !== undefined) log.warn({ dir, problem }, 'cannot read a directory of licenses');
  else log[isWell ? 'info' : 'warn']({ dir, files }, 'license files by what could be read of them');
}

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
    // Tells a file that lost its date from one that is gone: only the alert of the latter may end.
    withoutDate: gauge('license_without_date', 'Always 1, for each file whose term is unknown', 'file'),
    users: gauge('license_users', 'Number of users of the license, if known', 'file'),
    info: gauge('license_info', 'Always 1, with what the license says; empty if unknown', 'file', ...info),
  };
}

function publish(folders: Map<string, Folder>, gauges: ReturnType<typeof createGauges>): void {
  for (const gauge of Object.values(gauges)) gauge.reset();
  for (const [dir, folder] of folders) {
    const { licenses, readAt, problem } = folder;
    gauges.up.set({ dir }, problem === undefined ? 1 : 0);
    if (readAt === undefined) continue;
    gauges.readAt.set({ dir }, readAt);
    for (const [state, count] of countsOf(folder)) gauges.files.set({ dir, state }, count);
    for (const license of licenses) {
      const { file } = license;
      if (license.state !== 'read' || license.term === 'unknown') gauges.withoutDate.set({ dir, file }, 1);
      if (license.state !== 'read') continue;
      const { registrationNumber, productCode, kind, computer, term, users, validUntil } = license;
      const codes = { registration_number: registrationNumber ?? '', product_code: productCode ?? '' };
      gauges.info.set({ dir, file, ...codes, kind: kind ?? '', computer: computer ?? '', term }, 1);
      if (users !== null) gauges.users.set({ dir, file }, users);
      // Local time: the time zone of the service.
      if (validUntil) gauges.expires.set({ dir, file }, Date.parse(`${validUntil}T24:00`) / 1000);
    }
  }
}
