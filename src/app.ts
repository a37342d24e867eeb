import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { openApiDocument } from './api-docs/document.js';
import { optionalJwt } from './access/optional-jwt.js';
import type { Config } from './config/settings.js';
import { admitDecodes } from './access/admission.js';
import { decodeController } from './decode/controller.js';
import { pollAfterStorageFault } from './decode/poll-after-storage-fault.js';
import type { Metrics } from './monitoring/metrics.js';
import { allowOrigins, refuseCrossSite } from './http/cross-origin.js';
import { errorHandler, methodNotAllowed, notFound } from './http/error-handler.js';
import { securityHeaders } from './http/headers.js';
import { requestLog } from './http/request-log.js';
import { uploadLicense } from './decode/upload.js';
import { anonymousRateLimit, tellQuota } from './access/anonymous-rate-limit.js';
import type { LimitStore } from './access/limit-store.js';
import type { Ring } from './ring/ring.js';
import type { InstallationMonitor } from './ring/installation/monitor.js';
import { statusOf } from './status/status.js';
import type { TemporaryStorage } from './storage/temporary-storage.js';
import { notFoundPage, webPages } from './web/routes.js';

/** The parts of the service that the routes use. `bootstrap.ts` creates them. */
export interface AppDependencies {
  config: Config;
  log: Logger;
  ring: Ring;
  monitor: InstallationMonitor;
  metrics: Metrics;
  limitStore: LimitStore;
  storage: TemporaryStorage;
  /** Aborts when the service stops and can no longer wait for decodes. */
  aborting: AbortSignal;
}

/** Creates the app. The order of these lines is the request pipeline. */
export function createApp(dependencies: AppDependencies): Express {
  const { config, log, ring, monitor, metrics, limitStore, storage, aborting } = dependencies;
  const decodesAtOnce = config.RING_QUEUE_LIMIT + config.RING_CONCURRENCY;
  const app = express();
  app.set('trust proxy', config.TRUST_PROXY);
  app.set('query parser', false);
  app.disable('x-powered-by');
  // Answers with personal data are never cached, so nobody needs a hash of them.
  app.disable('etag');

  app.use(requestLog(log));
  app.use(securityHeaders);
  app.use('/api', allowOrigins(config.CORS_ORIGINS));
  const token = optionalJwt(config.JWT_SECRET);

  app.post(
    '/api/decode',
    metrics.observeDecodes(),
    refuseCrossSite(config.CORS_ORIGINS),
    token,
    admitDecodes(decodesAtOnce),
    anonymousRateLimit(config, limitStore, log),
    pollAfterStorageFault(monitor),
    uploadLicense(storage, aborting),
    decodeController({ ring, storage, timeoutMs: config.DECODE_TIMEOUT_MS, aborting }),
  );
  app.all('/api/decode', methodNotAllowed('POST'));

  app.get('/healthz', (_req, res) => void res.json({ alive: true }));
  app.all('/healthz', methodNotAllowed('GET, HEAD'));

  app.get('/api/status', token, tellQuota(config, limitStore), async (_req, res) => {
    const status = await statusOf(monitor);
    const httpStatus = status.ready ? 200 : 503;
    res.status(httpStatus).json(status);
  });
  app.all('/api/status', methodNotAllowed('GET, HEAD'));

  const document = openApiDocument(config);
  app.get('/api/docs', (_req, res) => void res.json(document));
  app.all('/api/docs', methodNotAllowed('GET, HEAD'));

  if (config.WEB_UI === 'on') {
    app.use(webPages(config));
    app.use(notFoundPage());
  }

  app.use(notFound);
  app.use(errorHandler);
  return app;
}
