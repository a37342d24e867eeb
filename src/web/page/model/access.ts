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
  /** A token about which the service is being asked. Files are sent without it meanwhile. */
  readonly candidate: string | undefined;
  /** Why the last token is not accepted; `unchecked` if the service did not say whether it is. */
  readonly problem: TokenProblem | 'malformed' | 'unchecked' | undefined;
  /** Whether that one had been accepted before. */
  readonly wasAccepted: boolean;
}

/**
 * @param limit files per window without a token
 * @param windowSeconds the length of the window
 */
export function firstAccess(limit: number, windowSeconds: number): Access {
  return withoutToken({ limit, windowSeconds, remaining: limit, resetAt: 0 });
}

export const withoutToken = (quota: Quota): Access => ({
  quota,
  token: undefined,
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

/** Counts a file that is sent. Whether the service has counted it is known with its next answer. */
export function counted(access: Access, now: number): Access {
  if (access.token !== undefined) return access;

  const { quota } = access;
  const remaining = Math.max(0, leftOf(access, now) - 1);
  const isRenewed = now >= quota.resetAt;
  const resetAt = isRenewed ? now + 1000 * quota.windowSeconds : quota.resetAt;
  return { ...access, quota: { ...quota, remaining, resetAt } };
}

/** Takes a token that the user entered, to be checked. */
export function offered(access: Access, token: string | undefined): Access {
  if (token === undefined) return refused(access, 'malformed');
  return { ...access, candidate: token, problem: undefined };
}

const refused = (access: Access, problem: Access['problem']): Access => ({
  ...access,
  problem,
  wasAccepted: false,
});

/** Learns what is left, and whether a token is accepted no more. */
export function learned(access: Access, answer: AccessAnswer): Access {
  const known = { ...access, quota: quotaOf(access.quota, answer) };
  // The answer is about an earlier token, so its verdict does not count.
  if (answer.token !== access.token) return known;

  const problem = tokenProblemIn(answer.headers);
  if (access.token === undefined || !problem) return known;
  return { ...refused(known, problem), token: undefined, wasAccepted: true };
}

/** Learns whether the token that is being checked is accepted. */
export function checked(access: Access, { token, headers, isFromService }: TokenCheck): Access {
  if (token === undefined || token !== access.candidate) return access;

  const decided = { ...access, candidate: undefined };
  const problem = isFromService ? tokenProblemIn(headers) : 'unchecked';
  if (problem) return refused(decided, problem);
  return { ...decided, token };
}

function quotaOf(quota: Quota, { headers, sentAt }: AccessAnswer): Quota {
  if (!headers.has('X-RateLimit-Limit')) return quota;

  const number = (name: string) => Number(headers.get(name));
  return {
    ...quota,
    limit: number('X-RateLimit-Limit'),
    remaining: number('X-RateLimit-Remaining'),
    resetAt: sentAt + 1000 * number('X-RateLimit-Reset'),
  };
}

/** Why the service did not accept the token; undefined when it does not say. */
export function tokenProblemIn(headers: Headers): TokenProblem | undefined {
  const header = headers.get('WWW-Authenticate') ?? '';
  const reason = /error_description="([^"]*)"/.exec(header)?.[1];
  if (reason === undefined) return undefined;

  const known = Object.keys(TOKEN_PROBLEMS) as TokenProblem[];
  return known.find((problem) => TOKEN_PROBLEMS[problem].en === reason) ?? 'invalid';
}
