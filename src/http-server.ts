import { randomUUID } from 'node:crypto';
import {
  createServer,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError } from './errors.js';
import type { Logger } from './logger.js';

/** Milliseconds an idle connection is kept: longer than nginx's upstreams and load balancers keep theirs (60 s), for one that closes first makes them answer 502. */
const KEEP_ALIVE_MS = 65_000;
/** Milliseconds for a request's headers; above the keep-alive, from which it counts in some versions of Node. */
const HEADERS_MS = 66_000;
/** Milliseconds between two looks at the limits above. */
const CHECK_MS = 1_000;
/** Bytes of all headers of a request; a token is the largest of them. */
const MAX_HEADER_BYTES = 16_384;

/** Milliseconds that a connection may rest after the server was told to stop. */
const IDLE_GRACE_MS = 1_000;

export interface HttpServer {
  server: Server;
  /**
   * Takes no new connections and waits until all requests are answered and all connections closed.
   * @returns when that is so
   */
  drain: () => Promise<void>;
}

/**
 * Makes the HTTP server around the app; it does not listen yet.
 * @param requestMs milliseconds that a whole request may take to arrive
 */
export function createHttpServer(app: RequestListener, requestMs: number, log: Logger): HttpServer {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: Math.min(HEADERS_MS, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: CHECK_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });

  let draining = false;
  const unanswered = new Set<ServerResponse>();
  const serve: RequestListener = (req, res) => {
    if (draining) res.setHeader('Connection', 'close');
    unanswered.add(res);
    res.once('close', () => unanswered.delete(res));
    app(req, res);
  };
  server.on('request', serve);
  // curl waits with a large file until it is told to send: the upload middleware does so, after the limit.
  server.on('checkContinue', serve);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && error.code !== 'ECONNRESET') {
      answerBrokenRequest(toHttpError(error.code, requestMs), socket, log);
    } else socket.destroy();
  });

  return {
    server,
    drain: async () => {
      draining = true;
      for (const res of unanswered) if (!res.headersSent) res.setHeader('Connection', 'close');
      const { promise, resolve } = Promise.withResolvers<undefined>();
      // http.Server's own close() ends idle connections at once: a proxy that is just then sending a decode over
      // one of them loses it. So they are asked to close by their next answer first.
      NetServer.prototype.close.call(server, () => {
        resolve(undefined);
      });
      await Promise.race([promise, sleep(IDLE_GRACE_MS, undefined, { ref: false })]);
      const idle = setInterval(() => {
        server.closeIdleConnections();
      }, 50);
      await promise;
      clearInterval(idle);
    },
  };
}

/** Answers, and logs, what never became a request, in the shape of all others. */
function answerBrokenRequest({ code, status, body }: HttpError, socket: Duplex, log: Logger): void {
  const id = randomUUID();
  const json = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(json)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`, () => socket.destroy());
  log.warn({ req: { id }, code, res: { status } }, 'request');
}

function toHttpError(code: string | undefined, requestMs: number): HttpError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('headers_too_large', { values: { bytes: MAX_HEADER_BYTES } });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('request_timeout', { values: { seconds: requestMs / 1000 } });
    default:
      return new HttpError('bad_request');
  }
}
