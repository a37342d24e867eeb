import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { LANGUAGES, type Language } from '../errors/catalog.js';
import { HttpError } from '../errors/http-error.js';
import { hasBody } from './headers.js';
import { toHttpError } from './to-http-error.js';

/** Milliseconds a refused client gets to read its answer before its body is read: 5 MB cost 10 ms of CPU. */
const READ_DELAY_MS = 300;
/** Bytes of a refused body that are read before the connection is closed. */
const MAX_DISCARDED_BYTES = 20_000_000;

/** Answers 404 for every path without a route. */
export const notFound: RequestHandler = () => {
  throw new HttpError('not_found');
};

/** Answers 405 for the methods that a path does not allow. */
export function methodNotAllowed(allow: string): RequestHandler {
  return (req, res) => {
    res.set('Allow', allow);
    throw new HttpError('method_not_allowed', { values: { method: req.method, allow } });
  };
}

/** Writes every error as the one JSON shape; an unexpected error is logged with its stack. */
export const errorHandler: ErrorRequestHandler = (error: unknown, req, res, next) => {
  const answer = toHttpError(error);
  const { code, detail, status, retryAfter } = answer;
  if (code === 'internal_error') res.err = error as Error;
  res.locals.failure = { code, ...(detail !== undefined && { detail }) };

  if (res.headersSent) {
    next(error);
    return;
  }
  if (res.destroyed || req.socket.destroyed) return;
  if (hasBody(req) && !req.complete) {
    res.set('Connection', 'close');
    // A client that still waits for 100 Continue sends no body.
    if (req.headers.expect === undefined || res.locals.continueSent) closeAfterBody(req);
  }
  if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter));
  const language = req.acceptsLanguages(...LANGUAGES) || LANGUAGES[0];
  res.vary('Accept-Language').set('Content-Language', language);
  res.status(status).json(answer.body(language as Language));
};

/**
 * Keeps the connection open for reading after the answer. Node.js would close it with data unread, and the reset
 * that follows destroys the answer for every client that reads only after it has sent all.
 */
function closeAfterBody(req: Request): void {
  const { socket } = req;
  const close = () => socket.destroy();
  // Sends FIN after the answer, and reads on.
  socket.destroySoon = () => socket.end();
  req.once('close', close);
  // Without a read Node.js discards the body itself, without a bound.
  req.read(0);
  setTimeout(() => {
    let left = MAX_DISCARDED_BYTES;
    req.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) close();
    });
  }, READ_DELAY_MS).unref();
}
