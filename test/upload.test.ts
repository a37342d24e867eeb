import { randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { fakeRing } from './support/fake-ring.js';
import { BOUNDARY, decodeHead, LICENSE_PART, multipart, sendRaw, type Part } from './support/raw-http.js';
import { LICENSE, startTestService, upload, type TestService } from './support/service.js';

const MAX = 5_242_880;
const start = async () => startTestService({ RING_CMD: await fakeRing() });

/** Sends a form over a raw connection; the service must answer it, stay alive and keep nothing. */
async function post(
  service: TestService,
  body: Buffer,
  contentType = `multipart/form-data; boundary=${BOUNDARY}`,
) {
  const head = decodeHead([`Content-Type: ${contentType}`, `Content-Length: ${body.length}`]);
  const { responses } = await sendRaw(service.port, [head, body]);
  const [response] = responses;
  if (!response) throw new Error('no answer');
  expectDocumented(response);
  expect(service.files()).toEqual([]);
  await supertest(service.url).get('/healthz').expect(200);
  return response;
}

describe('the size of the file', () => {
  it.each([
    [MAX - 1, 200],
    [MAX, 200],
    [MAX + 1, 413],
    [MAX + 200_000, 413],
  ])('%i bytes: %i', async (size, status) => {
    const service = await start();
    const response = await upload(service, randomBytes(size));
    expectDocumented(response);
    expect(response.status).toBe(status);
    if (status === 413) expect(response.body).toMatchObject({ error: 'file_too_large' });
    expect(service.files()).toEqual([]);
  });
});

describe('the name of the file', () => {
  it.each([
    'a.lic',
    'a.LIC',
    'a.Lic',
    '.lic',
    'лицензия (копия).lic',
    'a'.repeat(300) + '.lic',
    '../../../etc/passwd.lic',
    '$(reboot).lic',
    '-rf.lic',
  ])('takes %j', async (name) => {
    const service = await start();
    expect((await upload(service, LICENSE, name)).status).toBe(200);
  });

  it.each(['a.txt', 'lic', 'a.lic.exe', 'a.lic ', 'a.lic\u0000', 'x\u0000.lic', 'a.lic/', 'a.lі\u0441'])(
    'refuses %j with 400',
    async (name) => {
      const service = await start();
      const response = await post(
        service,
        multipart([{ disposition: `name="license"; filename="${name}"`, content: 'x' }]),
      );
      expect(response).toMatchObject({ status: 400 });
    },
  );
});

describe('a form that is not as it should be', () => {
  const text = (name: string, content = 'x'): Part => ({ disposition: `name="${name}"`, content });
  const file = (name: string, filename = 'a.lic'): Part => ({
    disposition: `name="${name}"; filename="${filename}"`,
    content: 'x',
  });

  it.each<[string, Part[], string]>([
    ['no part at all', [], 'file_missing'],
    ['no file', [text('detailed', 'true')], 'file_missing'],
    ['license as a text field', [text('license')], 'file_missing'],
    ['an empty file name', [file('license', '')], 'file_missing'],
    ['the file in another field', [file('file')], 'unexpected_file'],
    [
      'the file in a field of no name',
      [{ disposition: 'filename="a.lic"', content: 'x' }],
      'unexpected_field',
    ],
    ['two files', [LICENSE_PART, file('license')], 'unexpected_file'],
    ['a second file in another field', [LICENSE_PART, file('other')], 'unexpected_file'],
    ['two text fields', [text('detailed'), text('detailed'), LICENSE_PART], 'unexpected_field'],
    ['a field without a name', [text(''), LICENSE_PART], 'unexpected_field'],
    ['a nested name', [text('detailed[a]'), LICENSE_PART], 'unexpected_field'],
    ['a name 5,000 levels deep', [text('a' + '[b]'.repeat(5000)), LICENSE_PART], 'unexpected_field'],
    ['an indexed name', [text('detailed[0]'), LICENSE_PART], 'unexpected_field'],
    ['a huge index', [text('detailed[4294967294]'), LICENSE_PART], 'unexpected_field'],
    ['two huge indices (CVE-2026-77078)', [text('a[4294967294]'), text('a[4294967295]')], 'unexpected_field'],
    ['__proto__ nested', [text('__proto__[x]'), LICENSE_PART], 'unexpected_field'],
    ['constructor.prototype nested', [text('constructor[prototype][x]'), LICENSE_PART], 'unexpected_field'],
    ['a long name', [text('a'.repeat(65)), LICENSE_PART], 'unexpected_field'],
    ['a long value', [text('detailed', 't'.repeat(65)), LICENSE_PART], 'unexpected_field'],
    ['5,000 text fields', Array.from({ length: 5000 }, (_, i) => text(`f${i}`)), 'unexpected_field'],
    ['5,000 files', Array.from({ length: 5000 }, () => file('license')), 'unexpected_file'],
  ])('%s: 400', async (_title, parts, error) => {
    const response = await post(await start(), multipart(parts));
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error });
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'takes no harm from a field named %s',
    async (name) => {
      const response = await post(await start(), multipart([text(name, 'true'), LICENSE_PART]));
      expect(response.status).toBe(200);
      expect(({} as Record<string, unknown>)['true']).toBeUndefined();
    },
  );
});

describe('a body that is no form', () => {
  const whole = multipart([LICENSE_PART]);
  it.each<[string, Buffer, string, string]>([
    ['JSON', Buffer.from('{"license":1}'), 'application/json', 'not_multipart'],
    ['a urlencoded form', Buffer.from('license=1'), 'application/x-www-form-urlencoded', 'not_multipart'],
    ['multipart/mixed', whole, `multipart/mixed; boundary=${BOUNDARY}`, 'not_multipart'],
    ['a missing boundary', whole, 'multipart/form-data', 'malformed_body'],
    ['an empty boundary', whole, 'multipart/form-data; boundary=', 'file_missing'],
    ['another boundary', whole, 'multipart/form-data; boundary=other', 'malformed_body'],
    [
      'a body that is cut off',
      whole.subarray(0, -8),
      `multipart/form-data; boundary=${BOUNDARY}`,
      'malformed_body',
    ],
    ['no bytes', Buffer.alloc(0), `multipart/form-data; boundary=${BOUNDARY}`, 'malformed_body'],
    [
      'a part without headers',
      Buffer.from(`--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`),
      `multipart/form-data; boundary=${BOUNDARY}`,
      'malformed_body',
    ],
    [
      'a malformed part header',
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition form-data\r\n\r\nx\r\n--${BOUNDARY}--\r\n`),
      `multipart/form-data; boundary=${BOUNDARY}`,
      'malformed_body',
    ],
    ['random bytes', randomBytes(10_000), `multipart/form-data; boundary=${BOUNDARY}`, 'malformed_body'],
  ])('%s: 400', async (_title, body, contentType, error) => {
    const response = await post(await start(), body, contentType);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error });
  });

  it('answers 400 without a content type', async () => {
    const service = await start();
    const { responses } = await sendRaw(service.port, [decodeHead(['Content-Length: 3']), 'abc']);
    expect(responses).toMatchObject([{ status: 400, body: { error: 'not_multipart' } }]);
  });
});

describe('other paths and methods', () => {
  it.each(['get', 'put', 'patch', 'delete', 'options'] as const)('%s /api/decode: 405', async (method) => {
    const response = await supertest((await start()).url)[method]('/api/decode');
    expect(response.status).toBe(405);
    expect(response.headers).toMatchObject({ allow: 'POST', 'cache-control': 'no-store' });
    expect(response.body).toMatchObject({ error: 'method_not_allowed' });
    expectDocumented(response);
  });

  it.each(['/api/status', '/api/docs', '/healthz'])('post %s: 405', async (path) => {
    const response = await supertest((await start()).url).post(path);
    expect(response.status).toBe(405);
    expectDocumented(response, path, 'get');
  });

  it.each(['/api', '/api/decode/x', '/%2e%2e/etc/passwd', '/%'])('%s: 404 or 400 in JSON', async (path) => {
    const { responses } = await sendRaw((await start()).port, [`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`]);
    expect(responses).toHaveLength(1);
    expect([400, 404]).toContain(responses[0]?.status);
    expect(Object.keys(responses[0]?.body as object)).toEqual(['error', 'message']);
  });
});
