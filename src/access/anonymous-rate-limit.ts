import type { Request, RequestHandler, Response } from 'express';
import { rateLimit, type RateLimitInfo, type Store } from 'express-rate-limit';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { decodeRequests, perWindow } from '../errors/amounts.js';
import type { MessageValue } from '../errors/catalog.js';
import { HttpError } from '../errors/http-error.js';
import { TOKEN_PROBLEMS, type TokenProblem } from '../errors/token-problems.js';
import { clientKey } from '../http/client-address.js';
import type { BoundedMemoryStore } from './memory-store.js';

/** Replaces the catalog's message where only tokens decode, because waiting does not help there. */
const TOKENS_ONLY = {
  en: 'This service decodes only with a token. Send one; its operator issues them.{token}',
  ru: 'Этот сервис читает файлы только с токеном. Передайте токен, его выдаёт администратор.{token}',
};

/**
 * Limits anonymous requests in fixed windows. The window of a client begins with its first request. Every request counts,
 * regardless of its outcome, and is decided before its body is read.
 */
export function anonymousRateLimit(config: Config, store: Store, log: Logger): RequestHandler {
  const { RATE_LIMIT_MAX: max, RATE_LIMIT_WINDOW_SECONDS: windowSeconds } = config;

  const refuse: RequestHandler = (req, res, next) => {
    const { resetSeconds } = setCountedQuota(req, res);
    const token = tokenText(res.locals.tokenProblem);
    if (max > 0) {
      const values = { max: decodeRequests(max), window: perWindow(windowSeconds), token };
      next(new HttpError('rate_limited', { values, retryAfter: resetSeconds }));
      return;
    }

    // The library has set Retry-After, but waiting does not help here.
    res.removeHeader('Retry-After');
    const error = new HttpError('rate_limited', {
      text: TOKENS_ONLY,
      values: { token },
      retryAfter: resetSeconds,
      withoutRetryAfter: true,
    });
    next(error);
  };

  const limiter = rateLimit({
    windowMs: windowSeconds * 1000,
    limit: max,
    store,
    // RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-08).
    standardHeaders: 'draft-8',
    // The library's X-RateLimit-Reset is a point in time; this API sends the seconds until then.
    legacyHeaders: false,
    keyGenerator: clientKey,
    skip: (_req, res) => res.locals.authenticated === true,
    handler: refuse,
    // The library warns of a limit of 0, which is valid here: only clients with a token can decode.
    validate: { limit: false },
    logger: {
      warn: (...args: unknown[]) => log.warn({ err: args[0] }, 'rate limiter warning'),
      error: (...args: unknown[]) => log.error({ err: args[0] }, 'rate limiter error'),
    },
  });

  return (req, res, next) =>
    limiter(req, res, (error?: unknown) => {
      const isCounted = error === undefined && res.locals.authenticated !== true;
      if (isCounted) setCountedQuota(req, res);
      next(error);
    });
}

/**
 * Tells an anonymous client the rest of its limit, in the same headers, and counts nothing. The headers are left out
 * where the store cannot tell.
 */
export function tellQuota(config: Config, store: BoundedMemoryStore): RequestHandler {
  const { RATE_LIMIT_MAX: limit, RATE_LIMIT_WINDOW_SECONDS: windowSeconds } = config;

  return async (req, res, next) => {
    if (res.locals.authenticated === true) {
      next();
      return;
    }

    const client = clientKey(req);
    const used = await store.peek(client);
    if (used) {
      const { totalHits, resetTime } = used;
      setQuota(res, {
        limit,
        remaining: Math.max(0, limit - totalHits),
        resetSeconds: resetTime ? secondsUntil(resetTime) : windowSeconds,
      });
    }
    next();
  };
}

/** Tells a client that sent a token why the limit still applies. */
function tokenText(problem: TokenProblem | undefined): MessageValue {
  if (problem === undefined) return '';

  const { en, ru } = TOKEN_PROBLEMS[problem];
  return { en: ` Your token was not accepted: ${en}.`, ru: ` Ваш токен не принят: ${ru}.` };
}

/** The rest of a client's limit. */
interface Quota {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** Sets the headers from the count that the library has left at the request. */
function setCountedQuota(req: Request, res: Response): Quota {
  const { rateLimit: counted } = req as Request & { rateLimit: RateLimitInfo };
  const windowEnd = counted.resetTime ?? new Date();
  const quota = {
    limit: counted.limit,
    remaining: counted.remaining,
    resetSeconds: secondsUntil(windowEnd),
  };
  setQuota(res, quota);
  return quota;
}

function setQuota(res: Response, { limit, remaining, resetSeconds }: Quota): void {
  res.set({
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  });
}

/** At least 1, because with 0 clients would try again before the window ends. */
function secondsUntil(end: Date): number {
  const leftMs = end.getTime() - Date.now();
  const leftSeconds = Math.ceil(leftMs / 1000);
  return Math.max(1, leftSeconds);
}
