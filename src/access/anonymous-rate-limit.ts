import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Config } from '../config/settings.js';
import { decodeRequests, perWindow } from '../errors/amounts.js';
import type { MessageValue } from '../errors/catalog.js';
import { HttpError } from '../errors/http-error.js';
import { TOKEN_PROBLEMS, type TokenProblem } from '../errors/token-problems.js';
import { clientKey } from '../http/client-address.js';
import { answerTo } from '../http/error-handler.js';
import type { LimitStore, Usage } from './limit-store.js';

/** Replaces the catalog's message where only tokens decode, because waiting does not help there. */
const TOKENS_ONLY = {
  en: 'This service decodes only with a token. Send one; its operator issues them.{token}',
  ru: 'Этот сервис читает файлы только с токеном. Передайте токен, его выдаёт администратор.{token}',
};

/** RATE_LIMIT_MAX and RATE_LIMIT_WINDOW_SECONDS. */
type Limit = Pick<Config, 'RATE_LIMIT_MAX' | 'RATE_LIMIT_WINDOW_SECONDS'>;

/**
 * Limits anonymous requests in fixed windows. Each one counts before its body is read, and regardless of its outcome,
 * except what {@link giveBackUnserved} gives back.
 */
export function anonymousRateLimit(limit: Limit, store: LimitStore): RequestHandler {
  return async (req, res, next) => {
    if (res.locals.authenticated === true) {
      next();
      return;
    }

    const client = clientKey(req);
    const usage = await store.count(client);
    setQuota(res, limit, usage);
    if (usage.hits > limit.RATE_LIMIT_MAX) throw limitError(limit, usage, res.locals.tokenProblem);

    if (usage.giveBack) res.locals.giveBack = usage.giveBack;
    next();
  };
}

/** The 429. It tells a client that sent a token why the limit still applies. */
function limitError(limit: Limit, usage: Usage, tokenProblem: TokenProblem | undefined): HttpError {
  const { RATE_LIMIT_MAX: max, RATE_LIMIT_WINDOW_SECONDS: windowSeconds } = limit;
  const retryAfter = secondsLeft(usage);
  const token = tokenText(tokenProblem);
  if (max > 0) {
    const values = { max: decodeRequests(max), window: perWindow(windowSeconds), token };
    return new HttpError('rate_limited', { values, retryAfter });
  }

  return new HttpError('rate_limited', {
    text: TOKENS_ONLY,
    values: { token },
    retryAfter,
    withoutRetryAfter: true,
  });
}

function tokenText(problem: TokenProblem | undefined): MessageValue {
  if (problem === undefined) return '';

  const { en, ru } = TOKEN_PROBLEMS[problem];
  return { en: ` Your token was not accepted: ${en}.`, ru: ` Ваш токен не принят: ${ru}.` };
}

/**
 * Gives the count of a decode back before it is answered 503. A proxy sends such a decode to another replica, which
 * counts it again, so the client would pay twice for one request. Replicas that do not share their counts cannot give
 * back: each of them counts what it gets.
 */
export function giveBackUnserved(limit: Limit): ErrorRequestHandler {
  return async (error, _req, res, next) => {
    const { giveBack } = res.locals;
    const isUnserved = answerTo(error).status === 503;
    if (isUnserved && giveBack) {
      const usage = await giveBack();
      if (usage) setQuota(res, limit, usage);
    }
    next(error);
  };
}

/**
 * Tells an anonymous client the rest of its limit, in the same headers, and counts nothing. The headers are left out
 * where the store cannot tell.
 */
export function tellQuota(limit: Limit, store: LimitStore): RequestHandler {
  return async (req, res, next) => {
    if (res.locals.authenticated !== true) {
      const client = clientKey(req);
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
