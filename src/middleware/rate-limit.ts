import type { Request, RequestHandler, Response } from 'express';
import { rateLimit, type RateLimitInfo, type Store } from 'express-rate-limit';
import { clientKey } from '../client-address.js';
import { HttpError } from '../errors.js';
import type { Logger } from '../logger.js';

/** Refusals in a window after which a client's uploads are no longer read to their end. */
const PATIENT_REFUSALS = 10;

export interface RateLimitOptions {
  /** Requests in one window for each client. */
  max: number;
  windowSeconds: number;
  /** Where the counts live; in memory when undefined. */
  store: Store | undefined;
  log: Logger;
}

/**
 * Limits anonymous requests in fixed windows that begin with a client's first request. Whatever becomes
 * of a request it counts, and it is decided before any of its body is read.
 */
export function anonymousRateLimit({ max, windowSeconds, store, log }: RateLimitOptions): RequestHandler {
  const limiter = rateLimit({
    windowMs: windowSeconds * 1000,
    limit: max,
    // The library's X-RateLimit-Reset is a point in time; this API's is the seconds until then.
    legacyHeaders: false,
    standardHeaders: false,
    keyGenerator: clientKey,
    skip: (_req, res) => res.locals.authenticated === true,
    handler: (req, res, next) => {
      const seconds = setQuotaHeaders(req, res);
      res.locals.bodyUnwanted = quotaOf(req).used > max + PATIENT_REFUSALS;
      const window = windowSeconds === 3600 ? 'an hour' : `in ${windowSeconds} seconds`;
      next(new HttpError('rate_limited', { values: { max, window }, retryAfter: seconds }));
    },
    ...(store && { store }),
    // 0 is a legal maximum here: decodes with a token only.
    validate: { limit: false },
    logger: {
      warn: (...args: unknown[]) => {
        log.warn({ err: args[0] }, 'the limiter warns');
      },
      error: (...args: unknown[]) => {
        log.error({ err: args[0] }, 'the limiter reports an error');
      },
    },
  });
  return (req, res, next) =>
    limiter(req, res, (error?: unknown) => {
      if (error === undefined && res.locals.authenticated !== true) setQuotaHeaders(req, res);
      next(error);
    });
}

const quotaOf = (req: Request) => (req as Request & { rateLimit: RateLimitInfo }).rateLimit;

/** @returns seconds until the client's window ends, at least 1 */
function setQuotaHeaders(req: Request, res: Response): number {
  const { limit, remaining, resetTime } = quotaOf(req);
  const seconds = Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000));
  res.set({
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(seconds),
  });
  return seconds;
}
