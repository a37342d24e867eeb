import { LANGUAGES, type Language } from '../../../errors/catalog.js';
import type { ErrorBody } from '../../../errors/http-error.js';
import { tokenProblemIn, type AccessAnswer, type TokenCheck } from './access.js';
import type { Decoded } from './facts.js';
import { hasLicenseName, LICENSE_ENDING } from './file-name.js';
import type { Failure, Problem } from './problem.js';

/** How a request for a file ended. */
export type Outcome =
  { name: 'done'; result: Decoded } | { name: 'failed'; failure: Failure } | { name: 'limited' } | Outage;

/** The service cannot be reached or cannot work. */
export interface Outage {
  name: 'outage';
  problem: Problem;
  /** Seconds; 0 when nobody says how long to wait. */
  retryAfter: number;
}

export interface DecodeRequest {
  /** That of the file. */
  name: string;
  bytes: Blob;
  /** The language of the messages. */
  language: Language;
  token: string | undefined;
  /** Cancels the request. */
  signal: AbortSignal;
}

export interface Reply {
  outcome: Outcome;
  /** Undefined when no answer came. */
  answer: AccessAnswer | undefined;
}

/** Milliseconds in which the status must come. */
const STATUS_TIMEOUT_MS = 10_000;

/**
 * The address of something of the service, which a proxy may have put below a path: from the page's own directory. A user
 * name and a password in the address of the page are left out, because `fetch` refuses addresses that have them.
 */
const addressOf = (path: string) => new URL(path, `${location.origin}${location.pathname}`);

/** Sends a file to the API. Never rejects. */
export async function decode({ name, bytes, language, token, signal }: DecodeRequest): Promise<Reply> {
  const body = new FormData();
  body.append('detailed', 'true');
  body.append('structured', 'true');
  body.append('license', bytes, nameToSend(name));
  try {
    const sentAt = Date.now();
    const headers = { 'Accept-Language': language, ...authorization(token) };
    const response = await fetch(addressOf('api/decode'), { method: 'POST', body, headers, signal });
    const outcome = outcomeOf(response, parse(await response.text()), { language, token });
    return { outcome, answer: { token, headers: response.headers, sentAt } };
  } catch {
    return { outcome: outage({ key: 'noAnswer' }, 0), answer: undefined };
  }
}

/** The service takes nothing else, and says of no name what it makes of it. */
const nameToSend = (name: string) => (hasLicenseName(name) ? name : `license${LICENSE_ENDING}`);

const authorization = (token: string | undefined) =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

/** What the page looks at in the answer, which may come from something else than the service. */
type DecodeBody = Partial<Decoded & ErrorBody>;

function parse(text: string): DecodeBody {
  try {
    return (JSON.parse(text) ?? {}) as DecodeBody;
  } catch {
    return {};
  }
}

function outcomeOf(
  response: Response,
  body: DecodeBody,
  request: Pick<DecodeRequest, 'language' | 'token'>,
): Outcome {
  const { ok, status, headers } = response;
  if (ok && body.structured) return { name: 'done', result: body as Decoded };

  const retryAfter = Number(headers.get('Retry-After')) || 0;
  if (status === 429 && isLimitOfService(headers, request.token)) return { name: 'limited' };

  const { error: code, message: sentence } = body;
  if (ok || status === 429 || code === undefined || sentence === undefined) {
    // A proxy with a limit of its own, one that has lost the service, or a login page in its place.
    return outage({ key: 'notTheService', values: { status: String(status) } }, retryAfter);
  }

  const language = languageOf(headers) ?? request.language;
  const requestId = status >= 500 ? headers.get('X-Request-Id') : null;
  const problem: Problem = { code, sentence, language, requestId };
  if (status === 503) return outage(problem, retryAfter);

  const canRetry = status >= 500 || status === 408;
  return { name: 'failed', failure: { problem, canRetry } };
}

/** Whether a 429 comes from the service. It tells its limit, and limits nobody whose token it accepts. */
function isLimitOfService(headers: Headers, token: string | undefined): boolean {
  if (!headers.has('X-RateLimit-Limit')) return false;
  return token === undefined || tokenProblemIn(headers) !== undefined;
}

const outage = (problem: Problem, retryAfter: number): Outage => ({ name: 'outage', problem, retryAfter });

/** The language of an answer; undefined when it names none of the service's. */
function languageOf(headers: Headers): Language | undefined {
  const named = headers.get('Content-Language');
  return LANGUAGES.find((language) => language === named);
}

/** What the service says of itself. */
export interface ServiceStatus extends TokenCheck {
  /** Whether it can read licenses. */
  isReady: boolean;
  /** The version of ring; empty when nothing is known. */
  ring: string;
}

/** What the page looks at in the answer, which may come from something else than the service. */
interface StatusBody {
  ready?: boolean;
  ring?: { version?: string };
}

/**
 * Asks the service what is left of the limit, and whether it accepts a token. Costs nothing of the limit.
 * @param token what the headers then tell about
 */
export async function checkStatus(token?: string): Promise<ServiceStatus> {
  const sentAt = Date.now();
  try {
    const response = await fetch(addressOf('api/status'), {
      headers: authorization(token),
      signal: AbortSignal.timeout(STATUS_TIMEOUT_MS),
    });
    const { ok, status, headers } = response;
    const body = (await response.json()) as StatusBody;
    const ring = body.ring?.version ?? '';
    const hasItsStatus = status === 200 || status === 503;
    const isFromService = hasItsStatus && typeof body.ready === 'boolean';
    // The stand-in reads its samples without Java too.
    const isReady = ok || isStandIn(ring);
    return { token, headers, sentAt, isFromService, isReady, ring };
  } catch {
    return { token, headers: new Headers(), sentAt, isFromService: false, isReady: false, ring: '' };
  }
}

/** Whether this is the demo, whose stand-in for ring says in its version what it is. */
export const isStandIn = (ring: string) => ring.endsWith('stand-in');
