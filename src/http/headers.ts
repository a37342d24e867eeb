import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { HttpError } from '../errors/http-error.js';

/** What makes sense for JSON; the pages set a policy of their own. TLS, and so HSTS, is up to the proxy. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** HTTP/1.1 demands a Host header (RFC 9112, section 3.2). */
export const requireHost: RequestHandler = (req, _res, next) => {
  if (req.httpVersion === '1.1' && req.headers.host === undefined) throw new HttpError('bad_request');
  next();
};

/** Licenses hold personal data. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

/** Whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
}

/** Closes the connection after the answer to a request with a body, which Node.js would otherwise read to its end. */
export const closeOnBody: RequestHandler = (req, res, next) => {
  if (hasBody(req)) res.set('Connection', 'close');
  next();
};
