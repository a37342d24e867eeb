import { TOKEN_PROBLEMS, type TokenProblem } from '../../../errors/token-problems.js';

/** What an answer of the service tells about the limit and the token. */
export interface AccessAnswer {
  /** With which the request was sent. */
  token: string | undefined;
  headers: Headers;
  /** When the request was sent, in milliseconds since the epoch. The seconds in the headers count from about then. */
  sentAt: number;
}

export interface TokenCheck extends AccessAnswer {
  /** Whether the service itself answered, and not a proxy in its place. */
  isFromService: boolean;
}

/** What is left of the limit of a client without a token. */
export interface Quota {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** When the whole limit is available again, in milliseconds since the epoch; 0 while that is not known. */
  readonly resetAt: number;
}

/** What the page may send: the token, in memory only, and what is left of the limit without one. */
export interface Access {
  readonly quota: Quota;
  /** The token that the service has accepted. It has no limit. */
  readonly token: string | undefined;
  /** When the page begins to doubt that the service still accepts the token, in milliseconds since the epoch. */
  readonly doubtedFrom: number;
  /** A token about which the service is being asked. Files are sent without it meanwhile. */
  readonly candidate: string | undefined;
  /** Why the last token is not accepted; `unchecked` if the service did not say whether it is. */
  readonly problem: TokenProblem | 'malformed' | 'unchecked' | undefined;
  /** Whether that one had been accepted before: then the token in use was lost. */
  readonly wasAccepted: boolean;
}

export const withoutToken = (quota: Quota): Access => ({
  quota,
  token: undefined,
  doubtedFrom: Infinity,
  candidate: undefined,
  problem: undefined,
  wasAccepted: false,
});

/** The token in what a user entered; undefined when it cannot be one. */
export function tokenIn(text: string): string | undefined {
  const token = text.trim().replace(/^Bearer\s+/i, '');
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) ? token : undefined;
}

/** How many files the service would read now, as far as the page knows. */
export function leftOf({ token, quota }: Access, now: number): number {
  if (token !== undefined) return Infinity;
  return now < quota.resetAt ? quota.remaining : quota.limit;
}

/** Whether the status must be asked about the token before anything is sent with it. */
export const isDoubted = ({ token, doubtedFrom }: Access, now: number): boolean =>
  token !== undefined && now >= doubtedFrom;

/**
 * Learns from a refusal that the limit is used up.
 * @param retryAfter seconds until the window ends
 */
export function limited(access: Access, retryAfter: number, now: number): Access {
  return { ...access, quota: { ...access.quota, remaining: 0, resetAt: now + 1000 * retryAfter } };
}

/** Takes a token that the user entered, to be checked. */
export function offered(access: Access, token: string | undefined): Access {
  if (token === undefined) return withProblem(access, 'malformed');
  return { ...access, candidate: token, problem: undefined };
}

const withProblem = (access: Access, problem: Access['problem']): Access => ({
  ...access,
  problem,
  wasAccepted: false,
});

/** Learns what is left. An answer that does not accept the token has the status asked about it. */
export function learned(access: Access, answer: AccessAnswer): Access {
  const known = { ...access, quota: quotaOf(access.quota, answer) };
  // The answer is about an earlier token, so it tells nothing about this one.
  if (answer.token !== access.token) return known;
  return tokenProblemIn(answer.headers) ? { ...known, doubtedFrom: answer.sentAt } : known;
}

/** Learns from the status whether the service accepts a token: the one that is being checked, or still the one in use. */
export function checked(access: Access, status: TokenCheck, now: number): Access {
  const { token, headers, isFromService } = status;
  const problem = tokenProblemIn(headers);
  if (token === undefined) return access;

  if (token === access.candidate) {
    const decided = { ...access, candidate: undefined };
    if (!isFromService) return withProblem(decided, 'unchecked');
    if (problem) return withProblem(decided, problem);
    return { ...decided, token, doubtedFrom: endOfTrust(token, now), wasAccepted: false };
  }

  if (token !== access.token || !isFromService) return access;
  if (problem) return { ...access, token: undefined, doubtedFrom: Infinity, problem, wasAccepted: true };
  return { ...access, doubtedFrom: endOfTrust(token, now) };
}

/** Milliseconds for which the word of the service counts, where the page's clock says that the token has expired. */
const CLOCK_TRUST_MS = 60_000;

/** Until when the page trusts a token that the service has just accepted. */
function endOfTrust(token: string, now: number): number {
  const expiry = expiryOf(token);
  return expiry > now ? expiry : now + CLOCK_TRUST_MS;
}

/** When a JSON Web Token expires, in milliseconds since the epoch (RFC 7519, section 4.1.4); Infinity if it does not say. */
function expiryOf(token: string): number {
  const [, payload = ''] = token.split('.');
  const base64 = payload.replaceAll('-', '+').replaceAll('_', '/');
  try {
    const { exp } = JSON.parse(atob(base64)) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : Infinity;
  } catch {
    return Infinity;
  }
}

function quotaOf(quota: Quota, { headers, sentAt }: AccessAnswer): Quota {
  const numberIn = (name: string) => Number(headers.get(name) ?? NaN);
  const limit = numberIn('X-RateLimit-Limit');
  const remaining = numberIn('X-RateLimit-Remaining');
  const seconds = numberIn('X-RateLimit-Reset');
  // Gateways have headers of these names, too, with other things in them.
  const areNumbers = [limit, remaining, seconds].every((number) => number >= 0);
  return areNumbers ? { ...quota, limit, remaining, resetAt: sentAt + 1000 * seconds } : quota;
}

/** Why the service did not accept the token; undefined when it does not say. */
function tokenProblemIn(headers: Headers): TokenProblem | undefined {
  const header = headers.get('WWW-Authenticate') ?? '';
  const reason = /error_description="([^"]*)"/.exec(header)?.[1];
  if (reason === undefined) return undefined;

  const known = Object.keys(TOKEN_PROBLEMS) as TokenProblem[];
  return known.find((problem) => TOKEN_PROBLEMS[problem].en === reason) ?? 'invalid';
}
