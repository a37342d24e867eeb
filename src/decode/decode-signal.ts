import type { Response } from 'express';
import { seconds } from '../errors/amounts.js';
import { HttpError } from '../errors/http-error.js';

/**
 * Aborts a decode whose client has gone, that takes too long, or that a stopping service can't wait for. The reason of
 * the signal is the error for the caller, unless the client has gone.
 *
 * `AbortSignal.any()` would not do: `aborting` lives as long as the service, and Node.js keeps every signal that was made
 * from it. Disposing of the result takes its listeners away.
 * @param timeoutMs milliseconds from now
 * @param aborting aborts when the service stops
 */
export function decodeSignal(res: Response, timeoutMs: number, aborting: AbortSignal) {
  const controller = new AbortController();
  const time = seconds(timeoutMs / 1000);
  const onTimeout = () => controller.abort(new HttpError('decode_timeout', { values: { time } }));
  const onClientGone = () => controller.abort();
  const onAborting = () => controller.abort(new HttpError('shutting_down'));

  const timer = setTimeout(onTimeout, timeoutMs);
  res.once('close', onClientGone);
  aborting.addEventListener('abort', onAborting);
  // An event that has happened already calls no listener.
  if (res.closed) onClientGone();
  if (aborting.aborted) onAborting();

  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      res.off('close', onClientGone);
      aborting.removeEventListener('abort', onAborting);
    },
  };
}
