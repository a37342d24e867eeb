import { ERROR_CODES, LANGUAGES, type ErrorCode, type Language } from '../../../errors/catalog.js';
import type { AccessAnswer, TokenCheck } from './access.js';
import { isDecoded } from './decode-answer.js';
import type { Decoded } from './facts.js';
import type { Problem } from './problem.js';

/** How a request for a file ended. */
export type Outcome =
  | { name: 'done'; result: Decoded }
  /** The file was not read. `failed`: it may be another time. `refused`: never, because of what is in it. */
  | { name: 'failed' | 'refused'; problem: Problem }
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
export async function decode({ bytes, language, token, signal }: DecodeRequest): Promise<Reply> {
  const body = new FormData();
  body.append('detailed', 'true');
  body.append('structured', 'true');
  body.append('license', bytes, SENT_NAME);
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

/** Each file is sent under this name. The service uses none, and firewalls stop requests for some, such as those with quotes. */
const SENT_NAME = 'license.lic';

const authorization = (token: string | undefined) =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

/** What the page looks at in the answer, which may come from something else than the service. */
type AnswerBody = Partial<Readonly<Record<'structured' | 'error' | 'message' | 'retryAfter', unknown>>>;

function parse(text: string): AnswerBody {
  try {
    return (JSON.parse(text) ?? {}) as AnswerBody;
  } catch {
    return {};
  }
}

/** Milliseconds to wait after a 429 that does not say how long. */
const TURNED_AWAY_MS = 60_000;

/** What a proxy refuses with these, it refuses because of the file or of the request, however often it is sent. */
const FAILURES_OF_PROXIES = new Set([400, 404, 405, 413, 415, 422, 431]);

/** Errors of the service for which what is in the file is the cause. */
const REFUSALS = new Set<ErrorCode>(['license_undecodable', 'file_too_large', 'file_empty']);

/** Errors of the service after which the file has failed, and the others are read all the same. */
const FAILURES = new Set<ErrorCode>(['ring_crashed', 'internal_error', 'ring_timeout', 'decode_timeout']);

function outcomeOf(response: Response, body: AnswerBody, languageAsked: Language): Outcome {
  const { ok, status, headers } = response;
  if (ok && isDecoded(body)) return { name: 'done', result: body };
  if (ok && body.structured) return NOT_UNDERSTOOD;

  const { error, message: sentence } = body;
  const code = ERROR_CODES.find((known) => known === error);
  const isFromService = !ok && code !== undefined && typeof sentence === 'string';
  const waitMs = 1000 * secondsIn(headers.get('Retry-After'));
  if (!isFromService) return answerOfAnother(status, waitMs);

  const language = languageOf(headers) ?? languageAsked;
  const requestId = status >= 500 ? headers.get('X-Request-Id') : null;
  const problem: Problem = { code, sentence, language, requestId };
  if (code === 'rate_limited') return { name: 'limited', problem, retryAfter: secondsIn(body.retryAfter) };
  if (code === 'queue_full') return { name: 'turnedAway', problem, waitMs: waitMs || TURNED_AWAY_MS };

  if (REFUSALS.has(code)) return { name: 'refused', problem };
  if (status < 500 || FAILURES.has(code)) return { name: 'failed', problem };
  return { name: 'outage', problem, waitMs };
}

/** The service is of another version than the page. */
const NOT_UNDERSTOOD: Outcome = {
  name: 'failed',
  problem: { key: 'notUnderstood' },
};

/** Seconds to wait; 0 when that is not said. A gateway that counts below zero would otherwise be asked without a pause. */
function secondsIn(value: unknown): number {
  const seconds = Number(value) || 0;
  return seconds < 0 ? 60 : seconds;
}

/** What a proxy, a gateway or a login page answers in place of the service. */
function answerOfAnother(status: number, waitMs: number): Outcome {
  const problem: Problem = { key: 'notTheService', values: { status: String(status) } };
  if (status === 429) return { name: 'turnedAway', problem, waitMs: waitMs || TURNED_AWAY_MS };
  if (FAILURES_OF_PROXIES.has(status)) return { name: 'failed', problem };
  return { name: 'outage', problem, waitMs };
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
    const isReady = isFromService && ok;
    return { token, headers, sentAt, isFromService, isReady, ring };
  } catch {
    return { token, headers: new Headers(), sentAt, isFromService: false, isReady: false, ring: '' };
  }
}

/** Whether this is the demo, whose stand-in for ring says in its version what it is. */
export const isStandIn = (ring: string) => ring.endsWith('stand-in');
