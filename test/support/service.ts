import { join } from 'node:path';
import { pino } from 'pino';
import supertest, { type Test } from 'supertest';
import { onTestFinished } from 'vitest';
import { startService } from '../../src/bootstrap.js';
import { loadConfig } from '../../src/config/settings.js';
import { fakeJavaHome } from './fake-ring.js';
import { eventually, filesIn, tempDirectory } from './temp.js';

export { eventually };

export type LogLine = Record<string, unknown>;

export interface TestService {
  url: string;
  port: number;
  metricsUrl: string;
  /** Everything logged so far. */
  log: LogLine[];
  /** Log lines of requests. */
  requests: () => LogLine[];
  /** What lies in the directories for uploads and decodes; empty when nothing was left behind. */
  files: () => string[];
  /** Uploaded licenses whose decode is under way or waits. */
  decoding: () => number;
  stop: () => Promise<void>;
  uploadDir: string;
  tmpBase: string;
}

/**
 * Starts the service in this process on a free port, with directories of its own, a JRE that only tells its
 * version, and in effect no rate limit. Stops it when the test has ended.
 */
export async function startTestService(
  settings: Record<string, string> = {},
  environment?: NodeJS.ProcessEnv,
): Promise<TestService> {
  const directory = await tempDirectory();
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT_MAX: '100000',
    RING_JVM_TUNING: 'off',
    SHUTDOWN_TIMEOUT_MS: '1000',
    RING_CACHE_DIR: join(directory, 'cache'),
    UPLOAD_DIR: join(directory, 'uploads'),
    TMP_BASE: join(directory, 'work'),
    ...settings,
  };
  const log: LogLine[] = [];
  const logger = pino(
    { level: settings['LOG_LEVEL'] ?? 'debug', base: null },
    { write: (line: string) => log.push(JSON.parse(line) as LogLine) },
  );
  const service = await startService(
    loadConfig(env),
    logger,
    environment ?? { ...process.env, JAVA_HOME: await fakeJavaHome() },
  );
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop('the test has ended'));
  onTestFinished(stop);
  const directories = { uploadDir: env.UPLOAD_DIR, tmpBase: env.TMP_BASE };
  return {
    url: `http://127.0.0.1:${service.port}`,
    port: service.port,
    metricsUrl: `http://127.0.0.1:${service.metricsPort ?? 0}`,
    log,
    requests: () => log.filter((line) => 'req' in line),
    files: () => filesIn(directories),
    decoding: () => filesIn(directories).filter((path) => path.endsWith('license.lic')).length,
    stop,
    ...directories,
  };
}

/** A small text in the form of a license file. */
export const LICENSE = Buffer.from('bGljZW5zZQ==\nProduct code: 0000000001002\n');

/** Uploads a license file in a form. */
export function upload(service: { url: string }, file: Buffer = LICENSE, name = '20240115120000.lic'): Test {
  return supertest(service.url).post('/api/decode').attach('license', file, name);
}
