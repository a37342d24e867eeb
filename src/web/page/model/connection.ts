import type { Language } from '../../../errors/catalog.js';
import type { ErrorBody } from '../../../errors/http-error.js';
import type { AccessAnswer } from './access.js';
import type { Decoded } from './facts.js';
import type { Failure, Problem } from './problem.js';

/** How a request for a file ended. */
export type Outcome =
  | { name: 'done'; result: Decoded }
  | { name: 'failed'; failure: Failure }
  | { name: 'limited' }
  /** The service cannot be reached or cannot work. `mayBeFile` when the file may be why. */
  | { name: 'outage'; problem: Problem; retryAfter: number; mayBeFile: boolean };

export interface DecodeRequest {
  file: File;
  /** Of the messages. */
  language: Language;
  token: string | undefined;
  /** Gives up, before the file is read too: then nothing is sent. */
  signal: AbortSignal;
}

/** Milliseconds in which the status must come. */
const STATUS_TIMEOUT_MS = 10_000;

/** Sends a file to the API. Never rejects. */
export async function decode(request: DecodeRequest): Promise<{ outcome: Outcome; answer?: AccessAnswer }> {
  const { file, language, token, signal } = request;
  let body: FormData;
  try {
    // The file may have changed since it was chosen; `fetch` would report that like a lost connection.
    const bytes = await file.arrayBuffer();
    body = new FormData();
    body.append('detailed', 'true');
    body.append('structured', 'true');
    body.append('license', new Blob([bytes]), file.name);
  } catch {
    return { outcome: { name: 'failed', failure: { problem: { key: 'fileGone' }, canRetry: true } } };
  }
  const headers = { 'Accept-Language': language, ...(token && { Authorization: `Bearer ${token}` }) };
  try {
    signal.throwIfAborted();
    const response = await fetch('/api/decode', { method: 'POST', body, headers, signal });
    return await readAnswer(response, language);
  } catch {
    return { outcome: { name: 'outage', problem: { key: 'noAnswer' }, retryAfter: 0, mayBeFile: true } };
  }
}

async function readAnswer(
  response: Response,
  asked: Language,
): Promise<{ outcome: Outcome; answer: AccessAnswer }> {
  const { ok, status, headers } = response;
  const text = await response.text();
  const body = parse(text);
  const isDecision = (ok && body.structured !== undefined) || (status === 422 && body.error !== undefined);
  const answer = { status, headers, isDecision };
  if (ok && body.structured) return { outcome: { name: 'done', result: body as Decoded }, answer };
  if (status === 429) return { outcome: { name: 'limited' }, answer };
  const outage = { name: 'outage', retryAfter: Number(headers.get('Retry-After')) || 0 } as const;
  if (ok || body.error === undefined || body.message === undefined) {
    // A proxy that has lost the service, or a login page in its place.
    const problem: Problem = { key: 'notTheService', values: { status: String(status) } };
    return { outcome: { ...outage, problem, mayBeFile: true }, answer };
  }
  const said = headers.get('Content-Language');
  const problem: Problem = {
    text: body.message,
    language: said === null ? asked : said === 'ru' ? 'ru' : 'en',
    requestId: status >= 500 ? headers.get('X-Request-Id') : null,
  };
  // Each 503 of the service is about itself, such as a full queue.
  if (status === 502 || status === 503)
    return { outcome: { ...outage, problem, mayBeFile: status === 502 }, answer };
  const canRetry = status >= 500 || status === 408;
  return { outcome: { name: 'failed', failure: { problem, canRetry } }, answer };
}

function parse(text: string): Partial<Decoded & ErrorBody> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Decoded & ErrorBody>;
  } catch {
    return {};
  }
}

/** What the service says of itself. */
export interface ServiceStatus extends AccessAnswer {
  /** Whether it can decode. */
  isReady: boolean;
  /** Its version; empty when nothing is known. */
  ring: string;
}

/**
 * Asks the service how it is, and whether it accepts a token. Costs nothing of the limit.
 * @param token what the headers then tell about
 */
export async function checkStatus(token?: string): Promise<ServiceStatus> {
  try {
    const response = await fetch('/api/status', {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(STATUS_TIMEOUT_MS),
    });
    const { ok, status, headers } = response;
    const { ready, ring } = (await response.json()) as { ready?: boolean; ring?: { version?: string } };
    // Not a proxy in its place.
    const isDecision = typeof ready === 'boolean' && (status === 200 || status === 503);
    return { isReady: ok, ring: ring?.version ?? '', status, headers, isDecision };
  } catch {
    return { isReady: false, ring: '', status: 0, headers: new Headers(), isDecision: false };
  }
}
