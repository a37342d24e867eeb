import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { uploadLicense } from '../../src/decode/upload.js';
import { errorHandler } from '../../src/http/error-handler.js';
import { createHttpServer } from '../../src/http/server.js';
import { expectDocumented, expectError, type ReceivedResponse } from '../support/contract.js';
import {
  BOUNDARY,
  chunked,
  decodeHead,
  decodeRequest,
  FORM,
  LICENSE_PART,
  multipart,
  openConnection,
  responsesOn,
  sendRaw,
  type Part,
} from '../support/raw-http.js';
import { startTestService, upload } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const MAX = 5_242_880;
const MAX_BODY = MAX + 65_536;

const service = await startTestService();

/** Sends one request over a raw connection; the service must keep nothing of it. */
async function post(...chunks: (Buffer | string)[]): Promise<ReceivedResponse | undefined> {
  const { responses } = await sendRaw(service.port, chunks);
  expect(service.files()).toEqual([]);
  return responses[0];
}

const text = (name: string, content = 'x'): Part => ({ disposition: `name="${name}"`, content });
const part = (disposition: Part['disposition']): Part => ({ disposition, content: 'x' });
const file = (name: string, filename = 'a.lic') => part(`name="${name}"; filename="${filename}"`);

it.each<[string, Part[], string]>([
  ['no part at all', [], 'file_missing'],
  ['no file', [text('detailed', 'true')], 'file_missing'],
  ['the license as a text field', [text('license')], 'file_missing'],
  ['an empty file name', [file('license', '')], 'file_missing'],
  ['a directory as file name', [file('license', 'a.lic/')], 'file_missing'],
  ['a zero byte in the file name', [file('license', 'a.lic\u0000')], 'malformed_body'],
  ['the file in another field', [file('file')], 'unexpected_file'],
  ['a nameless file', [part('filename="a.lic"')], 'unexpected_field'],
  ['two files', [LICENSE_PART, file('license')], 'unexpected_file'],
  ['a second file in another field', [LICENSE_PART, file('other')], 'unexpected_file'],
  ['three text fields', [text('a'), text('b'), text('c'), LICENSE_PART], 'unexpected_field'],
  ['a field without a name', [text(''), LICENSE_PART], 'unexpected_field'],
  ['a name 5,000 levels deep', [text('a' + '[b]'.repeat(5000)), LICENSE_PART], 'unexpected_field'],
  ['a huge index', [text('detailed[4294967294]'), LICENSE_PART], 'unexpected_field'],
  ['two huge indexes (CVE-2026-77078)', [text('a[4294967294]'), text('a[4294967295]')], 'unexpected_field'],
  ['__proto__ nested', [text('__proto__[x]'), LICENSE_PART], 'unexpected_field'],
  ['a long name', [text('a'.repeat(65)), LICENSE_PART], 'unexpected_field'],
  ['a long value', [text('detailed', 't'.repeat(65)), LICENSE_PART], 'unexpected_field'],
  ['5,000 text fields', Array.from({ length: 5000 }, (_, i) => text(`f${i}`)), 'unexpected_field'],
  ['5,000 files', Array.from({ length: 5000 }, () => file('license')), 'unexpected_file'],
  ...['a.txt', 'lic', 'a.lic.exe', 'a.lic ', 'a.lі\u0441'].map((name): [string, Part[], string] => [
    `a file named ${name}`,
    [file('license', name)],
    'wrong_file_name',
  ]),
])('a form with %s is refused', async (_title, parts, error) =>
  expectError(await post(decodeRequest(multipart(parts))), error),
);

it.each<[string, Part[], string]>([
  ['a misspelled field', [text('strucured', 'true'), LICENSE_PART], 'strucured'],
  ['an unknown field after the file', [LICENSE_PART, text('foo')], 'foo'],
  ['a third field', [text('detailed'), text('structured'), text('third'), LICENSE_PART], 'third'],
  ['a list', [text('detailed[]', 'true'), LICENSE_PART], 'detailed[]'],
  ['a field that comes twice', [text('detailed'), LICENSE_PART, text('detailed')], 'detailed'],
  ['the license as a text field too', [text('license'), LICENSE_PART], 'license'],
  ['a long name', [text('a'.repeat(65)), LICENSE_PART], `${'a'.repeat(32)}…`],
  ['quotes in a name', [text(String.raw`a\"b`), LICENSE_PART], String.raw`a\u{22}b`],
  ['control characters in a name', [text('a\tb\u202e'), LICENSE_PART], String.raw`a\u{9}b\u{202e}`],
])('the refusal of a form with %s shows the name of the field', async (_title, parts, name) => {
  const response = await post(decodeRequest(multipart(parts)));
  expectError(response, 'unexpected_field');
  expect((response?.body as { message: string }).message).toContain(`The field "${name}" is `);
  // A client may put anything into a name.
  expect(JSON.stringify(service.log)).not.toContain(name);
});

const whole = multipart([LICENSE_PART]);
const one = (header: string) => Buffer.from(`--${BOUNDARY}\r\n${header}\r\nx\r\n--${BOUNDARY}--\r\n`);
const [LONG, TOO_LONG] = ['b'.repeat(70), 'b'.repeat(71)];
const wholeWith = (boundary: string) => Buffer.from(whole.toString().replaceAll(BOUNDARY, boundary));
const FORM_OF = 'multipart/form-data; boundary=';
const OWN = FORM_OF + BOUNDARY;
it.each<[string, Buffer, string, string?]>([
  ['JSON is refused', Buffer.from('{"license":1}'), 'application/json', 'not_multipart'],
  ['multipart/mixed is refused', whole, `multipart/mixed; boundary=${BOUNDARY}`, 'not_multipart'],
  ['no content type is refused', whole, '', 'not_multipart'],
  ['no boundary is refused', whole, 'multipart/form-data', 'malformed_body'],
  ['an empty boundary is refused', whole, FORM_OF, 'file_missing'],
  ['another boundary is refused', whole, `${FORM_OF}other`, 'malformed_body'],
  ['a boundary of 70 in quotes is decoded', wholeWith(LONG), `${FORM_OF}"${LONG}"`],
  ['a boundary of 71 is refused', wholeWith(TOO_LONG), FORM_OF + TOO_LONG, 'malformed_body'],
  ['a boundary of 71 in quotes is refused', wholeWith(TOO_LONG), `${FORM_OF}"${TOO_LONG}"`, 'malformed_body'],
  ['a Content-Type of 256 characters is decoded', whole, `${OWN}; x=`.padEnd(256, 'y')],
  ['a Content-Type of 257 characters is refused', whole, `${OWN}; x=`.padEnd(257, 'y'), 'malformed_body'],
  ['a form cut off in mid-file is refused', whole.subarray(0, -30), OWN, 'malformed_body'],
  ['no bytes is refused', Buffer.alloc(0), OWN, 'malformed_body'],
  ['a part without headers is refused', one(''), OWN, 'malformed_body'],
  ['a malformed part header is refused', one('Content-Disposition form-data\r\n'), OWN, 'malformed_body'],
  ['random bytes is refused', randomBytes(10_000), OWN, 'malformed_body'],
])('a body with %s', async (_title, body, contentType, error) => {
  const response = await post(decodeRequest(body, `Content-Type: ${contentType}`));
  if (error === undefined) expect(response).toMatchObject({ status: 200 });
  else expectError(response, error);
});

describe('a file', () => {
  it.each([MAX - 1, MAX, MAX + 1, MAX + 200_000])('of %i bytes is decoded up to 5 MB', async (size) => {
    const response = await upload(service, randomBytes(size));
    expect(response.status).toBe(size <= MAX ? 200 : 413);
    expectDocumented(response);
    expect(service.files()).toEqual([]);
  });

  it.each([
    ['announced', MAX_BODY, 200],
    ['announced', MAX_BODY + 1, 413],
    ['in chunks', MAX_BODY, 200],
    ['in chunks', MAX_BODY + 1, 413],
  ])('in a form %s of %i bytes: %i', async (how, size, status) => {
    const form = multipart([LICENSE_PART]);
    // What stands before the first boundary belongs to no part (RFC 2046, section 5.1.1).
    const body = Buffer.concat([Buffer.alloc(size - form.length - 2, ' '), Buffer.from('\r\n'), form]);
    const request =
      how === 'announced'
        ? [decodeRequest(body)]
        : [decodeHead([FORM, 'Transfer-Encoding: chunked']), chunked(body), '0\r\n\r\n'];
    expect(await post(...request)).toMatchObject({ status });
  });

  it.each<[string, string | Buffer]>([
    ['in UTF-8', 'filename="лицензия (копия).lic"'],
    ['of 300 letters', `filename="${'a'.repeat(300)}.lic"`],
    ['with a path and an option in it', 'filename="../../../etc/-rf.LIC"'],
    ['with a command in it', 'filename="$(reboot);`reboot`.lic"'],
    ['in the extended form', "filename*=utf-8''%D0%BB.lic"],
    ['in latin1', Buffer.from('filename="\xcb\xe8\xf6.lic"', 'latin1')],
    ['that is not UTF-8', Buffer.from('filename="\xff\xfe\xc3.lic"', 'latin1')],
  ])('with a name %s is decoded', async (_title, parameter) => {
    const disposition = Buffer.concat([Buffer.from('name="license"; '), Buffer.from(parameter)]);
    expect(await post(decodeRequest(multipart([part(disposition)])))).toMatchObject({ status: 200 });
  });
});

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'a field named %s is refused as any other, and does no harm',
  async (name) => {
    expectError(await post(decodeRequest(multipart([text(name, 'true'), LICENSE_PART]))), 'unexpected_field');
    expect(({} as Record<string, unknown>)['true']).toBeUndefined();
  },
);

it('a refusal waits for the file that is being written, and removes it', async () => {
  const directory = await tempDirectory();
  const begun = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<undefined>();
  const newUpload = async () => {
    begun.resolve(undefined);
    await gate.promise;
    return join(directory, 'upload');
  };
  const storage = { newUpload, newDecode: newUpload, closeAndRemoveFiles: () => undefined };
  const app = express().use(uploadLicense(storage, new AbortController().signal), errorHandler);
  const { server } = createHttpServer(app, 60_000, 60_000);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const head = decodeHead([FORM, 'Transfer-Encoding: chunked']);
  const { port } = server.address() as AddressInfo;
  const socket = openConnection(port, head, chunked(multipart([LICENSE_PART], '')));
  const responses = responsesOn(socket);
  await begun.promise;
  // Each further segment breaks the body again.
  for (let n = 0; n < 2; n++) {
    const broken = once(server, 'clientError');
    socket.write('no length\r\n');
    await broken;
  }
  // An answer that does not wait would have come by now.
  await sleep(100);
  expect(responses()).toEqual([]);
  gate.resolve(undefined);
  await until(() => responses().length > 0);
  expect(responses()).toMatchObject([{ status: 400, body: { error: 'bad_request' } }]);
  expect(readdirSync(directory)).toEqual([]);
  socket.destroy();
});
