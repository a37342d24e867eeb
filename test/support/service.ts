import { join } from 'node:path';
import { pino } from 'pino';
import supertest, { type Test } from 'supertest';
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { startService } from '../../src/service.js';
import { filesOf } from './spawned-service.js';
import { tempDirectory } from './temp.js';

export interface TestService {
  url: string;
  port: number;
  /** Everything logged so far, as JSON objects. */
  log: Record<string, unknown>[];
  /** What lies in the directories for uploads and decodes; empty when nothing was left behind. */
  files: () => string[];
  stop: () => Promise<void>;
  uploadDir: string;
  tmpBase: string;
}

/**
 * Starts the real service on a free port, with directories of its own and no limit worth mentioning, and
 * stops it when the test has ended.
 */
export async function startTestService(
  settings: Record<string, string>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<TestService> {
  const directory = await tempDirectory();
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT_MAX: '100000',
    RING_JVM_TUNING: 'off',
    RING_CACHE_DIR: join(directory, 'cache'),
    UPLOAD_DIR: join(directory, 'uploads'),
    TMP_BASE: join(directory, 'work'),
    ...settings,
  };
  const log: Record<string, unknown>[] = [];
  const logger = pino(
    { level: settings['LOG_LEVEL'] ?? 'debug', base: null },
    { write: (line: string) => log.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const service = await startService(loadConfig(env), logger, environment);
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await service.stop('the test has ended');
  };
  onTestFinished(stop);
  return {
    url: `http://127.0.0.1:${service.port}`,
    port: service.port,
    log,
    stop,
    uploadDir: env.UPLOAD_DIR,
    tmpBase: env.TMP_BASE,
    files: () => filesOf({ uploadDir: env.UPLOAD_DIR, tmpBase: env.TMP_BASE }),
  };
}

/** A small text in the form of a licence file. */
export const LICENSE = Buffer.from('bGljZW5zZQ==\nProduct code: 0000000001002\n');

/** Uploads a licence file the way curl does. */
export function upload(service: { url: string }, file: Buffer = LICENSE, name = '20240115120000.lic'): Test {
  return supertest(service.url).post('/api/decode').attach('license', file, name);
}

/** Waits until the check holds; for what happens a moment after an answer, such as the end of a process. */
export async function eventually(check: () => boolean | Promise<boolean>, withinMs = 5000): Promise<boolean> {
  const end = Date.now() + withinMs;
  while (Date.now() < end) {
    if (await check()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return check();
}
