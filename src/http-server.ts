import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpError } from './errors.js';

/** Milliseconds an idle connection is kept: longer than nginx's upstreams and load balancers keep theirs (60 s), for one that closes first makes them answer 502. */
const KEEP_ALIVE_MS = 65_000;
/** Milliseconds for a request's headers; above the keep-alive, from which it counts in some versions of Node. */
const HEADERS_MS = 66_000;
/** Milliseconds for a whole request: 5 MB at half a megabit a second. */
const REQUEST_MS = 90_000;
/** Milliseconds between two looks at the limits above. */
const CHECK_MS = 5_000;
/** Bytes of all headers of a request; a token is the largest of them. */
const MAX_HEADER_BYTES = 16_384;

/** Makes the HTTP server around the app; it does not listen yet. */
export function createHttpServer(app: RequestListener): Server {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    app,
  );
  // curl waits with a large file until it is told to send: the upload middleware does so, after the limit.
  server.on('checkContinue', app);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    answerBrokenRequest(error, socket);
  });
  return server;
}

/** Answers what never became a request, in the shape of all other errors. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, body } = toHttpError(error.code);
  const json = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nCache-Control: no-store\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
    () => socket.destroy(),
  );
}

function toHttpError(code: string | undefined): HttpError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('headers_too_large', { values: { bytes: MAX_HEADER_BYTES } });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('request_timeout', { values: { seconds: REQUEST_MS / 1000 } });
    default:
      return new HttpError('bad_request');
  }
}
