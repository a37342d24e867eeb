import express, { type Express, type RequestHandler } from 'express';
import type { Store } from 'express-rate-limit';
import helmet from 'helmet';
import type { Config } from './config.js';
import { decodeController, queueFullError } from './decode/controller.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { errorHandler, methodNotAllowed, notFound } from './middleware/error-handler.js';
import { optionalJwt } from './middleware/optional-jwt.js';
import { anonymousRateLimit } from './middleware/rate-limit.js';
import { requestLog } from './middleware/request-log.js';
import { uploadLicense } from './middleware/upload.js';
import { openApiDocument } from './openapi/document.js';
import { docsPage } from './openapi/page.js';
import type { Ring } from './ring/ring.js';
import type { RingSlots } from './ring/slots.js';
import type { Readiness } from './status/readiness.js';
import { statusRoute } from './status/route.js';
import type { InstanceDirectory } from './storage/instance-directory.js';

/** What the routes work with; `service.ts` makes and ends it. */
export interface AppParts {
  config: Config;
  log: Logger;
  ring: Ring;
  slots: RingSlots;
  readiness: Readiness;
  metrics: Metrics;
  uploads: InstanceDirectory;
  work: InstanceDirectory;
  limitStore: Store | undefined;
  /** Aborts when decodes under way may go on no longer. */
  shutdown: AbortSignal;
  /** True from the moment the service is told to stop. */
  isStopping: () => boolean;
}

/** Wires the service: the order of these lines is the way of a request. */
export function createApp(parts: AppParts): Express {
  const { config, log } = parts;
  const app = express();
  app.set('trust proxy', config.TRUST_PROXY);
  app.set('query parser', false);
  app.disable('x-powered-by');
  // An ETag would only cost a hash over personal data that nobody may cache.
  app.disable('etag');

  app.use(requestLog(log));
  app.use(helmet());

  app.get('/healthz', (_req, res) => void res.json({ alive: true }));
  app.all('/healthz', methodNotAllowed('GET, HEAD'));

  app.get('/api/status', statusRoute(parts.readiness, parts.isStopping));
  app.all('/api/status', methodNotAllowed('GET, HEAD'));

  const document = openApiDocument(config);
  app.get('/api/docs', (_req, res) => void res.json(document));
  app.all('/api/docs', methodNotAllowed('GET, HEAD'));

  app.get('/', (_req, res) => {
    res.redirect('/docs');
  });
  app.all('/', methodNotAllowed('GET, HEAD'));
  app.use('/docs', docsPage());

  app.use('/api/decode', noStore);
  app.post(
    '/api/decode',
    parts.metrics.observeDecodes(),
    optionalJwt(config.JWT_SECRET),
    anonymousRateLimit({
      max: config.RATE_LIMIT_MAX,
      windowSeconds: config.RATE_LIMIT_WINDOW_SECONDS,
      store: parts.limitStore,
      log,
    }),
    admit(parts),
    uploadLicense(parts.uploads),
    decodeController({
      ring: parts.ring,
      work: parts.work,
      timeoutMs: config.DECODE_TIMEOUT_MS,
      shutdown: parts.shutdown,
      log,
    }),
  );
  app.all('/api/decode', methodNotAllowed('POST'));

  app.use(notFound);
  app.use(errorHandler);
  return app;
}

/** Licences hold personal data. */
const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

/** Refuses, before the upload is read, what could not be decoded anyway. */
function admit({ slots }: AppParts): RequestHandler {
  return (_req, _res, next) => {
    if (slots.full) throw queueFullError();
    next();
  };
}
