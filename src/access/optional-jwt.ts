import { createSecretKey } from 'node:crypto';
import type { RequestHandler } from 'express';
import jwt from 'jsonwebtoken';
import { TOKEN_PROBLEMS, type TokenProblem } from '../errors/token-problems.js';

/**
 * Marks a request with a valid HS256 token as authenticated. Every other request stays anonymous; where it has an
 * Authorization header, WWW-Authenticate says why the token is not accepted (RFC 6750, section 3).
 */
export function optionalJwt(secret: string | undefined): RequestHandler {
  const key = secret ? createSecretKey(secret, 'utf8') : undefined;

  /** The claims of the token, or why it is not accepted. */
  function verify(header: string): jwt.JwtPayload | TokenProblem {
    if (!key) return 'no_secret';
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1];
    if (!token) return 'wrong_header';
    try {
      const claims = jwt.verify(token, key, { algorithms: ['HS256'] });
      return typeof claims === 'string' ? {} : claims;
    } catch (error) {
      if (error instanceof jwt.TokenExpiredError) return 'expired';
      return error instanceof jwt.NotBeforeError ? 'not_active' : 'invalid';
    }
  }

  return (req, res, next) => {
    const header = req.get('authorization');
    if (header !== undefined) {
      const claims = verify(header);
      if (typeof claims === 'string') {
        res.locals.tokenProblem = claims;
        const description = TOKEN_PROBLEMS[claims].en;
        res.set('WWW-Authenticate', `Bearer error="invalid_token", error_description="${description}"`);
      } else {
        res.locals.authenticated = true;
        if (typeof claims.sub === 'string') res.locals.subject = claims.sub;
      }
    }
    next();
  };
}
