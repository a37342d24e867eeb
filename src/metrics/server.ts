import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import { Connections } from '../http/connections.js';

/** Milliseconds without traffic after which a connection is closed; Prometheus scrapes at least every minute. */
const IDLE_MS = 65_000;

/** Creates the server of `GET /metrics`. It has a port of its own, because the metrics are not for the public. */
export function createMetricsServer(registry: Registry): Server {
  const server = createServer();
  server.timeout = IDLE_MS;
  new Connections(server, (req, res) => {
    const path = req.url?.split('?', 1)[0];
    if ((req.method !== 'GET' && req.method !== 'HEAD') || path !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => res.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  });
  return server;
}
