import type { Response } from 'express';
import { HttpError } from '../errors/http-error.js';

/**
 * Aborts a decode whose client has gone, that takes too long, or that a stopping service can't wait for; the reason is
 * the error for the caller, unless the client has gone. Not by AbortSignal.any(), which never releases signals made from
 * a long-lived one; disposing of the result does.
 * @param timeoutMs milliseconds from now
 * @param aborting aborts when the service stops
 */
export function decodeSignal(res: Response, timeoutMs: number, aborting: AbortSignal) {
  const abort = new AbortController();
  const onTimeout = () =>
    abort.abort(new HttpError('decode_timeout', { values: { seconds: timeoutMs / 1000 } }));
  const onClientGone = () => abort.abort();
  const onAborting = () => abort.abort(new HttpError('shutting_down'));
  const timer = setTimeout(onTimeout, timeoutMs);
  res.once('close', onClientGone);
  aborting.addEventListener('abort', onAborting);
  if (res.closed) onClientGone();
  if (aborting.aborted) onAborting();
  return {
    signal: abort.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      res.off('close', onClientGone);
      aborting.removeEventListener('abort', onAborting);
    },
  };
}
