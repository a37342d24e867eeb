import cors from 'cors';
import type { RequestHandler } from 'express';
import { HttpError } from '../errors/http-error.js';

/** The headers of an answer that a page of another origin may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
];

/** Lets pages of the given origins call the API and read its answers; `*` allows all, an empty list none. */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  // An empty list would make cors allow none, but still answer preflights.
  const listed = origins.length > 0 ? [...origins] : false;
  return cors({
    origin: origins.includes('*') ? '*' : listed,
    methods: ['GET', 'HEAD', 'POST'],
    // cors would send back the list of the request, however long, and nginx drops an answer with more than 4 KB of
    // headers. `*` does not include Authorization.
    allowedHeaders: '*, Authorization',
    exposedHeaders: EXPOSED_HEADERS,
    // Seconds for which a browser remembers the answer.
    maxAge: 3600,
  });
}

/**
 * Refuses requests that a page of another site sends, unless its origin is allowed. Browsers let such a page post a form
 * without asking the service first, and each post would spend the visitor's quota.
 *
 * Browsers send Sec-Fetch-Site over HTTPS and to localhost only, so over plain HTTP this protects nobody. Programs do not
 * send it.
 */
export function refuseCrossSite(origins: readonly string[]): RequestHandler {
  const allowsAll = origins.includes('*');
  return (req, _res, next) => {
    const origin = req.get('origin') ?? '';
    const isAllowed = allowsAll || origins.includes(origin);
    const isCrossSite = req.get('sec-fetch-site') === 'cross-site';
    if (isCrossSite && !isAllowed) throw new HttpError('cross_site_request');
    next();
  };
}
