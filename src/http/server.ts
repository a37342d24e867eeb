import { randomUUID } from 'node:crypto';
import {
  createServer,
  IncomingMessage,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { finished, type Readable } from 'node:stream';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HttpError } from '../errors/http-error.js';

/** Milliseconds an idle connection is kept: longer than by nginx (60 s), which answers 502 if it uses a closing one. */
const KEEP_ALIVE_MS = 65_000;
/** Milliseconds between checks of the time-outs. */
const CHECK_MS = 1_000;
/** Connections that the system accepts before the process does, as Node.js asks for. */
const BACKLOG = 511;
/** Chunks that a body may come in before their size counts; each costs the parser as much as a large one. */
const FREE_CHUNKS = 5_000;
/** Average bytes below which the chunks count as tiny. */
const TINY_CHUNK_BYTES = 64;
/** Bytes of all headers of a request; a token is the largest of them. */
const MAX_HEADER_BYTES = 16_384;

const CLOSING = {
  /** Milliseconds the rest of a body gets to arrive after its answer; nginx's lingering_timeout is the same. */
  lingerMs: 5_000,
  /** Milliseconds a proxy may still send over the connections it has, once the service stops. */
  graceMs: 1_000,
  /** Milliseconds after the other time-outs until a connection without traffic is closed: its client does not read. */
  idleMs: 5_000,
};
export type Closing = typeof CLOSING;

const BROKEN = 'broken';
/** The requests whose rest cannot come, and the error for the caller. */
const brokenRequests = new WeakMap<IncomingMessage, HttpError>();

/**
 * Tells the one who reads a request's body that the rest of it cannot come, because it is malformed or too late. Whoever
 * asks answers with the error. It may be known already: the body may break before anybody reads it.
 */
export function onBroken(req: IncomingMessage, giveUp: (error: HttpError) => void): void {
  const error = brokenRequests.get(req);
  if (error) giveUp(error);
  else req.once(BROKEN, giveUp);
}
/** Event of a response whose answer is ready, though the body of its request may still arrive. */
export const DECIDED = 'decided';

export interface HttpServer {
  /** Does not listen yet. */
  server: Server;
  /** Accepts no more connections and lets each answer close its own. Resolves when all requests are answered. */
  drain(): Promise<void>;
}

/**
 * Creates an HTTP server that handles one request at a time on a connection. A connection on which the next request
 * arrives before the answer is closed (RFC 9112, section 9.3.2): nginx, browsers, curl and HTTP libraries wait.
 * @param requestMs milliseconds a whole request may take to arrive
 * @param answerMs milliseconds from the end of a request to its answer
 */
export function createHttpServer(
  handle: RequestListener,
  requestMs: number,
  answerMs: number,
  { lingerMs, graceMs, idleMs }: Closing = CLOSING,
): HttpServer {
  const unsent = new Set<ServerResponse>();
  let isDraining = false;
  const server = createServer({
    IncomingMessage: StoppableRequest,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: CHECK_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node.js would refuse a request without Host with an empty body.
    requireHostHeader: false,
  });
  server.timeout = Math.max(requestMs, answerMs) + idleMs;

  server.on('request', (req, res) => {
    // Node.js gives a response its socket when the one before it has been sent.
    if (!res.socket) {
      req.socket.destroy();
      return;
    }
    const target = originForm(req.url ?? '');
    if (target === undefined || (req.httpVersion === '1.1' && req.headers.host === undefined)) {
      refuse(new HttpError('bad_request'), req.socket, req, lingerMs);
      return;
    }
    req.url = target;
    unsent.add(res);
    res.once('close', () => unsent.delete(res));
    if (isDraining) res.shouldKeepAlive = false;
    if (hasBody(req)) {
      closeOnTinyChunks(req);
      answerUnreadBody(req, res, lingerMs);
    }
    handle(req, res);
  });

  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    const res = [...unsent].find((response) => response.socket === socket);
    const hasGone = code === 'ECONNRESET' || code === 'HPE_INVALID_EOF_STATE';
    if (hasGone || res?.req.complete || res?.headersSent) {
      socket.destroy();
      return;
    }
    let error = new HttpError('bad_request');
    if (code === 'HPE_HEADER_OVERFLOW')
      error = new HttpError('headers_too_large', { values: { bytes: MAX_HEADER_BYTES } });
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
      error = new HttpError('request_timeout', { values: { seconds: requestMs / 1000 } });
    if (res) {
      // The app answers, with the id of its request, so that answer, log and metrics agree.
      res.shouldKeepAlive = false;
      // Each further segment is an error again.
      if (brokenRequests.has(res.req)) return;
      brokenRequests.set(res.req, error);
      res.req.emit(BROKEN, error);
      return;
    }
    // Each further segment after a refusal is an error again.
    if (socket.writable) refuse(error, socket, socket, lingerMs);
  });

  // Node.js would answer an expectation that it does not know with a 417 without a body, past the app and its log.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));

  return {
    server,
    drain: async () => {
      isDraining = true;
      for (const res of unsent) res.shouldKeepAlive = false;
      // Accept what has arrived, one connection in each turn of the event loop. Then only stop listening: http.Server's
      // own close() would end idle connections at once, and a proxy that is just sending over one would lose its request.
      for (let turn = 0; turn < BACKLOG; turn++) await setImmediate();
      NetServer.prototype.close.call(server);
      if ((await promisify(server.getConnections.bind(server))()) > 0) await sleep(graceMs);
      for (const res of unsent) await new Promise((resolve) => res.once('close', resolve));
      server.closeAllConnections();
    },
  };
}

/**
 * Stops the parser on a closed connection. Node.js would go on with the rest of a segment, 1,900 requests in 64 KB, and
 * keep them all until the connection's `close`; some hundred such segments fill the heap. A request for an upgrade is
 * the last one that is parsed, so each request after the end claims to be one.
 */
class StoppableRequest extends IncomingMessage {
  get upgrade(): boolean {
    return this.socket.destroyed;
  }
  set upgrade(_asked: boolean) {
    // This service upgrades nothing.
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;

/** Closes the connection when the body comes in tiny chunks, before its answer or after. */
function closeOnTinyChunks(req: IncomingMessage): void {
  const push = req.push.bind(req);
  let chunks = 0;
  let received = 0;
  // Express replaces the prototypes of request and response, so only an own property lasts.
  req.push = (chunk: Buffer | null) => {
    chunks += 1;
    received += chunk?.length ?? 0;
    if (chunks > FREE_CHUNKS && received < chunks * TINY_CHUNK_BYTES) req.socket.destroy();
    return push(chunk);
  };
}

/**
 * Makes an answer readable that is ready before its request's body was read. On a connection that stays open Node.js
 * reads the rest. One that closes would be reset with data unread, and many clients lose the answer then: so the answer
 * goes out whole, and ends when the body has ended. {@link DECIDED} does not wait for that.
 */
function answerUnreadBody(req: IncomingMessage, res: ServerResponse, lingerMs: number): void {
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse;
  res.end = (...args: unknown[]) => {
    res.end = end;
    res.emit(DECIDED);
    if (req.complete) return end(...args);
    if (res.shouldKeepAlive) end(...args);
    else if (typeof args[0] === 'string' || Buffer.isBuffer(args[0])) res.write(args[0]);
    else res.flushHeaders();
    linger(req, lingerMs, () => {
      if (!res.writableEnded) end();
      else if (!req.complete) req.socket.destroy();
    });
    return res;
  };
}

/** Discards what still arrives after an answer, until its end, but no longer than this. */
function linger(rest: Readable, ms: number, close: () => void): void {
  const timer = setTimeout(close, ms);
  finished(rest.resume(), () => {
    clearTimeout(timer);
    close();
  });
}

/** Answers what never becomes a request of the app, in the shape of all other errors, and closes the connection. */
function refuse(error: HttpError, socket: Socket, rest: Readable, lingerMs: number): void {
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
  linger(rest, lingerMs, () => socket.destroySoon());
}

/**
 * The target of a request as path and query. Proxies may send a whole URL (RFC 9112, section 3.2.2), and `OPTIONS *`.
 * @returns undefined when it is no target: Express would answer that itself, in HTML
 */
function originForm(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  const url = URL.parse(target);
  return url && /^https?:$/.test(url.protocol) ? url.pathname + url.search : undefined;
}
