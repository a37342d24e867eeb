import cors from 'cors';
import type { RequestHandler } from 'express';
import { HttpError } from '../errors/http-error.js';

/** What a page of another origin may read of an answer besides its body. */
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
  return cors({
    origin: origins.includes('*') ? '*' : origins.length > 0 && [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    // Not the list of the request: nginx holds all headers of an answer in 4 KB. `*` does not include Authorization.
    allowedHeaders: '*, Authorization',
    exposedHeaders: EXPOSED_HEADERS,
    // Seconds for which a browser remembers the answer.
    maxAge: 3600,
  });
}

/**
 * Refuses requests that a page of another site sends, unless its origin is allowed: a form on it can post without
 * asking, and would spend the visitor's quota. Programs do not send Sec-Fetch-Site, and browsers only over HTTPS and to
 * localhost: over plain HTTP this protects nobody.
 */
export function refuseCrossSite(origins: readonly string[]): RequestHandler {
  return (req, _res, next) => {
    const isAllowed = origins.includes('*') || origins.includes(req.get('origin') ?? '');
    if (req.get('sec-fetch-site') === 'cross-site' && !isAllowed) throw new HttpError('cross_site_request');
    next();
  };
}
