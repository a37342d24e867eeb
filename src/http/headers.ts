import type { RequestHandler } from 'express';

/**
 * No cache may keep an answer, because it may hold personal data, or a state that has changed. The pages and their files
 * replace that, and the policy. TLS, and so HSTS, is up to the proxy.
 */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The headers of all answers of the API. */
export const securityHeaders: RequestHandler = (_req, res, next) => {
  res.set(HEADERS);
  next();
};
