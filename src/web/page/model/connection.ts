import { LANGUAGES, type Language } from '../../../errors/catalog.js';
import type { ErrorBody } from '../../../errors/http-error.js';
import type { AccessAnswer } from './access.js';
import type { Decoded } from './facts.js';
import type { Failure, OwnProblem, Problem } from './problem.js';

/** How a request for a file ended. */
export type Outcome =
  | { name: 'done'; result: Decoded }
  | { name: 'failed'; failure: Failure }
  | { name: 'limited' }
  /** The service cannot be reached or cannot work. `mayBeFile` when the file may be why. */
  | { name: 'outage'; problem: Problem; retryAfter: number; mayBeFile: boolean };

export interface DecodeRequest {
  /** Files with the same bytes. The first that can still be read is sent. */
  copies: readonly File[];
  /** The language of the messages. */
  language: Language;
  token: string | undefined;
  /** Cancels the request. If it fires before the file is read, nothing is sent. */
  signal: AbortSignal;
}

/** Milliseconds in which the status must come. */
const STATUS_TIMEOUT_MS = 10_000;

const FILE_GONE: Outcome = { name: 'failed', failure: { problem: { key: 'fileGone' }, canRetry: true } };
const NO_ANSWER: Outcome = {
  name: 'outage',
  problem: { key: 'noAnswer' },
  retryAfter: 0,
  mayBeFile: true,
};

/** Sends a file to the API. Never rejects. */
export async function decode(request: DecodeRequest): Promise<{ outcome: Outcome; answer?: AccessAnswer }> {
  const { copies, language, token, signal } = request;
  const copy = await readFirst(copies);
  if (!copy) return { outcome: FILE_GONE };

  const body = new FormData();
  body.append('detailed', 'true');
  body.append('structured', 'true');
  body.append('license', new Blob([copy.bytes]), copy.name);
  try {
    signal.throwIfAborted();
    const headers = { 'Accept-Language': language, ...authorization(token) };
    const sentAt = Date.now();
    const response = await fetch('/api/decode', { method: 'POST', body, headers, signal });
    return await readAnswer(response, language, sentAt);
  } catch {
    return { outcome: NO_ANSWER };
  }
}

/** Reads the first file that has not changed or gone since it was chosen; `fetch` would report that like a lost connection. */
async function readFirst(files: readonly File[]) {
  for (const file of files) {
    const bytes = await file.arrayBuffer().catch(() => undefined);
    if (bytes) return { name: file.name, bytes };
  }
  return undefined;
}

const authorization = (token: string | undefined) =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

async function readAnswer(
  response: Response,
  asked: Language,
  sentAt: number,
): Promise<{ outcome: Outcome; answer: AccessAnswer }> {
  const { ok, status, headers } = response;
  const body = parse(await response.text());
  const isDecision = (ok && body.structured !== undefined) || (status === 422 && body.error !== undefined);
  return { outcome: outcomeOf(response, body, asked), answer: { status, headers, isDecision, sentAt } };
}

type AnyBody = Partial<Decoded & ErrorBody>;

function outcomeOf({ ok, status, headers }: Response, body: AnyBody, asked: Language): Outcome {
  if (ok && body.structured) return { name: 'done', result: body as Decoded };
  if (status === 429) return { name: 'limited' };

  const retryAfter = Number(headers.get('Retry-After')) || 0;
  const { error: code, message: sentence } = body;
  if (ok || code === undefined || sentence === undefined) {
    // A proxy that has lost the service, or a login page in its place.
    const problem: Problem = { key: 'notTheService', values: { status: String(status) } };
    return { name: 'outage', problem, retryAfter, mayBeFile: true };
  }

  const problem: Problem = {
    code,
    sentence,
    language: languageOf(headers) ?? asked,
    requestId: status >= 500 ? headers.get('X-Request-Id') : null,
  };
  // Each 503 of the service is about itself, such as a full queue.
  if (status === 503) return { name: 'outage', problem, retryAfter, mayBeFile: false };
  if (status === 502) return { name: 'outage', problem, retryAfter, mayBeFile: true };
  const canRetry = status >= 500 || status === 408;
  return { name: 'failed', failure: { problem, canRetry } };
}

/** The language of an answer; undefined when it names none of the service's. */
function languageOf(headers: Headers): Language | undefined {
  const named = headers.get('Content-Language');
  return LANGUAGES.find((language) => language === named);
}

function parse(text: string): AnyBody {
  try {
    return (JSON.parse(text) ?? {}) as AnyBody;
  } catch {
    return {};
  }
}

/** What the service says of itself. */
export interface ServiceStatus extends AccessAnswer {
  /** Whether it can read licenses. */
  isReady: boolean;
  /** Why it says that it cannot. */
  problem: OwnProblem | undefined;
  /** The version of ring; empty when nothing is known. */
  ring: string;
}

/** What the page looks at in the answer, which may come from something else than the service. */
interface StatusBody {
  ready?: boolean;
  jre?: { installed?: boolean };
  ring?: { installed?: boolean; version?: string };
}

/**
 * Asks the service how it is, what is left of the limit, and whether it accepts a token. Costs nothing of the limit.
 * @param token what the headers then tell about
 */
export async function checkStatus(token?: string): Promise<ServiceStatus> {
  const sentAt = Date.now();
  try {
    const response = await fetch('/api/status', {
      headers: authorization(token),
      signal: AbortSignal.timeout(STATUS_TIMEOUT_MS),
    });
    const { ok, status, headers } = response;
    const body = (await response.json()) as StatusBody;
    const ring = body.ring?.version ?? '';
    // The stand-in reads its samples without Java too.
    const isReady = ok || isStandIn(ring);
    // A proxy in place of the service would give another answer.
    const isDecision = typeof body.ready === 'boolean' && (status === 200 || status === 503);
    const problem = isDecision && !isReady ? whyNotReady(body) : undefined;
    return { isReady, problem, ring, status, headers, isDecision, sentAt };
  } catch {
    const headers = new Headers();
    return { isReady: false, problem: undefined, ring: '', status: 0, headers, isDecision: false, sentAt };
  }
}

/** Whether this is the demo, whose stand-in for ring says in its version what it is. */
export const isStandIn = (ring: string) => ring.endsWith('stand-in');

function whyNotReady({ jre, ring }: StatusBody): OwnProblem {
  // Without Java ring does not start either.
  if (jre?.installed === false) return { key: 'noJava' };
  if (ring?.installed === false) return { key: 'noRing' };
  return { key: 'notReady' };
}
