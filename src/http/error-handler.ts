import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { LANGUAGES, type Language } from '../errors/catalog.js';
import { HttpError } from '../errors/http-error.js';

/**
 * The file system is full, read-only or gone, a file is where a directory should be, or the process has too many open
 * files (errno(3)).
 */
const STORAGE_ERROR = /^(?:ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOENT|ENOTDIR|EEXIST|EIO|EMFILE|ENFILE)$/;

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
// eslint-disable-next-line @typescript-eslint/no-unused-vars -- Express tells an error handler by its four parameters.
export const errorHandler: ErrorRequestHandler = (error: unknown, req, res, _next) => {
  const answer = answerTo(error);
  const { code, detail, status, retryAfter } = answer;
  if (code === 'internal_error') res.err = error as Error;
  res.locals.failure = { code };
  if (detail !== undefined) res.locals.failure.detail = detail;

  // An answer that has begun cannot be taken back, so it is cut off. Express would do the same, and print the error.
  if (res.headersSent) req.socket.destroy();
  const isGone = res.destroyed || req.socket.destroyed;
  if (isGone) return;

  const language = languageOf(req);
  if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter));
  // The route of a static file may have set another one.
  res.set('Cache-Control', 'no-store');
  res.vary('Accept-Language');
  res.set('Content-Language', language);
  res.status(status);
  res.json(answer.body(language));
};

/** The language of the messages that the caller prefers. */
function languageOf(req: Request): Language {
  const accepted = req.acceptsLanguages(...LANGUAGES);
  return accepted === false ? LANGUAGES[0] : (accepted as Language);
}

/** The error for the caller; `internal_error` for an unexpected one. */
export function answerTo(error: unknown): HttpError {
  if (error instanceof HttpError) return error;

  const { status = 0, code = '' } = (error ?? {}) as NodeJS.ErrnoException & { status?: number };
  // Express and send report faults of a request by status: 412 and 416 for headers of a static file.
  const isFaultOfRequest = status >= 400 && status < 500;
  if (isFaultOfRequest) return new HttpError('bad_request');

  const isFaultOfStorage = STORAGE_ERROR.test(code);
  if (isFaultOfStorage) return new HttpError('storage_unavailable', { detail: code });
  return new HttpError('internal_error');
}
