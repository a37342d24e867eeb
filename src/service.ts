import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from './app.js';
import type { Config } from './config.js';
import { createHttpServer } from './http-server.js';
import type { Logger } from './logger.js';
import { createLimitStore } from './limit-store.js';
import { Metrics } from './metrics.js';
import { JvmTuning } from './ring/jvm-tuning.js';
import { Ring } from './ring/ring.js';
import { RingSlots } from './ring/slots.js';
import { Readiness } from './status/readiness.js';
import { InstanceDirectory } from './storage/instance-directory.js';

/** The service can't start; the message tells the operator why and what to do. */
export class StartError extends Error {}

/** Bytes below which a secret for HS256 can be guessed (RFC 7518, section 3.2). */
const MIN_SECRET_BYTES = 32;
/** Milliseconds that aborted decodes get to end ring and remove their files. */
const ABORT_MS = 2000;

export interface Service {
  /** TCP port that the service listens on. */
  port: number;
  /** TCP port of the metrics, when METRICS_PORT is set. */
  metricsPort: number | undefined;
  /** Stops: no new connections, decodes under way are answered, at the latest after SHUTDOWN_TIMEOUT_MS aborted. */
  stop(reason: string): Promise<void>;
  /** Aborts the decodes under way without waiting for them and removes their files. */
  abandon(): void;
}

/**
 * Makes the parts of the service, wires them and listens.
 * @throws {StartError}
 */
export async function startService(
  config: Config,
  log: Logger,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Service> {
  warnAboutSecret(config, log);
  const uploads = await claim('UPLOAD_DIR', config.UPLOAD_DIR, log);
  const work = await claim('TMP_BASE', config.TMP_BASE, log).catch((error: unknown) => {
    uploads.release();
    throw error;
  });
  const limitStore = createLimitStore(config, log);
  const slots = new RingSlots(config.RING_CONCURRENCY, config.RING_QUEUE_LIMIT, (seconds) => {
    metrics.observeWait(seconds);
  });
  const tuning = new JvmTuning({
    enabled: config.RING_JVM_TUNING === 'on',
    cacheDirectory: config.RING_CACHE_DIR,
    language: config.RING_LANG,
    env,
    log,
  });
  const ring = new Ring({
    command: config.RING_CMD,
    language: config.RING_LANG,
    timeoutMs: config.RING_TIMEOUT_MS,
    slots,
    tuning,
    env,
    onRun: (run) => {
      metrics.observeRun(run);
    },
  });
  const readiness = new Readiness({
    ringCommand: config.RING_CMD,
    language: config.RING_LANG,
    ttlSeconds: config.STATUS_TTL_SECONDS,
    onReady: (found) => void tuning.prepare(found),
    env,
    log,
  });
  let stopping = false;
  const metrics = new Metrics({
    queued: () => slots.queued,
    running: () => slots.running,
    ready: () => readiness.ready && !stopping,
    limitShared: () => limitStore?.isShared() ?? false,
  });
  const metricsServer = config.METRICS_PORT === undefined ? undefined : metrics.createServer();

  const release = () => {
    metricsServer?.close();
    limitStore?.close();
    uploads.release();
    work.release();
  };

  const abort = new AbortController();
  const app = createApp({
    config,
    log,
    ring,
    slots,
    readiness,
    metrics,
    uploads,
    work,
    limitStore: limitStore?.store,
    shutdown: abort.signal,
    isStopping: () => stopping,
  });
  const { server, drain } = createHttpServer(app, config.UPLOAD_TIMEOUT_MS, log);
  try {
    await limitStore?.tried;
    await listen(server, 'PORT', config.PORT, config.HOST);
    if (metricsServer) await listen(metricsServer, 'METRICS_PORT', config.METRICS_PORT, config.HOST);
  } catch (error) {
    release();
    throw error;
  }
  readiness.start();
  const port = portOf(server);
  const metricsPort = metricsServer && portOf(metricsServer);
  log.info({ port, metricsPort, concurrency: config.RING_CONCURRENCY }, 'listening');

  return {
    port,
    metricsPort,
    stop: async (reason) => {
      log.info({ reason }, 'stopping');
      stopping = true;
      readiness.stop();
      const drained = drain();
      await Promise.race([drained, sleep(config.SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })]);
      abort.abort();
      await Promise.race([drained, sleep(ABORT_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      release();
      log.info('stopped');
    },
    abandon: () => {
      abort.abort();
      release();
    },
  };
}

async function claim(variable: string, base: string, log: Logger): Promise<InstanceDirectory> {
  try {
    return await InstanceDirectory.claim(base, log);
  } catch (error) {
    throw new StartError(
      `${variable}: can't write to ${base} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}). ` +
        `Make it a directory that user ${process.getuid?.() ?? ''} may write to and that has free space, or set ${variable}.`,
    );
  }
}

function warnAboutSecret({ JWT_SECRET }: Config, log: Logger): void {
  if (!JWT_SECRET) log.warn('JWT_SECRET is not set: no token is valid, every client is limited');
  else if (Buffer.byteLength(JWT_SECRET) < MIN_SECRET_BYTES) {
    log.warn(
      `JWT_SECRET is shorter than ${MIN_SECRET_BYTES} bytes: it can be guessed from a token; use a longer, random one`,
    );
  }
}

async function listen(
  server: Server,
  variable: string,
  port: number | undefined,
  host: string | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  server.once('error', reject);
  server.listen({ port, ...(host !== undefined && { host }) }, () => {
    server.off('error', reject);
    resolve(undefined);
  });
  try {
    await promise;
  } catch (error) {
    throw new StartError(
      `${variable}: can't listen on port ${port} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}). Choose another, or another HOST.`,
    );
  }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
