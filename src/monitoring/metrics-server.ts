import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { createHttpServer } from '../http/server.js';

/** Milliseconds for a scrape to arrive, and for its answer; Prometheus gives up after ten seconds. */
const SCRAPE_MS = 10_000;

/** Creates the server of `GET /metrics`. It has a port of its own, because the metrics are not for the public. */
export function createMetricsServer(registry: Registry): Server {
  const { server } = createHttpServer(
    (req, res) => {
      const path = req.url?.split('?', 1)[0];
      if ((req.method !== 'GET' && req.method !== 'HEAD') || path !== '/metrics') {
        res.writeHead(404).end();
        return;
      }
      registry.metrics().then(
        (text) => res.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
        () => res.writeHead(500).end(),
      );
    },
    SCRAPE_MS,
    SCRAPE_MS,
  );
  return server;
}
