import type { Request, RequestHandler, Response } from 'express';
import { rateLimit, type RateLimitInfo, type Store } from 'express-rate-limit';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { decodeRequests, perWindow } from '../errors/amounts.js';
import type { MessageValue } from '../errors/catalog.js';
import { HttpError } from '../errors/http-error.js';
import { LIFTS_LIMIT, TOKEN_PROBLEMS, type TokenProblem } from '../errors/token-problems.js';
import { addressKey } from '../http/client.js';
import type { LimitStore, Usage } from './limit-store.js';

/** Replaces the catalog's message where only tokens decode, because waiting does not help there. */
const TOKENS_ONLY = {
  en: 'This service decodes only with a token. Send one; its operator issues them.{token}',
  ru: 'Этот сервис читает файлы только с токеном. Передайте токен, его выдаёт администратор.{token}',
};

/** RATE_LIMIT_MAX and RATE_LIMIT_WINDOW_SECONDS. */
type Limit = Pick<Config, 'RATE_LIMIT_MAX' | 'RATE_LIMIT_WINDOW_SECONDS'>;

/** Limits anonymous requests in fixed windows. Each one counts before its body is read, and regardless of its outcome. */
export function anonymousRateLimit(config: Config, store: LimitStore, log: Logger): RequestHandler {
  const { RATE_LIMIT_MAX: max, RATE_LIMIT_WINDOW_SECONDS: windowSeconds } = config;
  const trustsRequestId = config.TRUST_REQUEST_ID === 'on';
  const limiter = rateLimit({
    windowMs: windowSeconds * 1000,
    limit: max,
    store: storeForLibrary(store),
    keyGenerator: (req) => (trustsRequestId ? keyWithId(req) : addressKey(req)),
    skip: (_req, res) => res.locals.authenticated === true,
    // Decided below, together with the headers.
    handler: (_req, _res, next) => next(),
    // The library's X-RateLimit-Reset is a point in time. This API sends the seconds until then, so setQuota sets the headers.
    legacyHeaders: false,
    standardHeaders: false,
    // The library warns of a limit of 0, which is valid here: only clients with a token can decode.
    validate: { limit: false },
    logger: {
      warn: (...args: unknown[]) => log.warn({ err: args[0] }, 'rate limiter warning'),
      error: (...args: unknown[]) => log.error({ err: args[0] }, 'rate limiter error'),
    },
  });

  return (req, res, next) =>
    limiter(req, res, (error?: unknown) => {
      const { rateLimit: counted } = req as Request & { rateLimit?: RateLimitInfo };
      // A request with a valid token is not counted.
      if (error !== undefined || !counted?.resetTime) {
        next(error);
        return;
      }

      const leftMs = counted.resetTime.getTime() - Date.now();
      const usage = { hits: counted.used, leftMs };
      setQuota(res, config, usage);
      if (usage.hits <= max) next();
      else next(limitError(config, usage, res.locals.tokenProblem));
    });
}

/**
 * The client and the id of its request. The library hands a single text to the store, so both are in it, separated by a
 * blank, which neither of them contains.
 */
function keyWithId(req: Request): string {
  return `${addressKey(req)} ${req.id as string}`;
}

/** Our store as the library asks for it. With the options above, the library calls only `increment`. */
function storeForLibrary(store: LimitStore): Store {
  return {
    increment: async (key) => {
      const [client = '', requestId] = key.split(' ');
      const { hits, leftMs } = await store.count(client, requestId);
      return { totalHits: hits, resetTime: new Date(Date.now() + leftMs) };
    },
    decrement: () => undefined,
    resetKey: () => undefined,
  };
}

/**
 * The 429. It tells a client that sent a token why the limit still applies, and others that a token would lift it. Where
 * the service accepts no token, it does not speak of one.
 */
function limitError(config: Config, usage: Usage, tokenProblem: TokenProblem | undefined): HttpError {
  const { RATE_LIMIT_MAX: max, RATE_LIMIT_WINDOW_SECONDS: windowSeconds, JWT_SECRET } = config;
  const retryAfter = secondsLeft(usage);
  const refusal = tokenProblem && refusalOfToken(tokenProblem);
  if (max === 0) {
    return new HttpError('rate_limited', {
      text: TOKENS_ONLY,
      values: { token: refusal ?? '' },
      retryAfter,
      withoutRetryAfter: true,
    });
  }

  const acceptsTokens = JWT_SECRET !== undefined;
  const token = acceptsTokens ? (refusal ?? LIFTS_LIMIT) : '';
  const values = { max: decodeRequests(max), window: perWindow(windowSeconds), token };
  return new HttpError('rate_limited', { values, retryAfter });
}

function refusalOfToken(problem: TokenProblem): MessageValue {
  const { en, ru } = TOKEN_PROBLEMS[problem];
  return { en: ` Your token was not accepted: ${en}.`, ru: ` Ваш токен не принят: ${ru}.` };
}

/**
 * Tells an anonymous client the rest of its limit, in the same headers, and counts nothing. The headers are left out
 * where the store cannot tell.
 */
export function tellQuota(limit: Limit, store: LimitStore): RequestHandler {
  return async (req, res, next) => {
    if (res.locals.authenticated !== true) {
      const client = addressKey(req);
      const usage = await store.peek(client);
      if (usage) setQuota(res, limit, usage);
    }
    next();
  };
}

/** Sets the headers of the limit. The last two are those of draft-ietf-httpapi-ratelimit-headers-08. */
function setQuota(res: Response, limit: Limit, usage: Usage): void {
  const { RATE_LIMIT_MAX: max, RATE_LIMIT_WINDOW_SECONDS: windowSeconds } = limit;
  const remaining = Math.max(0, max - usage.hits);
  const resetSeconds = secondsLeft(usage);
  res.set({
    'X-RateLimit-Limit': String(max),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
    'RateLimit-Policy': `"decodes";q=${max};w=${windowSeconds}`,
    RateLimit: `"decodes";r=${remaining};t=${resetSeconds}`,
  });
}

/** At least 1, because with 0 clients would try again before the window ends. */
function secondsLeft({ leftMs }: Usage): number {
  const seconds = Math.ceil(leftMs / 1000);
  return Math.max(1, seconds);
}
