import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import supertest, { type Test } from 'supertest';
import { beforeEach } from 'vitest';
import { startService } from '../../src/bootstrap.js';
import { loadConfig } from '../../src/config/settings.js';
import type { Closing } from '../../src/http/server.js';
import { fakeJavaHome, fakeRing, type FakeRing } from './fake-ring.js';
import { testSettings, type TestSettings } from './settings.js';
import { atTheEnd, filesIn, isInTest } from './temp.js';

/** Milliseconds instead of seconds, for tests that wait for the end of a connection. */
export const SOON = { lingerMs: 300, graceMs: 300, idleMarginMs: 300 };

export type LogLine = Record<string, unknown>;

export interface TestService {
  url: string;
  port: number;
  metricsUrl: string;
  /** Everything logged so far in this test. */
  log: LogLine[];
  /** Log lines of requests. */
  requests: () => LogLine[];
  /** What lies in the directories for uploads and decodes; empty when nothing was left behind. */
  files: () => string[];
  /** Uploaded licenses whose decode is under way or waits. */
  decoding: () => number;
  /** From now on, in this test, ring does this. */
  setRing: (commands: FakeRing) => Promise<unknown>;
  stop: () => Promise<void>;
  uploadDir: string;
  tmpBase: string;
}

/**
 * Starts the service in this process with {@link testSettings} and a JRE that only tells its version. It stops with the
 * test, or with the file when it is started outside of the tests, which then share it: each begins with an empty log and
 * the ring of the settings.
 */
export async function startTestService(
  settings: TestSettings = {},
  environment?: NodeJS.ProcessEnv,
  closing?: Closing,
): Promise<TestService> {
  const env = { SHUTDOWN_TIMEOUT_MS: '1000', ...(await testSettings(settings)) };
  const log: LogLine[] = [];
  const logger = pino(
    { level: settings['LOG_LEVEL'] ?? 'debug', base: null },
    { write: (line: string) => log.push(JSON.parse(line) as LogLine) },
  );
  const withJava = environment ?? { ...process.env, JAVA_HOME: await fakeJavaHome() };
  const service = await startService(loadConfig(env), logger, withJava, closing);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop('the test has ended'));
  const { RING_CMD = {} } = settings;
  const setRing = (commands: FakeRing) => fakeRing(commands, env.RING_CMD);
  if (!isInTest())
    beforeEach(async () => {
      log.splice(0);
      if (typeof RING_CMD === 'object') await setRing(RING_CMD);
    });
  atTheEnd(async () => {
    // The connections of the test have just ended: a stop that saw them open would give them a second.
    await sleep(20);
    await stop();
  });
  const directories = { uploadDir: env.UPLOAD_DIR, tmpBase: env.TMP_BASE };
  return {
    url: `http://127.0.0.1:${service.port}`,
    port: service.port,
    metricsUrl: `http://127.0.0.1:${service.metricsPort ?? 0}`,
    log,
    requests: () => log.filter((line) => 'res' in line),
    files: () => filesIn(directories),
    decoding: () => filesIn(directories).filter((path) => path.endsWith('license.lic')).length,
    setRing,
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

/** Asks for the status. */
export const getStatus = ({ url }: { url: string }): Test => supertest(url).get('/api/status');

export const isReady = async (service: { url: string }) => (await getStatus(service)).status === 200;
