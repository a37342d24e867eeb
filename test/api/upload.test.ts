import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { uploadLicense } from '../../src/decode/upload.js';
import { errorHandler } from '../../src/http/error-handler.js';
import { createHttpServer } from '../../src/http/server.js';
import { expectError, type ReceivedResponse } from '../support/contract.js';
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
import { listenAnywhere } from '../support/servers.js';
import { startTestService } from '../support/service.js';
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
const textFields = (count: number) => Array.from({ length: count }, (_, i) => text(`f${i}`));
const file = (name: string, filename = 'a.lic') => part(`name="${name}"; filename="${filename}"`);

it.each<[string, Part[], string]>([
  ['no part at all', [], 'file_missing'],
  ['no file', [text('detailed', 'true')], 'file_missing'],
  ['the license as a text field', [text('license')], 'file_missing'],
  ['an empty file name', [file('license', '')], 'file_missing'],
  ['a directory as file name', [file('license', 'a.lic/')], 'file_missing'],
  ['a zero byte in the file name', [file('license', 'a.lic\u0000')], 'malformed_body'],
  ['the file in another field', [file('file')], 'unexpected_file'],
  ['a nameless file', [part('filename="a.lic"')], 'unexpected_file'],
  ['two files', [LICENSE_PART, file('license')], 'unexpected_file'],
  ['a second file in another field', [LICENSE_PART, file('other')], 'unexpected_file'],
  ['33 text fields', [...textFields(33), LICENSE_PART], 'malformed_body'],
  ['5,000 text fields', textFields(5000), 'malformed_body'],
  ['a name of 257 bytes', [text('ж'.repeat(128) + 'a'), LICENSE_PART], 'malformed_body'],
  ['a value of 16,385 bytes', [text('comment', 't'.repeat(16_385)), LICENSE_PART], 'malformed_body'],
  ['the license as a long text field', [text('license', 't'.repeat(16_385))], 'file_missing'],
  ['5,000 files', Array.from({ length: 5000 }, () => file('license')), 'unexpected_file'],
  ...['a.lic ', 'a.lі\u0441'].map((name): [string, Part[], string] => [
    `a file named ${name}`,
    [file('license', name)],
    'wrong_file_name',
  ]),
])('a form with %s is refused', async (_title, parts, error) =>
  expectError(await post(decodeRequest(multipart(parts))), error),
);

it.each<[string, Part[]]>([
  ['32 of them', textFields(32)],
  ['a name of 256 bytes', [text('ж'.repeat(128))]],
  ['a value of 16,384 bytes', [text('comment', 't'.repeat(16_384))]],
  ['the value of an option that is long', [text('detailed', 't'.repeat(300))]],
  ['an empty name', [text('')]],
  ['no name', [part('')]],
  ['the name of the file', [text('license')]],
  ['a list', [text('detailed[]', 'true')]],
  ['a name of many levels', [text('a' + '[b]'.repeat(80))]],
  ['a huge index (CVE-2026-82333)', [text('detailed[4294967294]', 'true')]],
  ['two huge indexes (CVE-2026-77078)', [text('a[4294967294]'), text('a[4294967295]')]],
  ...['__proto__', '__proto__[detailed]', 'constructor', 'toString'].map((name): [string, Part[]] => [
    `the name ${name}`,
    [text(name, 'true')],
  ]),
])('text fields with %s are ignored', async (_title, parts) => {
  for (const form of [
    [...parts, LICENSE_PART],
    [LICENSE_PART, ...parts],
  ]) {
    const response = await post(decodeRequest(multipart(form)));
    expect(response).toMatchObject({ status: 200, body: { licHWConfig: null } });
    expect(response?.body).not.toHaveProperty('structured');
  }
  expect(({} as Record<string, unknown>)['detailed']).toBeUndefined();
});

it.each([[['true', 'false']], [['false', 'true']]])(
  'of the values %j of detailed, one asks',
  async (values) => {
    const parts = values.map((value) => text('detailed', value));
    const response = await post(decodeRequest(multipart([...parts, LICENSE_PART])));
    expect(response).toMatchObject({ body: { licHWConfig: expect.any(String) as string } });
  },
);

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
  ['an empty boundary is refused', whole, FORM_OF, 'malformed_body'],
  ['an empty boundary in quotes is refused', whole, `${FORM_OF}""`, 'malformed_body'],
  ...['a/b', '===1===', 'a b', "a'()+_,-./:=?b"].flatMap((boundary): [string, Buffer, string][] => [
    [`the boundary ${boundary} is decoded`, wholeWith(boundary), FORM_OF + boundary],
    [`the boundary "${boundary}" is decoded`, wholeWith(boundary), `${FORM_OF}"${boundary}"`],
  ]),
  ['a semicolon behind the boundary is decoded', whole, `${OWN};`],
  ['a semicolon and a space behind the boundary is decoded', whole, `${OWN} ; `],
  [
    'a Boundary in upper case behind a charset is decoded',
    whole,
    OWN.replace('bound', 'charset=utf-8; BOUND'),
  ],
  ['another boundary is refused', whole, `${FORM_OF}other`, 'malformed_body'],
  ['a boundary of 70 in quotes is decoded', wholeWith(LONG), `${FORM_OF}"${LONG}"`],
  ['a boundary of 71 is refused', wholeWith(TOO_LONG), FORM_OF + TOO_LONG, 'malformed_body'],
  ['a boundary of 71 in quotes is refused', wholeWith(TOO_LONG), `${FORM_OF}"${TOO_LONG}"`, 'malformed_body'],
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

/** A form in which text of Russian letters stands before the file, and its headers with this Content-Length. */
function counted(letters: number, lengthOf: (form: Buffer) => number): [string, Buffer] {
  const form = multipart([text('comment', 'ж'.repeat(letters)), LICENSE_PART]);
  return [decodeHead([FORM, `Content-Length: ${lengthOf(form)}`]), form];
}

it.each([
  ['by 3 bytes', 3],
  ['by 8,000 bytes', 8_000],
])('a Content-Length that is too small %s is named in a 400', async (_title, letters) => {
  const [head, form] = counted(letters, (form) => form.toString().length);
  for (const chunks of [[head + form.toString()], [head, form]]) {
    const response = await post(...chunks);
    expectError(response, 'malformed_body');
    const message = expect.stringContaining('Content-Length counts bytes') as string;
    expect(response).toMatchObject({ headers: { connection: 'close' }, body: { message } });
  }
});

it('a form is decoded whatever comes behind its Content-Length', async () => {
  const [head, form] = counted(1, ({ length }) => length);
  expect(await post(head, form, 'no HTTP')).toMatchObject({ status: 200, headers: { connection: 'close' } });
});

it.each([
  ['a line break', '\r\n'],
  ['an epilogue', '\r\nno part'],
])('%s that comes late is part of the form', async (_title, late) => {
  const form = multipart([LICENSE_PART], `--${BOUNDARY}--`);
  const head = decodeHead([FORM, `Content-Length: ${form.length + late.length}`]);
  const socket = openConnection(service.port, head, form);
  const responses = responsesOn(socket);
  await until(() => service.files().length > 0);
  expect(responses()).toEqual([]);
  socket.write(late);
  await until(() => responses().length > 0);
  expect(responses()).toMatchObject([{ status: 200 }]);
});

it.each([0, 1, 2, 3])(
  'a byte order mark before the form is ignored, also if a chunk ends behind byte %i',
  async (end) => {
    const marked = Buffer.from(`\uFEFF${String(multipart([text('detailed', 'true'), LICENSE_PART]))}`);
    const chunks = [marked.subarray(0, end), marked.subarray(end)].filter(({ length }) => length > 0);
    const head = decodeHead([FORM, 'Transfer-Encoding: chunked']);
    const response = await post(head, ...chunks.map(chunked), '0\r\n\r\n');
    expect(response).toMatchObject({ status: 200, body: { licHWConfig: expect.any(String) as string } });
  },
);

it.each(['gzip', 'br', 'identity, gzip'])(
  'a body with Content-Encoding %s is answered 415',
  async (encoding) => {
    const response = await post(decodeRequest(whole, `${FORM}\r\nContent-Encoding: ${encoding}`));
    expectError(response, 'body_compressed');
  },
);

it('a body with Content-Encoding identity is decoded', async () => {
  const response = await post(decodeRequest(whole, `${FORM}\r\nContent-Encoding: Identity`));
  expect(response).toMatchObject({ status: 200 });
});

it('a file name that the parser cannot read is answered as such', async () => {
  const response = await post(decodeRequest(multipart([file('license', 'ООО "Ромашка".lic')])));
  expectError(response, 'file_missing');
  expect(response?.body).toHaveProperty('message', expect.stringMatching(/file name .*cannot be read/));
});

describe('a file', () => {
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

it('a refusal waits for the file that is being written, and removes it', async () => {
  const directory = await tempDirectory();
  const begun = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<undefined>();
  const newUpload = async () => {
    begun.resolve(undefined);
    await gate.promise;
    return join(directory, 'upload');
  };
  const storage = {
    newUpload,
    newDecode: newUpload,
    newArchive: newUpload,
    findProblem: newUpload,
    closeAndRemoveFiles: () => undefined,
  };
  const app = express().use(uploadLicense(storage, new AbortController().signal), errorHandler);
  const { server } = createHttpServer(app, 60_000, 60_000);
  const port = await listenAnywhere(server);
  const head = decodeHead([FORM, 'Transfer-Encoding: chunked']);
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
