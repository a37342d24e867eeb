import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createApp } from './app.js';
import { ringTimeoutMs, type Config } from './config/settings.js';
import { warnAboutSettings } from './config/warnings.js';
import { StartError } from './errors/start-error.js';
import { createHttpServer, type Closing } from './http/server.js';
import { watchLicenseFolders } from './license-folders/folder-metrics.js';
import { Metrics, type MetricSources } from './monitoring/metrics.js';
import { createMetricsServer } from './monitoring/metrics-server.js';
import { MemoryStore } from './access/memory-store.js';
import { Ring } from './ring/ring.js';
import { InstallationMonitor } from './ring/installation/monitor.js';
import { canDecode } from './ring/installation/poll-result.js';
import { ClassArchive } from './ring/jvm/class-archive.js';
import { RingSlots } from './ring/slots.js';
import { pollLog } from './status/poll-log.js';
import { exposureOf } from './storage/private-directory.js';
import { openTemporaryStorage, type TemporaryStorage } from './storage/temporary-storage.js';

/** Milliseconds that aborted decodes get to stop ring and remove their files. */
const ABORT_MS = 2000;

/** The service while it runs, as `server.ts` and the demo end it. */
export interface Service {
  /** `::` or `0.0.0.0` when it listens on all addresses. */
  address: string;
  port: number;
  /** Undefined when METRICS_PORT is not set. */
  metricsPort: number | undefined;
  readonly isStopping: boolean;
  /** Stops accepting, answers the decodes in progress, and aborts them after SHUTDOWN_TIMEOUT_MS. */
  stop(reason: string): Promise<void>;
  /** Aborts the decodes in progress without waiting for them and removes their files. */
  forceStop(): void;
}

/**
 * Creates the parts of the service, connects them and listens.
 * @throws {StartError} after which nothing listens
 */
export async function startService(
  config: Config,
  log: Logger,
  env: NodeJS.ProcessEnv = process.env,
  closing?: Closing,
): Promise<Service> {
  const { UPLOAD_DIR, TMP_BASE, UPLOAD_TIMEOUT_MS, DECODE_TIMEOUT_MS } = config;
  warnAboutSettings(config, env, log);

  const windowMs = config.RATE_LIMIT_WINDOW_SECONDS * 1000;
  const redis = await redisStore(config, windowMs, log);
  const storage = await openTemporaryStorage({
    UPLOAD_DIR,
    TMP_BASE,
    requestMs: UPLOAD_TIMEOUT_MS + DECODE_TIMEOUT_MS,
    log,
  });
  const decoder = createDecoder(config, log, env, redis, storage);
  const { monitor, metrics } = decoder;

  /** Aborts when the stop can no longer wait for uploads and decodes. */
  const aborting = new AbortController();
  const app = createApp({
    ...decoder,
    config,
    log,
    limitStore: redis ?? new MemoryStore(windowMs),
    storage,
    aborting: aborting.signal,
  });
  const http = createHttpServer(app, UPLOAD_TIMEOUT_MS, DECODE_TIMEOUT_MS, closing);
  const metricsServer = createMetricsServer(metrics.registry, log);
  if (config.METRICS_PORT !== undefined) metrics.observeProcess();
  if (redis) await redis.connect();

  /** Ends everything that would keep the process alive, and removes the files of all uploads and decodes. */
  const close = () => {
    for (const server of [http.server, metricsServer]) {
      server.close();
      server.closeAllConnections();
    }
    redis?.shutdown();
    storage.closeAndRemoveFiles();
  };

  let address: AddressInfo;
  let metricsPort: number | undefined;
  try {
    metricsPort = await listenForMetrics(metricsServer, config, log);
    address = await listen(http.server, config, 'PORT', 'HOST');
  } catch (error) {
    close();
    throw error;
  }

  /** Aborts as soon as the stop begins. */
  const draining = new AbortController();
  void monitor.poll();
  if (config.LICENSES_DIR.length > 0) {
    watchLicenseFolders(config.LICENSES_DIR, metrics.registry, log, draining.signal);
  }

  return {
    address: address.address,
    port: address.port,
    metricsPort,
    get isStopping() {
      return draining.signal.aborted;
    },
    stop: async (reason) => {
      log.info({ reason }, 'stopping');
      monitor.stop();
      draining.abort();

      const drained = http.drain();
      await waitAtMost(config.SHUTDOWN_TIMEOUT_MS, drained);

      aborting.abort();
      await waitAtMost(ABORT_MS, drained);

      close();
      // A response whose connection was closed just now is logged and counted a moment later, on its event `close`.
      // `drained` waits for these events.
      await waitAtMost(ABORT_MS, drained);
      log.info('stopped');
    },
    forceStop: () => {
      aborting.abort();
      close();
    },
  };
}

/**
 * Listens where the given settings say.
 * @returns the address, with the port that was taken where the setting is 0
 * @throws {StartError} that names the setting at fault
 */
async function listen(
  server: Server,
  config: Config,
  portSetting: 'PORT' | 'METRICS_PORT',
  hostSetting: 'HOST' | 'METRICS_HOST',
): Promise<AddressInfo> {
  const port = config[portSetting];
  const host = config[hostSetting];
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    const isFaultOfPort = code === 'EADDRINUSE' || code === 'EACCES';
    if (isFaultOfPort || host === undefined) {
      throw new StartError(
        `${portSetting}: cannot listen on ${host ?? '*'}:${port} (${code}). Choose another port.`,
      );
    }

    throw new StartError(
      `${hostSetting}: cannot listen on ${host} (${code}). ` +
        'Set it to an address of this machine, or leave it empty to listen on all.',
    );
  }
  return server.address() as AddressInfo;
}

/** The address of a server that listens on all of them: that of IPv6 or, on a machine without IPv6, that of IPv4. */
const EVERY_ADDRESS = ['::', '0.0.0.0'];

/** @returns the port; undefined without METRICS_PORT */
async function listenForMetrics(server: Server, config: Config, log: Logger): Promise<number | undefined> {
  const { METRICS_PORT, METRICS_HOST, LICENSES_DIR } = config;
  if (METRICS_PORT === undefined) return undefined;

  const hostSetting = METRICS_HOST === undefined ? 'HOST' : 'METRICS_HOST';
  const { address, port } = await listen(server, config, 'METRICS_PORT', hostSetting);
  log.info({ address, port }, 'GET /metrics listens');

  // Nobody needs a password to read the metrics, and with LICENSES_DIR they have registration numbers and computers.
  const showsLicenses = LICENSES_DIR.length > 0;
  if (showsLicenses && EVERY_ADDRESS.includes(address)) {
    log.warn(
      'GET /metrics shows licenses on every address: set METRICS_HOST, or let only Prometheus reach it',
    );
  }
  return port;
}

/** Waits for a promise, but no longer than so many milliseconds. */
async function waitAtMost(ms: number, promise: Promise<unknown>): Promise<void> {
  await Promise.race([promise, sleep(ms, undefined, { ref: false })]);
}

/** @returns undefined without REDIS_URL; then the limit is counted in memory */
async function redisStore({ REDIS_URL, RATE_LIMIT_MAX }: Config, windowMs: number, log: Logger) {
  if (REDIS_URL === undefined) {
    log.info('REDIS_URL is not set: each replica limits for itself');
    return undefined;
  }

  // To load the client of Redis takes a third of the start, so it is only loaded where there is a Redis.
  const { RedisStore } = await import('./access/redis-store.js');
  return new RedisStore(REDIS_URL, windowMs, RATE_LIMIT_MAX, log);
}

/** Creates the parts that decode, each from those before it. */
function createDecoder(
  config: Config,
  log: Logger,
  env: NodeJS.ProcessEnv,
  redis: MetricSources['redis'],
  storage: TemporaryStorage,
) {
  const settings = {
    command: config.RING_CMD,
    module: config.RING_MODULE,
    language: config.RING_LANG,
    jvmTuning: config.RING_JVM_TUNING === 'on',
    env,
  };
  const slots = new RingSlots(config.RING_CONCURRENCY);

  const archive = new ClassArchive({
    ...settings,
    newDirectory: () => storage.newArchive(),
    exposureOf,
    log,
    // A decode may wait behind this run. It then has half of its time left.
    dumpMs: Math.round(config.DECODE_TIMEOUT_MS / 2),
    runInSlot: (task, signal) => slots.use({ priority: 'normal', client: 'class archive', signal }, task),
  });
  const logPoll = pollLog(log, settings.command);
  const monitor = new InstallationMonitor({
    ...settings,
    ttlSeconds: config.STATUS_TTL_SECONDS,
    findStorageProblem: () => storage.findProblem(),
    onPoll: (result, found, signal) => {
      logPoll(result, found);
      if (canDecode(result)) void archive.prepare(result, signal);
    },
    log,
  });
  const metrics = new Metrics({
    slots,
    monitor,
    queueLimit: config.RING_QUEUE_LIMIT,
    redis,
  });
  const ring = new Ring({
    monitor,
    archive,
    timeoutMs: ringTimeoutMs(config),
    slots,
    onWait: (seconds) => metrics.observeWait(seconds),
    onRun: (run) => metrics.observeRun(run),
  });
  return { ring, monitor, metrics };
}
