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

/** HTTP/1.1 demands exactly one Host header (RFC 9112, section 3.2). */
export const requireHost: RequestHandler = (req, _res, next) => {
  const hosts = req.headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1')) throw new HttpError('bad_request');
  next();
};

/** Licenses hold personal data. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
