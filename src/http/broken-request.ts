import type { IncomingMessage } from 'node:http';
import type { HttpError } from '../errors/http-error.js';

const BROKEN = 'broken';
/** The requests whose rest cannot come, and the error for the caller. */
const brokenRequests = new WeakMap<IncomingMessage, HttpError>();

/** Notes that the rest of a request cannot come, because it is malformed or too late. Only the first error counts. */
export function breakRequest(req: IncomingMessage, error: HttpError): void {
  if (brokenRequests.has(req)) return;
  brokenRequests.set(req, error);
  req.emit(BROKEN, error);
}

/**
 * Calls `giveUp` when the rest of a request cannot come, at once if that is known already: a body may break before the
 * app begins to read it. Whoever reads the body answers with the error; whoever does not read it need not care.
 */
export function onBroken(req: IncomingMessage, giveUp: (error: HttpError) => void): void {
  const error = brokenRequests.get(req);
  if (error) giveUp(error);
  else req.once(BROKEN, giveUp);
}
