import type { RequestHandler } from 'express';
import type { Readiness } from './readiness.js';

/** Answers with the state of the JRE and of ring: 200 when decodes can be expected to work, else 503. */
export function statusRoute(readiness: Readiness): RequestHandler {
  return async (_req, res) => {
    const status = await readiness.status();
    res
      .set('Cache-Control', 'no-store')
      .status(status.ready ? 200 : 503)
      .json(status);
  };
}
