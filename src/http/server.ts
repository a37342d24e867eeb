import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { limitPipelining, limitTinyChunks, type Unanswered } from './connection-limits.js';
import { parserFaults } from './parser-faults.js';

/** Milliseconds an idle connection is kept: longer than proxies keep theirs (nginx: 60 s). If we closed first, a proxy could send a request over a closing connection and answer 502. */
const KEEP_ALIVE_MS = 65_000;
/** Milliseconds between checks of these limits. */
const CHECK_MS = 1_000;
/** Milliseconds on top of the other time-outs after which a connection without traffic is closed: its client does not read. */
const IDLE_MARGIN_MS = 5_000;
/** Bytes of all headers of a request; a token is the largest of them. */
const MAX_HEADER_BYTES = 16_384;
/** Milliseconds an idle connection is kept after the server was told to stop. */
const IDLE_GRACE_MS = 1_000;

export interface HttpServerOptions {
  /** Milliseconds a whole request may take to arrive. */
  requestMs: number;
  /** Milliseconds from the end of a request to its answer. */
  answerMs: number;
  log: Logger;
}

export interface HttpServer {
  server: Server;
  /** Accepts no new connections; resolves when all requests are answered and all connections closed. */
  drain: () => Promise<void>;
}

/** Creates the HTTP server of the app; it does not listen yet. */
export function createHttpServer(app: RequestListener, options: HttpServerOptions): HttpServer {
  const { requestMs, answerMs, log } = options;
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: CHECK_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The app refuses a request without Host, with a body that says why.
    requireHostHeader: false,
  });
  server.timeout = Math.max(requestMs, answerMs) + IDLE_MARGIN_MS;

  let draining = false;
  const connections: Unanswered = new Map();
  const serve = limitPipelining((req, res) => {
    if (draining) res.setHeader('Connection', 'close');
    limitTinyChunks(req);
    app(req, res);
  }, connections);
  server.on('request', serve);
  // curl holds a large file back until it is told to send it; the upload middleware does that, after the limit.
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);

  const answerFault = parserFaults({ requestMs, maxHeaderBytes: MAX_HEADER_BYTES, log });
  const broken = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (broken.has(socket)) return;
    broken.add(socket);
    const unanswered = [...(connections.get(socket) ?? [])];
    // Requests that arrived whole before the fault are answered first.
    const last = unanswered.findLast(({ req }) => req.complete);
    const isAnswered = unanswered.some(({ req, headersSent }) => !req.complete && headersSent);
    const end = () => {
      if (isAnswered) socket.destroy();
      else answerFault(error, socket);
    };
    if (last) last.once('close', end);
    else end();
  });

  const drain = async () => {
    draining = true;
    for (const unanswered of connections.values()) {
      for (const res of unanswered) if (!res.headersSent) res.setHeader('Connection', 'close');
    }
    const { promise, resolve } = Promise.withResolvers<undefined>();
    // http.Server's close() ends idle connections at once, and a proxy that is just sending a decode over one loses
    // it. So each connection first gets the chance to be closed by its next answer.
    NetServer.prototype.close.call(server, () => resolve(undefined));
    const graceEnd = performance.now() + IDLE_GRACE_MS;
    const idle = setInterval(() => {
      if (performance.now() > graceEnd) server.closeIdleConnections();
    }, 50);
    await promise;
    clearInterval(idle);
  };
  return { server, drain };
}
