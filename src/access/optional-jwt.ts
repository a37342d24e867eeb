import { createSecretKey, type KeyObject } from 'node:crypto';
import type { RequestHandler } from 'express';
import jwt from 'jsonwebtoken';
import { TOKEN_PROBLEMS, type TokenProblem } from '../errors/token-problems.js';

/** `Bearer` and a JSON Web Token: three parts in base64url, separated by dots. The scheme is in any letters (RFC 9110). */
const BEARER_TOKEN = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * Marks a request with a valid HS256 token as authenticated. Every other request stays anonymous. If it has an
 * Authorization header, WWW-Authenticate says why the token is not accepted (RFC 6750, section 3).
 */
export function optionalJwt(secret: string | undefined): RequestHandler {
  const key = secret ? createSecretKey(secret, 'utf8') : undefined;

  return (req, res, next) => {
    const header = req.get('authorization');
    if (header === undefined) {
      next();
      return;
    }

    const result = verify(header, key);
    if (typeof result === 'string') {
      const description = TOKEN_PROBLEMS[result].en;
      res.set('WWW-Authenticate', `Bearer error="invalid_token", error_description="${description}"`);
      res.locals.tokenProblem = result;
    } else {
      res.locals.authenticated = true;
      if (typeof result.sub === 'string') res.locals.subject = result.sub;
    }
    next();
  };
}

/** @returns the claims of the token, or why it is not accepted */
function verify(header: string, key: KeyObject | undefined): jwt.JwtPayload | TokenProblem {
  if (!key) return 'no_secret';

  const token = BEARER_TOKEN.exec(header)?.[1];
  if (token === undefined) return 'wrong_header';

  try {
    const claims = jwt.verify(token, key, { algorithms: ['HS256'] });
    // The payload of a token may be any text; then it has no claims.
    return typeof claims === 'string' ? {} : claims;
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) return 'expired';
    if (error instanceof jwt.NotBeforeError) return 'not_active';
    return 'invalid';
  }
}
