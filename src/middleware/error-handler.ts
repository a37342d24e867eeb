import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { HttpError } from '../errors.js';

/** Milliseconds that a refused client gets to notice its answer before its body is read: reading 5 MB costs 10 ms of CPU. */
const PATIENCE_MS = 300;
/** Bytes of a refused body that are read at the most. */
const MAX_DISCARDED_BYTES = 20_000_000;

/** Answers 404 for every path that no route took. */
export const notFound: RequestHandler = () => {
  throw new HttpError('not_found');
};

/** Answers 405 for the methods that a path does not take. */
export function methodNotAllowed(allow: string): RequestHandler {
  return (req, res) => {
    res.set('Allow', allow);
    throw new HttpError('method_not_allowed', { values: { method: req.method, allow } });
  };
}

/** Writes every error there is, in the one JSON shape; what nobody expected becomes a 500 and is logged whole. */
export const errorHandler: ErrorRequestHandler = (error: unknown, req, res, next) => {
  const known = toHttpError(error);
  if (!known) res.err = error as Error;
  const answer = known ?? new HttpError('internal_error');
  res.locals.failure = { code: answer.code, ...(answer.detail !== undefined && { detail: answer.detail }) };

  if (res.headersSent) {
    next(error);
    return;
  }
  if (res.destroyed || req.socket.destroyed) return;
  if (!req.complete) discardBody(req, res.locals.bodyUnwanted === true);
  // The client still holds its body back; what comes next on this connection could be either that or a request.
  if (req.headers.expect !== undefined && !res.locals.bodyInvited) res.set('Connection', 'close');
  if (answer.retryAfter !== undefined) res.set('Retry-After', String(answer.retryAfter));
  res.status(answer.status).json(answer.body);
};

function toHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  // Express itself gives a path that can't be decoded the status 400.
  if (status === 400) return new HttpError('bad_request');
  if (typeof code === 'string' && STORAGE_ERRORS.has(code)) {
    return new HttpError('storage_unavailable', {
      detail: code,
      retryAfter: 30,
    });
  }
  return undefined;
}

/** The file system is full, not writable, gone, or the process has too many files open (errno(3)). */
const STORAGE_ERRORS = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EIO',
  'EMFILE',
  'ENFILE',
]);

/**
 * Sees to what a refused client is still sending. Most clients read their answer meanwhile and close the
 * connection; what the others send is read and dropped, since one that reads only after it has sent all
 * would else meet a reset connection instead of its answer. Past the bound, or at once when the body is
 * unwanted, the connection is cut.
 */
function discardBody(req: Request, unwanted: boolean): void {
  const drop = () => {
    let left = MAX_DISCARDED_BYTES;
    req.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) req.socket.destroy();
    });
  };
  if (req.listenerCount('data') + req.listenerCount('readable') > 0) {
    // multer reads on when it has refused a form, without a bound.
    drop();
    return;
  }
  // Node.js drops an untouched body itself, at once. Touched, it waits in the sender's and the kernel's buffers.
  req.read(0);
  setTimeout(unwanted ? () => req.socket.destroy() : drop, PATIENCE_MS).unref();
}
