import type { Server } from 'node:http';
import express from 'express';
import type { Logger } from 'pino';
import type { Registry } from '@prometheus-io/client';
import { errorHandler, notFound } from '../http/error-handler.js';
import { requestLog } from '../http/request-log.js';
import { createHttpServer } from '../http/server.js';

/** Milliseconds for a scrape to arrive, and for its answer; Prometheus gives up after ten seconds. */
const SCRAPE_MS = 10_000;

/** Creates the server of `GET /metrics`, which has a port of its own because the metrics are not for the public. */
export function createMetricsServer(registry: Registry, log: Logger): Server {
  const app = express();
  app.disable('x-powered-by');
  app.use(requestLog(log));
  app.get('/metrics', async (_req, res) => {
    const text = await registry.metrics();
    res.set('Content-Type', registry.contentType).end(text);
  });
  app.use(notFound, errorHandler);
  return createHttpServer(app, SCRAPE_MS, SCRAPE_MS).server;
}
