import type { RequestHandler } from 'express';

/** The pages replace the policy by one of their own. TLS, and so HSTS, is up to the proxy. */
const HEADERS = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Security headers for JSON. */
export const securityHeaders: RequestHandler = (_req, res, next) => {
  res.set(HEADERS);
  next();
};
