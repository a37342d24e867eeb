import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Logger } from 'pino';
import { HttpError } from '../errors/http-error.js';
import { Connections } from './connections.js';
import { refuseConnection } from './refuse-connection.js';
import { boundBody } from './request-body.js';

/** Milliseconds an idle connection is kept: longer than proxies keep theirs (nginx: 60 s). If we closed first, a proxy could send a request over a closing connection and answer 502. */
const KEEP_ALIVE_MS = 65_000;
/** Milliseconds between checks of these limits. */
const CHECK_MS = 1_000;
/** Milliseconds on top of the other time-outs after which a connection without traffic is closed: its client does not read. */
const IDLE_MARGIN_MS = 5_000;
/** Bytes of all headers of a request; a token is the largest of them. */
const MAX_HEADER_BYTES = 16_384;

export interface HttpServerOptions {
  /** Milliseconds a whole request may take to arrive. */
  requestMs: number;
  /** Milliseconds from the end of a request to its answer. */
  answerMs: number;
  /** Aborts when the service begins to stop: from then on each answer closes its connection. */
  draining: AbortSignal;
  log: Logger;
}

export interface HttpServer {
  server: Server;
  /** Resolves when, after `draining`, all requests are answered and all connections closed. */
  drained: Promise<unknown>;
}

/** Creates the HTTP server of the app; it does not listen yet. */
export function createHttpServer(app: RequestListener, options: HttpServerOptions): HttpServer {
  const { requestMs, answerMs, draining, log } = options;
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

  const refuse = refuseConnection(log);
  const connections = new Connections(server, (req, res) => {
    const target = originForm(req.url ?? '');
    if (target === undefined) {
      refuse(new HttpError('bad_request'), req.socket);
      return;
    }
    req.url = target;
    if (draining.aborted) res.setHeader('Connection', 'close');
    boundBody(req, res);
    app(req, res);
  });

  const errorOf = ({ code }: NodeJS.ErrnoException): HttpError => {
    switch (code) {
      case 'HPE_HEADER_OVERFLOW':
        return new HttpError('headers_too_large', { values: { bytes: MAX_HEADER_BYTES } });
      case 'ERR_HTTP_REQUEST_TIMEOUT':
        return new HttpError('request_timeout', { values: { seconds: requestMs / 1000 } });
      default:
        return new HttpError('bad_request');
    }
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else connections.onBrokenRequest(socket, () => refuse(errorOf(error), socket));
  });

  const { promise: drained, resolve } = Promise.withResolvers<unknown>();
  draining.addEventListener('abort', () => {
    // http.Server's close() ends idle connections at once, and a proxy that is just sending a decode over one loses
    // it. So each connection first gets the chance to be closed by its next answer.
    resolve(connections.drain((done) => NetServer.prototype.close.call(server, done)));
  });
  return { server, drained };
}

/**
 * The target of a request as path and query. Proxies may send a whole URL (RFC 9112, section 3.2.2), and `OPTIONS *`.
 * @returns undefined when it is no target: Express would answer that itself, unlogged
 */
function originForm(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  const url = URL.parse(target);
  return url && /^https?:$/.test(url.protocol) ? url.pathname + url.search : undefined;
}
