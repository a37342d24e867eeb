import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createApp } from './app.js';
import { isQuoted, MIN_SECRET_BYTES, mistypedSettings, type Config } from './config/settings.js';
import { StartError } from './errors/start-error.js';
import { createHttpServer, type Closing } from './http/server.js';
import { Metrics, type MetricSources } from './monitoring/metrics.js';
import { watchLicenseFolders } from './monitoring/license-folders.js';
import { createMetricsServer } from './monitoring/metrics-server.js';
import { installationLog } from './monitoring/status.js';
import { BoundedMemoryStore } from './access/memory-store.js';
import { Ring } from './ring/ring.js';
import { InstallationMonitor } from './ring/installation/monitor.js';
import { JvmTuning } from './ring/jvm/tuning.js';
import { RingSlots } from './ring/slots.js';
import { exposuresOf, trustedDirectory } from './storage/private-directory.js';
import { openTemporaryStorage } from './storage/temporary-storage.js';

/** Milliseconds that aborted decodes get to stop ring and remove their files. */
const ABORT_MS = 2000;

export interface Service {
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
  warnAboutSecret(config, log);
  const unknown = mistypedSettings(env);
  if (unknown.length > 0) log.warn({ unknown }, 'these are no settings: are they mistyped?');
  const aborting = new AbortController();
  const redis = config.REDIS_URL === undefined ? undefined : await redisStore(config.REDIS_URL, log);
  const parts = createDecoder(config, log, env, redis);
  const { monitor, metrics } = parts;
  const requestMs = config.UPLOAD_TIMEOUT_MS + config.DECODE_TIMEOUT_MS;
  const storage = await openTemporaryStorage({ ...config, requestMs, log });
  const limitStore = redis ?? new BoundedMemoryStore();
  const app = createApp({ config, log, ...parts, limitStore, storage, aborting: aborting.signal });
  const http = createHttpServer(app, config.UPLOAD_TIMEOUT_MS, config.DECODE_TIMEOUT_MS, closing);
  const { server } = http;
  const metricsServer = createMetricsServer(metrics.registry, log);
  if (config.METRICS_PORT !== undefined) metrics.observeProcess();
  const close = () => {
    server.close();
    server.closeAllConnections();
    metricsServer.close();
    metricsServer.closeAllConnections();
    redis?.shutdown();
    storage.close();
  };
  if (redis) await redis.connect();
  else log.info('REDIS_URL is not set: each replica limits for itself');
  const { HOST, PORT, METRICS_HOST = HOST, METRICS_PORT } = config;
  const ports: Pick<Service, 'port' | 'metricsPort'> = { port: PORT, metricsPort: METRICS_PORT };
  try {
    if (METRICS_PORT !== undefined)
      ports.metricsPort = await listen(metricsServer, 'METRICS_PORT', METRICS_PORT, METRICS_HOST);
    ports.port = await listen(server, 'PORT', PORT, HOST);
  } catch (error) {
    close();
    throw error;
  }
  if (METRICS_PORT !== undefined) logMetricsAddress(metricsServer, config, log);
  void monitor.poll();
  const { LICENSES_DIR } = config;
  const stopping = new AbortController();
  if (LICENSES_DIR.length > 0) watchLicenseFolders(LICENSES_DIR, metrics.registry, log, stopping.signal);

  return {
    ...ports,
    get isStopping() {
      return stopping.signal.aborted;
    },
    stop: async (reason) => {
      log.info({ reason }, 'stopping');
      monitor.stop();
      stopping.abort();
      const drained = http.drain();
      await within(config.SHUTDOWN_TIMEOUT_MS, drained);
      aborting.abort();
      await within(ABORT_MS, drained);
      close();
      // A response is logged and counted a moment after its connection was closed.
      await within(ABORT_MS, drained);
      log.info('stopped');
    },
    forceStop: () => {
      aborting.abort();
      close();
    },
  };
}

/** @returns the port, which differs where 0 was asked for */
async function listen(server: Server, variable: string, port: number, host?: string): Promise<number> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new StartError(
      `${variable}: cannot listen on ${host ?? '*'}:${port} (${code}). ` +
        'Choose another port, or set HOST and METRICS_HOST to addresses of this machine.',
    );
  }
  return (server.address() as AddressInfo).port;
}

async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  await Promise.race([promise, sleep(ms, undefined, { ref: false })]);
}

/** Loads the client of Redis only where there is one: it takes a third of the start. */
async function redisStore(url: string, log: Logger) {
  const { RedisStore } = await import('./access/redis-store.js');
  return new RedisStore(url, log);
}

/** Creates the parts that decode, each from those before it. */
function createDecoder(config: Config, log: Logger, env: NodeJS.ProcessEnv, redis: MetricSources['redis']) {
  const { RING_CMD: command, RING_MODULE: module, RING_LANG: language } = config;
  const settings = { command, module, language, env };
  const slots = new RingSlots(config.RING_CONCURRENCY);
  const tuning = new JvmTuning({
    ...settings,
    enabled: config.RING_JVM_TUNING === 'on',
    openCache: () => trustedDirectory(config.RING_CACHE_DIR),
    exposuresOf,
    log,
    // A decode that waits for its slot has half of its time left.
    dumpMs: config.DECODE_TIMEOUT_MS / 2,
    // Polls of a ready installation are ten times as many seconds apart, so each of them tries again.
    retryMs: config.STATUS_TTL_SECONDS * 9_000,
    runInSlot: (task, signal) => slots.use({ priority: 'normal', client: 'JVM tuning', signal }, task),
  });
  const monitor = new InstallationMonitor({
    ...settings,
    ttlSeconds: config.STATUS_TTL_SECONDS,
    tuning,
    onPoll: installationLog(log, command, tuning.enabled),
    log,
  });
  const metrics = new Metrics({ slots, monitor, queueLimit: config.RING_QUEUE_LIMIT, redis });
  const timeoutMs = config.RING_TIMEOUT_MS;
  const ring = new Ring({ monitor, timeoutMs, slots, onRun: (run) => metrics.observeRun(run) });
  return { ring, monitor, metrics };
}

/** What servers listen on that are not told an address: every one, of IPv6 or, without it, of IPv4. */
const EVERY_ADDRESS = ['::', '0.0.0.0'];

/** Nobody needs a password to read the metrics, and with LICENSES_DIR they show registration numbers and computers. */
function logMetricsAddress(metricsServer: Server, { LICENSES_DIR }: Config, log: Logger): void {
  const { address, port } = metricsServer.address() as AddressInfo;
  log.info({ address, port }, 'GET /metrics listens');
  if (LICENSES_DIR.length > 0 && EVERY_ADDRESS.includes(address)) {
    log.warn(
      'GET /metrics shows licenses on every address: set METRICS_HOST, or let only Prometheus reach it',
    );
  }
}

function warnAboutSecret({ JWT_SECRET }: Config, log: Logger): void {
  if (!JWT_SECRET) log.warn('JWT_SECRET is not set: no token is accepted, every client is limited');
  else if (Buffer.byteLength(JWT_SECRET) < MIN_SECRET_BYTES) {
    log.warn(
      `JWT_SECRET is shorter than ${MIN_SECRET_BYTES} bytes: with any token it can be guessed in seconds; use what the command secret prints`,
    );
  }
  if (JWT_SECRET && isQuoted(JWT_SECRET)) log.warn('JWT_SECRET stands in quotes, which are part of it here');
}
