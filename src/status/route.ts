import type { RequestHandler } from 'express';
import type { Readiness } from './readiness.js';

/** Answers with the state of the JRE and of ring: 200 when decodes can be expected to work, else 503. */
export function statusRoute(readiness: Readiness, draining: AbortSignal): RequestHandler {
  return async (_req, res) => {
    const status = await readiness.status();
    const ready = status.ready && !draining.aborted;
    res
      .set('Cache-Control', 'no-store')
      .status(ready ? 200 : 503)
      .json({ ...status, ready });
  };
}
