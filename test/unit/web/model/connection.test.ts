import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkStatus, decode, type DecodeRequest } from '../../../../src/web/page/model/connection.js';
import { decoded } from './licenses.js';

const request = (parts: Partial<DecodeRequest> = {}): DecodeRequest => ({
  bytes: new Blob(['bytes']),
  language: 'ru',
  token: undefined,
  signal: new AbortController().signal,
  ...parts,
});
/** Where the page was opened. */
beforeEach(() => void vi.stubGlobal('location', new URL('http://user:password@host/licenses/?lang=ru')));
afterEach(() => void vi.unstubAllGlobals());

/** Has the browser get this in answer to each request. */
function answerWith(answer: () => Response | Promise<Response>) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => answer());
  vi.stubGlobal('fetch', fetch);
  return fetch;
}
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });
const FAILURE = { error: 'storage_unavailable', message: 'Said.' };
const said = (language = 'ru', requestId: string | null = null) => ({
  code: 'storage_unavailable',
  sentence: 'Said.',
  language,
  requestId,
});
const notTheService = (status: string) => ({ key: 'notTheService', values: { status } });

const NOT_UNDERSTOOD = { name: 'failed', problem: { key: 'notUnderstood' } };
/** An answer with another part `structured`. */
const changed = (change: object) => {
  const { structured, ...texts } = decoded({});
  return { ...texts, structured: { ...structured, ...change } };
};
const code = (error: string) => ({ error, message: 'Said.' });
const withCode = (error: string) => ({ problem: { ...said(), code: error } });

/** What is answered, in words and as a response, and what the page makes of it. */
type Case = [what: string, answer: () => Response, outcome: object];

describe('an answer', () => {
  it.each<Case>([
    ['200', () => json(200, decoded({})), { name: 'done', result: { licName: '' } }],
    ['200 with more than the page knows', () => json(200, changed({ new: {} })), { name: 'done' }],
    ['200 without a fact', () => json(200, changed({ computer: undefined })), { name: 'done' }],
    ...[
      { owner: undefined },
      { owner: { company: 7 } },
      { product: { kind: 'both' } },
      { file: { validUntil: 'soon' } },
      { file: { users: '5' } },
      { file: 'text' },
      { binding: 'phone' },
      { computer: ['PC'] },
      { other: undefined },
      { other: ['line'] },
    ].map((change): Case => [
      `200 with ${JSON.stringify(change)}`,
      () => json(200, changed(change)),
      NOT_UNDERSTOOD,
    ]),
    ["200 without ring's texts", () => json(200, { ...decoded({}), licData: null }), NOT_UNDERSTOOD],
    ...[400, 403, 404, 408, 415, 429].map((status): Case => [
      `${status}`,
      () => json(status, FAILURE),
      { name: 'failed', problem: said() },
    ]),
    ...['license_undecodable', 'file_too_large', 'file_empty'].map((error): Case => [
      error,
      () => json(422, code(error)),
      { name: 'refused', ...withCode(error) },
    ]),
    ...['ring_crashed', 'internal_error', 'ring_timeout', 'decode_timeout'].map((error): Case => [
      error,
      () => json(500, code(error)),
      { name: 'failed', ...withCode(error) },
    ]),
    [
      'internal_error with an id, in English',
      () => json(500, code('internal_error'), { 'X-Request-Id': 'abc', 'Content-Language': 'en' }),
      { name: 'failed', problem: { language: 'en', requestId: 'abc' } },
    ],
    [
      '422 with an id, which is no fault of the service',
      () => json(422, FAILURE, { 'X-Request-Id': 'abc' }),
      { name: 'failed', problem: said() },
    ],
    [
      'rate_limited',
      () => json(429, { ...code('rate_limited'), retryAfter: 60 }),
      { name: 'limited', retryAfter: 60 },
    ],
    [
      'queue_full',
      () => json(503, code('queue_full'), { 'Retry-After': '5' }),
      { name: 'turnedAway', ...withCode('queue_full'), waitMs: 5000 },
    ],
    [
      'any other 5xx',
      () => json(503, FAILURE, { 'Retry-After': '7' }),
      { name: 'outage', problem: said(), waitMs: 7000 },
    ],
    [
      'any other 5xx, without a time',
      () => json(500, FAILURE),
      { name: 'outage', problem: said(), waitMs: 0 },
    ],
    ...[
      { message: ['bad'], error: 'Bad Request' },
      { error: 'Bad Request', message: 'Said.' },
      { error: 'unauthorized', message: 'Said.' },
      { error: 'license_undecodable' },
    ].map((body): Case => [
      `400 of a gateway with ${JSON.stringify(body)}`,
      () => json(400, body),
      { name: 'failed', problem: notTheService('400') },
    ]),
    ...[400, 404, 405, 413, 415, 422, 431].map((status): Case => [
      `${status} of a proxy`,
      () => new Response('<html>', { status }),
      { name: 'failed', problem: notTheService(`${status}`) },
    ]),
    ...[200, 401, 403, 502, 503].map((status): Case => [
      `${status} of a proxy`,
      () => new Response('<html>', { status }),
      { name: 'outage', problem: notTheService(`${status}`), waitMs: 0 },
    ]),
    [
      '429 of a proxy',
      () => new Response('<html>', { status: 429, headers: { 'X-RateLimit-Limit': '9' } }),
      { name: 'turnedAway', problem: notTheService('429'), waitMs: 60_000 },
    ],
    ...Object.entries({ '-1': 60_000, '0': 60_000, '5': 5000 }).map(([seconds, waitMs]): Case => [
      `429 of a proxy with Retry-After: ${seconds}`,
      () => new Response('<html>', { status: 429, headers: { 'Retry-After': seconds } }),
      { name: 'turnedAway', waitMs },
    ]),
    [
      '503 with Retry-After: -1',
      () => json(503, FAILURE, { 'Retry-After': '-1' }),
      { name: 'outage', waitMs: 60_000 },
    ],
    ['null', () => json(200, null), { name: 'outage', problem: notTheService('200') }],
    ['no license', () => json(200, { ok: 1 }), { name: 'outage', problem: notTheService('200') }],
  ])('of %s is %s', async (_what, answer, outcome) => {
    answerWith(answer);
    expect(await decode(request())).toMatchObject({ outcome });
  });

  it('has what tells about the limit and the token with which it was sent', async () => {
    answerWith(() => json(429, FAILURE, { 'X-RateLimit-Limit': '3' }));
    const { answer } = await decode(request({ token: 'aaa.bbb.ccc' }));
    expect(answer?.token).toBe('aaa.bbb.ccc');
    expect(answer?.headers.get('X-RateLimit-Limit')).toBe('3');
  });

  it('that never comes is an outage', async () => {
    answerWith(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await decode(request())).toEqual({
      outcome: { name: 'outage', problem: { key: 'noAnswer' }, waitMs: 0 },
      answer: undefined,
    });
  });
});

describe('a request', () => {
  it.each([
    ['aaa.bbb.ccc', { 'Accept-Language': 'ru', Authorization: 'Bearer aaa.bbb.ccc' }],
    [undefined, { 'Accept-Language': 'ru' }],
  ])('has the file under a name of its own, and the token %s', async (token, headers) => {
    const fetch = answerWith(() => json(429, FAILURE));
    await decode(request({ token }));
    const sent = fetch.mock.lastCall?.[1];
    expect(sent?.headers).toEqual(headers);
    const { license, ...fields } = Object.fromEntries(sent?.body as FormData);
    expect(fields).toEqual({ detailed: 'true', structured: 'true' });
    expect(license).toMatchObject({ name: 'license.lic' });
    expect(await (license as File).text()).toBe('bytes');
  });
});

const told = { ready: true, ring: { version: '0.19' } };
it.each<[string, () => Response | Promise<Response>, object]>([
  ['ready', () => json(200, told), { ring: '0.19', isFromService: true, isReady: true }],
  [
    'not ready',
    () => json(503, { ...told, ready: false }),
    { ring: '0.19', isFromService: true, isReady: false },
  ],
  ['of a proxy', () => new Response('<html>'), { ring: '', isFromService: false, isReady: false }],
  ['of a proxy in JSON', () => json(200, { ok: true }), { isFromService: false, isReady: false }],
  ['of a login page', () => json(401, told), { isFromService: false }],
  ['lost', () => Promise.reject(new TypeError()), { ring: '', isFromService: false }],
])('a status that is %s', async (_what, answer, status) => {
  answerWith(answer);
  expect(await checkStatus()).toMatchObject(status);
});

it.each([
  ['aaa.bbb.ccc', { Authorization: 'Bearer aaa.bbb.ccc' }],
  [undefined, {}],
])('a request for the status with the token %s tells what the service says of it', async (token, headers) => {
  const fetch = answerWith(() => json(200, told, { 'WWW-Authenticate': 'Bearer' }));
  const status = await checkStatus(token);
  expect(fetch.mock.lastCall?.[1]).toMatchObject({ headers });
  expect(status.headers.get('WWW-Authenticate')).toBe('Bearer');
});
