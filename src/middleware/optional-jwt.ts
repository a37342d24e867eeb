import { createSecretKey } from 'node:crypto';
import type { RequestHandler } from 'express';
import jwt from 'jsonwebtoken';

/**
 * Lets a request with a valid HS256 token pass as authenticated. Any other stays anonymous; when it has an
 * Authorization header that is no good, WWW-Authenticate says why (RFC 6750, section 3).
 */
export function optionalJwt(secret: string | undefined): RequestHandler {
  const key = secret ? createSecretKey(secret, 'utf8') : undefined;

  /** Why the header's token is not valid, or undefined when it is. */
  function problemOf(header: string): string | undefined {
    if (!key) return 'this server has no secret set, so no token is valid here';
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1];
    if (!token) return 'the header is not of the form: Bearer <JSON Web Token>';
    try {
      jwt.verify(token, key, { algorithms: ['HS256'] });
      return undefined;
    } catch (error) {
      if (error instanceof jwt.TokenExpiredError) return 'the token has expired';
      if (error instanceof jwt.NotBeforeError) return 'the token is not valid yet';
      return "the token is malformed, or not signed by HS256 with this server's secret";
    }
  }

  return (req, res, next) => {
    const header = req.get('authorization');
    if (header !== undefined) {
      const problem = problemOf(header);
      res.locals.authenticated = problem === undefined;
      if (problem !== undefined) {
        res.set('WWW-Authenticate', `Bearer error="invalid_token", error_description="${problem}"`);
      }
    }
    next();
  };
}
