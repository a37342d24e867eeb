import type { Response } from 'express';
import { HttpError } from '../errors/http-error.js';

/**
 * Aborts a decode whose client has gone, that takes too long, or that a stopping service can't wait for. Not by
 * AbortSignal.any(), which never releases signals made from a long-lived one; disposing of the result does.
 * @param timeoutMs milliseconds from now
 * @param aborting aborts when the service stops
 */
export function decodeSignal(res: Response, timeoutMs: number, aborting: AbortSignal) {
  const abort = new AbortController();
  let answer: HttpError | undefined;
  const end = (error?: HttpError) => {
    answer ??= error;
    abort.abort();
  };
  const onTimeout = () => end(new HttpError('decode_timeout', { values: { seconds: timeoutMs / 1000 } }));
  const onClientGone = () => end();
  const onAborting = () => end(new HttpError('shutting_down'));
  const timer = setTimeout(onTimeout, timeoutMs);
  res.once('close', onClientGone);
  aborting.addEventListener('abort', onAborting);
  if (res.closed) onClientGone();
  if (aborting.aborted) onAborting();
  return {
    signal: abort.signal,
    /** For the caller of an aborted decode; a client that has gone gets none. */
    get error() {
      return answer;
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      res.off('close', onClientGone);
      aborting.removeEventListener('abort', onAborting);
    },
  };
}
