import { LANGUAGES, type Language } from '../../../errors/catalog.js';
import type { ErrorBody } from '../../../errors/http-error.js';
import type { AccessAnswer, TokenCheck } from './access.js';
import type { Decoded } from './facts.js';
import { hasLicenseName, LICENSE_ENDING } from './file-name.js';
import type { Failure, Problem } from './problem.js';

/** How a request for a file ended. */
export type Outcome =
  | { name: 'done'; result: Decoded }
  | { name: 'failed'; failure: Failure }
  /** The limit of the service is used up; seconds until its window ends. */
  | { name: 'limited'; problem: Problem; retryAfter: number }
  /** The file was not looked at, because there were too many requests. */
  | { name: 'turnedAway'; problem: Problem; waitMs: number }
  | Outage;

/** The service cannot be reached or cannot work, or this file keeps it from working. */
export interface Outage {
  name: 'outage';
  problem: Problem;
  /** Milliseconds until the status is asked; 0 when nobody says how long to wait. */
  waitMs: number;
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
    const outcome = outcomeOf(response, parse(await response.text()), language);
    return { outcome, answer: { token, headers: response.headers, sentAt } };
  } catch {
    return { outcome: { name: 'outage', problem: { key: 'noAnswer' }, waitMs: 0 }, answer: undefined };
  }
}

/** The service takes nothing else, and says of no name what it makes of it. */
const nameToSend = (name: string) => (hasLicenseName(name) ? name : `license${LICENSE_ENDING}`);

const authorization = (token: string | undefined) =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

/** What the page looks at in the answer, which may come from something else than the service. */
type DecodeBody = Partial<Omit<Decoded, 'structured'> & ErrorBody & { retryAfter: number }> & {
  structured?: Partial<Decoded['structured']>;
};

function parse(text: string): DecodeBody {
  try {
    return (JSON.parse(text) ?? {}) as DecodeBody;
  } catch {
    return {};
  }
}

/** Milliseconds to wait after a 429 that does not say how long. */
const TURNED_AWAY_MS = 60_000;

/** What a proxy refuses with these, it refuses because of the file or of the request, however often it is sent. */
const REFUSALS_OF_PROXIES = new Set([400, 404, 405, 413, 415, 422, 431]);

/** Errors of the service after which the file has failed, though it may work another time. */
const FAILURES_OF_SERVICE = new Set(['ring_crashed', 'internal_error', 'ring_timeout', 'decode_timeout']);

function outcomeOf(response: Response, body: DecodeBody, languageAsked: Language): Outcome {
  const { ok, status, headers } = response;
  if (ok && body.structured) return understood(body);

  const { error: code, message: sentence } = body;
  const isFromService = !ok && code !== undefined && sentence !== undefined;
  const waitMs = 1000 * (Number(headers.get('Retry-After')) || 0);
  if (!isFromService) return answerOfAnother(status, waitMs);

  const language = languageOf(headers) ?? languageAsked;
  const requestId = status >= 500 ? headers.get('X-Request-Id') : null;
  const problem: Problem = { code, sentence, language, requestId };
  if (code === 'rate_limited') return { name: 'limited', problem, retryAfter: body.retryAfter ?? 0 };
  if (code === 'queue_full') return { name: 'turnedAway', problem, waitMs: waitMs || TURNED_AWAY_MS };

  const isFaultOfRequest = status < 500;
  if (isFaultOfRequest || FAILURES_OF_SERVICE.has(code)) {
    const canRetry = !isFaultOfRequest || status === 408;
    return { name: 'failed', failure: { problem, canRetry } };
  }
  return { name: 'outage', problem, waitMs };
}

/** What a proxy, a gateway or a login page answers in place of the service. */
function answerOfAnother(status: number, waitMs: number): Outcome {
  const problem: Problem = { key: 'notTheService', values: { status: String(status) } };
  if (status === 429) return { name: 'turnedAway', problem, waitMs: waitMs || TURNED_AWAY_MS };
  if (REFUSALS_OF_PROXIES.has(status)) return { name: 'failed', failure: { problem, canRetry: true } };
  return { name: 'outage', problem, waitMs };
}

/** Whether an answer has the parts that the page reads. If not, the service is of another version than the page. */
function understood(body: DecodeBody): Outcome {
  const { pinCode, licData, validateData, structured } = body;
  const hasTexts = [pinCode, licData, validateData].every((text) => typeof text === 'string');
  const hasParts = structured?.owner !== undefined && structured.product !== undefined;
  if (hasTexts && hasParts) return { name: 'done', result: body as Decoded };

  const failure = { problem: { key: 'notUnderstood' }, canRetry: true } as const;
  return { name: 'failed', failure };
}

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
    const isReady = isFromService && (ok || isStandIn(ring));
    return { token, headers, sentAt, isFromService, isReady, ring };
  } catch {
    return { token, headers: new Headers(), sentAt, isFromService: false, isReady: false, ring: '' };
  }
}

/** Whether this is the demo, whose stand-in for ring says in its version what it is. */
export const isStandIn = (ring: string) => ring.endsWith('stand-in');
