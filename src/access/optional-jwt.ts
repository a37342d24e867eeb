import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { RequestHandler } from 'express';
import jwt from 'jsonwebtoken';
import { TOKEN_PROBLEMS, type TokenProblem } from '../errors/token-problems.js';

/** The scheme of a token, in any letters (RFC 9110). Any other one is meant for a proxy or another service. */
const BEARER = /^Bearer(?: |$)/i;

/** The scheme and a JSON Web Token: three parts in base64url, separated by dots. */
const BEARER_TOKEN = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** A valid token. */
interface AcceptedToken {
  /** Tells this token from others. No token is kept longer than it takes to verify it. */
  tokenHash: string;
  subject: string | undefined;
}

/**
 * Marks a request with a valid HS256 token as authenticated. Every other request stays anonymous. If it has a token,
 * WWW-Authenticate says why the token is not accepted (RFC 6750, section 3).
 */
export function optionalJwt(secret: string | undefined): RequestHandler {
  const key = secret ? createSecretKey(secret, 'utf8') : undefined;

  return (req, res, next) => {
    const header = req.get('authorization') ?? '';
    if (!BEARER.test(header)) {
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
      res.locals.tokenHash = result.tokenHash;
      if (result.subject !== undefined) res.locals.subject = result.subject;
    }
    next();
  };
}

/** @returns the token, or why it is not accepted */
function verify(header: string, key: KeyObject | undefined): AcceptedToken | TokenProblem {
  if (!key) return 'no_secret';

  const token = BEARER_TOKEN.exec(header)?.[1];
  if (token === undefined) return 'wrong_header';

  try {
    const claims = jwt.verify(token, key, { algorithms: ['HS256'] });
    return { tokenHash: hash('sha256', token), subject: subjectOf(claims) };
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) return 'expired';
    if (error instanceof jwt.NotBeforeError) return 'not_active';
    return 'invalid';
  }
}

/** The payload of a token may be any text; then it has no claims. A subject may be anything in JSON. */
function subjectOf(claims: jwt.JwtPayload | string): string | undefined {
  if (typeof claims === 'string') return undefined;
  return typeof claims.sub === 'string' ? claims.sub : undefined;
}
