import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { run } from '../../ring/run.js';
import type { License } from './licenses.js';

const INTERVAL_MS = 5 * 60_000;
/** Milliseconds for a directory; 1,000 files take half a second on a local disk. */
const READ_MS = 60_000;

/** The last successful reading of a directory, and why a later one failed. */
interface Reading {
  licenses: License[];
  /** Seconds since 1970; undefined before the first success. */
  readAt?: number;
  problem?: string;
}
const NEVER: Reading = { licenses: [], problem: 'not read yet' };

/** Shows directories of licenses as metrics: reads each now and every five minutes, until the signal aborts. */
export function watchLicenseFolders(
  directories: readonly string[],
  registry: Registry,
  log: Logger,
  signal: AbortSignal,
): void {
  const gauges = createGauges(registry);
  const readings = new Map(directories.map((dir) => [dir, NEVER]));
  const readAll = async () => {
    for (const [dir, last] of readings) {
      const reading = await readDirectory(dir, last, signal);
      if (signal.aborted) return;
      readings.set(dir, reading);
      publish(readings, gauges);
      const { problem } = reading;
      if (problem && problem !== last.problem)
        log.warn({ dir, problem }, 'cannot read a directory of licenses');
    }
    setTimeout(() => void readAll(), INTERVAL_MS).unref();
  };
  publish(readings, gauges);
  void readAll();
}

async function readDirectory(dir: string, last: Reading, signal: AbortSignal): Promise<Reading> {
  // By what runs ring, which bounds time and output, and whose variables for ring are nothing to this program.
  const program = {
    launcher: process.execPath,
    language: 'en',
    env: {},
    directory: import.meta.dirname,
  } as const;
  try {
    const options = { ...program, timeoutMs: READ_MS, signal };
    const { exitCode, stdout, stderr } = await run(['licenses.js', dir], options);
    if (exitCode !== 0) throw new Error(stderr.split('\n', 1)[0]);
    const lines = stdout.split('\n').filter(Boolean);
    return { licenses: lines.map((line) => JSON.parse(line) as License), readAt: Date.now() / 1000 };
  } catch (error) {
    return { ...last, problem: (error as Error).message };
  }
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
    users: gauge('license_users', 'Number of users of the license, if known', 'file'),
    info: gauge('license_info', 'Always 1, with what the license says; empty if unknown', 'file', ...info),
  };
}

function publish(readings: Map<string, Reading>, gauges: ReturnType<typeof createGauges>): void {
  for (const gauge of Object.values(gauges)) gauge.reset();
  for (const [dir, { licenses, readAt, problem }] of readings) {
    gauges.up.set({ dir }, problem === undefined ? 1 : 0);
    if (readAt === undefined) continue;
    gauges.readAt.set({ dir }, readAt);
    for (const state of ['read', 'no_clear_text', 'unreadable']) gauges.files.set({ dir, state }, 0);
    for (const license of licenses) {
      const { file, state } = license;
      gauges.files.inc({ dir, state });
      if (state !== 'read') continue;
      const { registrationNumber, productCode, kind, computer, term, users, validUntil } = license;
      const codes = { registration_number: registrationNumber ?? '', product_code: productCode ?? '' };
      gauges.info.set({ dir, file, ...codes, kind: kind ?? '', computer: computer ?? '', term }, 1);
      if (users !== null) gauges.users.set({ dir, file }, users);
      // Local time: the time zone of the service.
      if (validUntil) gauges.expires.set({ dir, file }, Date.parse(`${validUntil}T24:00`) / 1000);
    }
  }
}
