import fc from 'fast-check';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { expectDocumented, expectError } from '../support/contract.js';
import { BOUNDARY, decodeHead, decodeRequest, FORM, sendRaw } from '../support/raw-http.js';
import { startTestService, upload, type TestService } from '../support/service.js';

const service = await startTestService();
const client = supertest(service.url);

it.each([
  ...(['get', 'put', 'patch', 'delete', 'options'] as const).map(
    (method) => [method, '/api/decode', 'POST'] as const,
  ),
  ...['/api/status', '/api/docs', '/healthz'].map((path) => ['post', path, 'GET, HEAD'] as const),
])('%s %s: 405', async (method, path, allow) => {
  const response = await client[method](path);
  if (path === '/api/decode') expectError(response, 'method_not_allowed');
  else expectError(response, 'method_not_allowed', path, 'get');
  expect(response.headers).toMatchObject({ allow, 'cache-control': 'no-store' });
});

it.each(['/api', '/api/decode/x', '/%2e%2e/etc/passwd', '/docs/%00', '/%'])('get %s: 404', async (path) => {
  const { responses } = await sendRaw(service.port, [`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`]);
  expect(responses).toMatchObject([{ status: 404, body: { error: 'not_found' } }]);
  expect(Object.keys(responses[0]?.body as object)).toEqual(['error', 'message']);
});

it.each([
  ['of 20 KB', [`X: ${'x'.repeat(20_000)}`], 'headers_too_large'],
  ['of 3,000 lines', Array.from({ length: 3000 }, (_, i) => `X-${i}: y`), 'headers_too_large'],
  ['of both framings', ['Content-Length: 5', 'Transfer-Encoding: chunked'], 'bad_request'],
  ['of two lengths', ['Content-Length: 5', 'Content-Length: 6'], 'bad_request'],
  ['with a zero byte', ['X: \0'], 'bad_request'],
])('headers %s are refused, and the connection closed', async (_title, headers, error) => {
  const { responses, closed } = await sendRaw(service.port, [decodeHead(headers), 'abcde'], {
    count: 2,
    halfClose: true,
  });
  expect(responses).toHaveLength(1);
  expectError(responses[0], error);
  expect(closed).toBe(true);
});

it.each(['/api/status', '/api/docs', '/healthz'])('headers of %s are those behind a proxy', async (path) => {
  const { headers } = await client.get(path).set('Connection', 'keep-alive');
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'keep-alive': 'timeout=65' });
  expect(headers['cache-control']).toBe('no-store');
  expect(headers).toHaveProperty('content-security-policy');
  expect(headers).not.toHaveProperty('x-powered-by');
});

const crossSite = (to: TestService, origin: string) =>
  upload(to).set({ 'Sec-Fetch-Site': 'cross-site', Origin: origin });

it('a page of another site is refused before it spends any quota of its visitor', async () => {
  const limited = await startTestService({ RATE_LIMIT_MAX: '1' });
  expectError(await crossSite(limited, 'https://a.example'), 'cross_site_request');
  const response = await upload(limited).set('Sec-Fetch-Site', 'same-origin');
  expect(response).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '0' } });
  expect(response.headers).not.toHaveProperty('access-control-allow-origin');
});

const someOrigins = await startTestService({ CORS_ORIGINS: 'https://a.example, http://localhost:5173' });
const anyOrigin = await startTestService({ CORS_ORIGINS: '*' });

it.each(['https://a.example.evil', 'http://a.example', 'null', ''])(
  'a page of another site is refused when its origin %j is not in CORS_ORIGINS',
  async (origin) => {
    const response = await crossSite(someOrigins, origin);
    expectError(response, 'cross_site_request');
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  },
);

it.each([
  ['a listed one', someOrigins, 'https://a.example', 'https://a.example'],
  ['any with *', anyOrigin, 'https://b.example', '*'],
])('a page of another site is served when its origin is %s', async (_title, open, origin, allowOrigin) => {
  const { headers } = await crossSite(open, origin).expect(200);
  expect(headers['access-control-allow-origin']).toBe(allowOrigin);
  expect(headers['access-control-expose-headers']?.split(',')).toEqual(
    expect.arrayContaining(['RateLimit', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id']),
  );
  const preflight = await supertest(open.url).options('/api/decode').set({
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization',
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': allowOrigin,
    'access-control-allow-headers': '*, Authorization',
  });
});

it.each([
  [undefined, 'en'],
  ['ru', 'ru'],
  ['ru-RU,ru;q=0.9,en;q=0.8', 'ru'],
  ['en-US,en;q=0.9,ru;q=0.8', 'en'],
  ['de, ru;q=0.5', 'ru'],
  ['*', 'en'],
  ['\u00ff;;q=x', 'en'],
])('the language of an error is for Accept-Language %j: %s', async (accept, language) => {
  const request = client.put('/api/decode');
  const response = await (accept === undefined ? request : request.set('Accept-Language', accept));
  expectError(response, 'method_not_allowed');
  expect(response.headers).toMatchObject({
    'content-language': language,
    vary: expect.stringContaining('Accept-Language') as string,
  });
  expect((response.body as { message: string }).message).toMatch(language === 'ru' ? /[а-я]/ : /^[^а-я]+$/);
});

it('whatever the bytes of a form, the answer is as documented', async () => {
  const token = fc.constantFrom(
    ...[`--${BOUNDARY}`, `--${BOUNDARY}--`, '\r\n', '\n', '\r\n\r\n', '"', '\0', 'true'],
    ...['Content-Disposition: form-data; ', 'name="license"; ', 'filename="a.lic"', 'name="detailed"'],
    ...['name="a[b][c]"', 'name="__proto__"', 'Content-Type: text/plain; charset=x'],
    ...["filename*=utf-8''%FF%zz.lic", "filename*=x-none''a.lic", `filename="${'я'.repeat(4000)}.lic"`],
  );
  const piece = fc.oneof(
    { weight: 3, arbitrary: token.map((text) => Buffer.from(text)) },
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  );
  const odd = ['Content-Type: multipart/form-data', `${FORM}; boundary=x`, `${FORM}"; boundary="`];
  const contentType = fc.constantFrom(FORM, FORM, FORM, ...odd);
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 25 }), contentType, async (pieces, header) => {
      const { responses } = await sendRaw(service.port, [decodeRequest(Buffer.concat(pieces), header)]);
      expect(responses).toHaveLength(1);
      if (responses[0]) expectDocumented(responses[0]);
      expect(responses[0]?.status).toBeLessThan(500);
    }),
  );
  expect(service.files()).toEqual([]);
});

it('whatever the bytes of a request, the connection is answered or closed', async () => {
  const line = fc.constantFrom(
    ...['POST /api/decode HTTP/1.1\r\n', 'GET / HTTP/1.1\r\n', 'Host: x\r\n', `${FORM}\r\n`, 'X: \0\r\n'],
    ...['Content-Length: 5\r\n', 'Content-Length: -1\r\n', 'Transfer-Encoding: chunked\r\n'],
    ...['\r\n', '5\r\nabcde\r\n'],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(line, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 12 }),
      async (parts) => {
        const { responses, closed } = await sendRaw(service.port, parts, { count: 99, halfClose: true });
        expect(closed).toBe(true);
        for (const { status } of responses)
          expect([100, 200, 400, 404, 405, 413, 417, 431]).toContain(status);
      },
    ),
  );
  expect(service.files()).toEqual([]);
  await client.get('/healthz').expect(200);
});
