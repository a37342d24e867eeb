import { TOKEN_PROBLEMS, type TokenProblem } from '../../../errors/token-problems.js';

/** Seconds to wait after a 429 that does not say how long. */
const DEFAULT_WAIT = 60;
/** Milliseconds by which two answers about one window may differ, because they round to seconds. */
const ROUNDING_MS = 2000;

/** What an answer of the service tells about the limit and the token. */
export interface AccessAnswer {
  status: number;
  headers: Headers;
  /** Whether the service itself gave it, and nothing kept it from doing so: only then it has accepted the token. */
  isDecision: boolean;
  /** When the request was sent, in milliseconds since the epoch. The seconds in the headers count from about then. */
  sentAt: number;
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
  /** The token that the service has accepted. */
  readonly token: string | undefined;
  /** A token that was entered and is not accepted yet. `token` stays in use until it is. */
  readonly candidate: string | undefined;
  /** Whether the service is asked about `candidate`. Files are sent without it meanwhile, because each would count. */
  readonly isChecking: boolean;
  /** Why the last token is not accepted. */
  readonly problem: TokenProblem | 'malformed' | undefined;
  /** Whether that one had been accepted before. */
  readonly wasAccepted: boolean;
  /** Whether there is a field for a token: when the user wants one, and when one was refused. */
  readonly isAsked: boolean;
}

/**
 * @param limit files per window without a token
 * @param windowSeconds the length of the window
 */
export function firstAccess(limit: number, windowSeconds: number): Access {
  return {
    quota: { limit, windowSeconds, remaining: limit, resetAt: 0 },
    token: undefined,
    candidate: undefined,
    isChecking: false,
    problem: undefined,
    wasAccepted: false,
    isAsked: false,
  };
}

/** The token in what a user entered; undefined when it cannot be one. */
export function tokenIn(text: string): string | undefined {
  const token = text.trim().replace(/^Bearer\s+/i, '');
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) ? token : undefined;
}

/** The token to send. */
export function tokenToSend({ token, candidate, isChecking }: Access): string | undefined {
  if (isChecking) return token;
  return candidate ?? token;
}

/** Whether the service is known to set no limit. */
export const isUnlimited = ({ token, candidate }: Access) => token !== undefined && candidate === undefined;

/** How many files the service would read now, as far as the page knows. */
export function leftOf(access: Access, now: number): number {
  if (tokenToSend(access) !== undefined) return Infinity;
  const { limit, remaining, resetAt } = access.quota;
  return now < resetAt ? remaining : limit;
}

/** Takes a token that the user entered, to be checked. */
export function offered(access: Access, token: string | undefined): Access {
  if (token === undefined) return { ...access, isAsked: true, problem: 'malformed', wasAccepted: false };
  return { ...access, candidate: token, isChecking: true, problem: undefined };
}

export function withoutToken(access: Access): Access {
  return { ...firstAccess(0, 0), quota: access.quota };
}

/** Counts a file that is sent. Whether the service has counted it is known with its next answer. */
export function counted(access: Access, now: number): Access {
  if (tokenToSend(access) !== undefined) return access;
  const { quota } = access;
  const remaining = Math.max(0, leftOf(access, now) - 1);
  const resetAt = now < quota.resetAt ? quota.resetAt : now + 1000 * quota.windowSeconds;
  return { ...access, quota: { ...quota, remaining, resetAt } };
}

/**
 * Learns what is left, and whether a token is accepted. If the status gives no verdict on the token that is being
 * checked, the answer to the next file decides.
 * @param sent the token that the request had
 */
export function learned(access: Access, sent: string | undefined, answer: AccessAnswer): Access {
  const known = { ...access, quota: quotaOf(access.quota, answer) };
  if (sent === undefined) return known;
  if (sent === access.candidate) return candidateJudged(known, sent, answer);
  if (sent === access.token) return tokenJudged(known, answer);
  // It was sent before the token was changed, so it says nothing of the present one.
  return known;
}

function quotaOf(quota: Quota, { status, headers, sentAt }: AccessAnswer): Quota {
  const number = (name: string) => Number(headers.get(name));
  if (headers.has('X-RateLimit-Limit')) {
    const seconds = number('X-RateLimit-Reset') || DEFAULT_WAIT;
    return {
      ...quota,
      limit: number('X-RateLimit-Limit'),
      remaining: status === 429 ? 0 : number('X-RateLimit-Remaining'),
      resetAt: resetAfter(quota, sentAt + 1000 * seconds),
    };
  }
  if (status !== 429) return quota;
  const seconds = number('Retry-After') || DEFAULT_WAIT;
  return { ...quota, remaining: 0, resetAt: sentAt + 1000 * seconds };
}

/** Keeps the time of renewal while answers tell of the same one, so that no minute jumps to and fro. */
function resetAfter({ resetAt }: Quota, told: number): number {
  const isSame = Math.abs(told - resetAt) <= ROUNDING_MS;
  return isSame ? resetAt : told;
}

function candidateJudged(access: Access, candidate: string, { headers, isDecision }: AccessAnswer): Access {
  const checked = { ...access, isChecking: false };
  const problem = tokenProblemIn(headers);
  if (problem) return { ...checked, candidate: undefined, problem, wasAccepted: false, isAsked: true };
  if (!isDecision) return checked;
  return { ...checked, token: candidate, candidate: undefined, problem: undefined, isAsked: false };
}

function tokenJudged(access: Access, { headers }: AccessAnswer): Access {
  const problem = tokenProblemIn(headers);
  if (!problem) return access;
  return { ...access, token: undefined, problem, wasAccepted: true, isAsked: true };
}

/** Why the service did not accept the token; undefined when it does not say. */
function tokenProblemIn(headers: Headers): TokenProblem | undefined {
  const reason = /error_description="([^"]*)"/.exec(headers.get('WWW-Authenticate') ?? '')?.[1];
  if (reason === undefined) return undefined;
  const known = Object.keys(TOKEN_PROBLEMS) as TokenProblem[];
  return known.find((problem) => TOKEN_PROBLEMS[problem].en === reason) ?? 'invalid';
}
