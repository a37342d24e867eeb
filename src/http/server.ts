import { randomUUID } from 'node:crypto';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '../errors/amounts.js';
import { HttpError } from '../errors/http-error.js';
import { breakRequest } from './broken-request.js';
import { stopTinyChunks, StoppableRequest } from './parser-brakes.js';
import { answerUnreadBody, closeAfterRest, discardRest } from './unread-body.js';

/**
 * Milliseconds that an idle connection is kept. It must be longer than nginx keeps it (60 s): nginx answers 502 when it
 * sends a request over a connection that is just being closed.
 */
const KEEP_ALIVE_MS = 65_000;
/** Milliseconds between checks of the time-outs. */
const CHECK_MS = 1_000;
/** Connections that the system accepts before the process does. Node.js asks for this number by default. */
const BACKLOG = 511;
/** Bytes of all headers of a request; a token is the largest of them. */
export const MAX_HEADER_BYTES = 16_384;

const CLOSING = {
  /** Milliseconds that the rest of a body gets to arrive after its answer; nginx's lingering_timeout is the same. */
  lingerMs: 5_000,
  /**
   * Milliseconds that connections stay open once the service stops, because a proxy may just be sending a request over
   * one of them.
   */
  graceMs: 1_000,
  /**
   * Milliseconds added to the longer of the time-outs for request and answer. A connection that is silent for the sum is
   * closed, because its client does not read the answer.
   */
  idleMarginMs: 5_000,
};
export type Closing = typeof CLOSING;

export interface HttpServer {
  /** Does not listen yet. */
  server: Server;
  /**
   * Stops accepting connections, closes each one after its answer, and the idle ones after {@link Closing.graceMs}.
   * Resolves when all requests are answered.
   */
  drain(): Promise<void>;
}

/**
 * Creates an HTTP server that handles one request at a time on a connection. If a client sends its next request before
 * it has the answer, its connection is closed, as RFC 9112, section 9.3.2, allows. nginx, browsers, curl and HTTP
 * libraries wait for the answer.
 * @param requestMs milliseconds that a whole request may take to arrive
 * @param answerMs milliseconds from the end of a request to its answer
 */
export function createHttpServer(
  handle: RequestListener,
  requestMs: number,
  answerMs: number,
  closing: Closing = CLOSING,
): HttpServer {
  const { lingerMs, graceMs, idleMarginMs } = closing;
  const connections = new Set<Socket>();
  /** The responses that have not been sent whole. */
  const unsent = new Set<ServerResponse>();
  let isDraining = false;

  const server = createServer({
    IncomingMessage: StoppableRequest,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: CHECK_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node.js would refuse a request without Host with an empty body. We refuse it below.
    requireHostHeader: false,
  });
  server.timeout = Math.max(requestMs, answerMs) + idleMarginMs;

  server.on('connection', takeConnection);
  server.on('request', takeRequest);
  // Node.js would answer an expectation that it does not know with a 417 without a body, past the app and its log.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', takeFault);

  function takeConnection(socket: Socket): void {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  }

  function takeRequest(req: IncomingMessage, res: ServerResponse): void {
    // Node.js gives a response its socket only when the response before it has been sent. So this request came too early.
    if (!res.socket) {
      req.socket.destroy();
      return;
    }

    const target = originForm(req.url ?? '');
    if (target === undefined || lacksHost(req)) {
      refuse(new HttpError('bad_request'), req.socket, req, lingerMs);
      return;
    }
    req.url = target;

    unsent.add(res);
    res.once('close', () => unsent.delete(res));
    if (isDraining) res.shouldKeepAlive = false;
    if (hasBody(req)) {
      stopTinyChunks(req, () => req.socket.destroy());
      answerUnreadBody(req, res, lingerMs);
    }
    handle(req, res);
  }

  /** Node.js cannot parse what a client sends, or has waited too long for it. */
  function takeFault({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
    const hasClientGone = code === 'ECONNRESET' || code === 'HPE_INVALID_EOF_STATE';
    if (hasClientGone) {
      socket.destroy();
      return;
    }

    const error = errorOf(code, requestMs);
    const res = unsentOn(socket);
    if (res === undefined) {
      // After a refusal the socket is no longer writable, and each further segment is an error again.
      if (socket.writable) refuse(error, socket, socket, lingerMs);
      return;
    }

    if (res.headersSent) {
      socket.destroy();
      return;
    }

    res.shouldKeepAlive = false;
    if (res.req.complete) {
      // The body is longer than its Content-Length. The app answers what it has. Nothing more is read until then, so a
      // client that goes on sending takes no memory.
      socket.pause();
      closeAfterRest(socket, lingerMs);
    } else {
      // The app knows this request. It answers, with the id of the request, so that answer, log and metrics agree.
      breakRequest(res.req, error);
    }
  }

  async function drain(): Promise<void> {
    isDraining = true;
    for (const res of unsent) res.shouldKeepAlive = false;

    await acceptWaitingConnections();
    stopListening(server);

    if (connections.size > 0) await sleep(graceMs);
    closeIdleConnections();

    for (const res of unsent) await new Promise((resolve) => res.once('close', resolve));
    server.closeAllConnections();
  }

  /**
   * Closes the connections without a request under way, so that no further request can come over them. Node.js has a
   * method for that, but it cuts off answers that are still being sent.
   */
  function closeIdleConnections(): void {
    for (const socket of connections) {
      if (unsentOn(socket) === undefined) socket.destroy();
    }
  }

  /** The response that a connection is still to send, if there is one. */
  function unsentOn(socket: Socket): ServerResponse | undefined {
    return [...unsent].find((response) => response.socket === socket);
  }

  return { server, drain };
}

/** Whether a request lacks the header Host, which HTTP/1.1 demands. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;

  const length = headers['content-length'] ?? '0';
  return length !== '0';
}

/** The error for the caller when Node.js cannot parse a request, or has waited too long for it. */
function errorOf(code: string, requestMs: number): HttpError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('request_timeout', { values: { time: seconds(requestMs / 1000) } });
    default:
      return new HttpError('bad_request');
  }
}

/**
 * Lets the process accept the connections that the system has accepted for it, since those would be reset when it stops
 * listening. Node.js accepts one in each turn of the event loop, so there can be as many turns as the backlog is long.
 */
async function acceptWaitingConnections(): Promise<void> {
  for (let turn = 0; turn < BACKLOG; turn++) await setImmediate();
}

/**
 * Only stops listening. `http.Server` has a `close` of its own that also ends idle connections at once, and a proxy that
 * is just sending a request over one would lose it.
 */
function stopListening(server: Server): void {
  NetServer.prototype.close.call(server);
}

/** Answers a request that never reaches the app, with an error in the usual form, and closes the connection. */
function refuse(error: HttpError, socket: Socket, rest: IncomingMessage | Socket, lingerMs: number): void {
  const json = JSON.stringify(error.body('en'));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    'Content-Language: en',
    `Content-Length: ${Buffer.byteLength(json)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
  discardRest(rest, lingerMs, () => socket.destroySoon());
}

/**
 * The target of a request as path and query. Proxies may send a whole URL (RFC 9112, section 3.2.2), and `OPTIONS *`.
 * @returns undefined when it is no target: Express would answer that itself, in HTML
 */
function originForm(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;

  const url = URL.parse(target);
  if (!url) return undefined;

  const isHttp = /^https?:$/.test(url.protocol);
  if (!isHttp) return undefined;
  return url.pathname + url.search;
}
