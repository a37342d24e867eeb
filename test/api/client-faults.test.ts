import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { expectError } from '../support/contract.js';
import { processesIn } from '../support/processes.js';
import {
  BOUNDARY,
  chunked,
  closing,
  decodeHead,
  decodeRequest,
  FORM,
  LICENSE_PART,
  multipart,
  openConnection,
  responsesOn,
  sendRaw,
  unfinishedUpload,
} from '../support/raw-http.js';
import { SOON, startTestService, upload } from '../support/service.js';
import { expectNothingLeft } from '../support/temp.js';
import { until } from '../support/until.js';

const service = await startTestService({ RING_CONCURRENCY: '1' });
const limited = await startTestService({
  RATE_LIMIT_MAX: '0',
  JWT_SECRET: 'x'.repeat(32),
  RING_CONCURRENCY: '1',
  RING_QUEUE_LIMIT: '0',
});
const soon = await startTestService({}, undefined, SOON);
const hasty = await startTestService({ UPLOAD_TIMEOUT_MS: '1000', METRICS_PORT: '0' }, undefined, SOON);

afterEach(async () => {
  for (const each of [service, limited, soon, hasty]) await expectNothingLeft(each);
});

const CHUNKED = decodeHead([FORM, 'Transfer-Encoding: chunked']);
const OWN_CHUNKED = CHUNKED.replace('Host', 'X-Request-Id: own\r\nHost');
const FILE_PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${String(LICENSE_PART.disposition)}\r\n\r\n`;

const formOf = (size: number) => multipart([{ ...LICENSE_PART, content: randomBytes(size) }]);

/** Waits until the service has logged that many decode requests whose clients did not wait for the answer. */
const expectGone = (count: number) =>
  expect
    .poll(() => service.requests().map(({ res }) => (res as { status: number }).status))
    .toEqual(Array(count).fill(499));

const whole = decodeRequest(formOf(3_000_000));
it.each<[string, Buffer]>([
  ['before the body', Buffer.from(decodeHead([FORM, 'Content-Length: 1000']))],
  ['in mid-file', whole.subarray(0, 1_000_000)],
  ['just before the end', whole.subarray(0, -3)],
])('a client that goes away %s leaves nothing', async (_title, begin) => {
  for (const how of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const socket = openConnection(service.port, begin);
    if (begin.length > 1000) await until(() => service.files().length > 0);
    else await new Promise((sent) => socket.write('', sent));
    socket[how]();
    await until(() => service.files().length === 0);
  }
  await expectGone(3);
});

it.each(['list', 'info', 'validate', 'debugValidate'] as const)(
  'a client that goes away during %s leaves nothing',
  async (command) => {
    await service.setRing({ [command]: 'sleep 300 & wait' });
    const request = upload(service).field('detailed', String(command === 'debugValidate'));
    request.end(() => undefined);
    await until(() => processesIn(service.tmpBase).length >= 2);
    request.abort();
    await expectGone(1);
    expect(service.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  },
);

it('a client that goes away while its decode waits leaves nothing, and the decode never runs', async () => {
  await service.setRing({ list: 'sleep 300' });
  const sockets = Array.from({ length: 5 }, () => openConnection(service.port, decodeRequest()));
  await until(() => service.decoding() === 5);
  for (const socket of sockets.slice(1)) socket.destroy();
  await until(() => service.decoding() === 1);
  sockets[0]?.destroy();
  await expectGone(5);
});

it('a client that is slow with its headers is answered 408 after UPLOAD_TIMEOUT_MS, and cut off', async () => {
  const { responses, closed } = await sendRaw(hasty.port, ['GET / HTTP/1.1\r\nHost: x\r\n'], { count: 2 });
  expect(responses).toHaveLength(1);
  expectError(responses[0], 'request_timeout');
  const message = expect.stringContaining('within 1 second.') as string;
  expect(responses).toMatchObject([{ body: { message } }]);
  expect(closed).toBe(true);
});

it.each([
  ['does not end', unfinishedUpload('X-Request-Id: own'), 'request_timeout', 408],
  ['breaks off in mid-chunk', `${OWN_CHUNKED}4000\r\n${FILE_PART}`, 'request_timeout', 408],
  ['breaks the framing of its first chunk', `${OWN_CHUNKED}x`, 'bad_request', 400],
  [
    'breaks the framing of its second chunk',
    `${OWN_CHUNKED}ff\r\n${FILE_PART.padEnd(255)}\r\nx`,
    'bad_request',
    400,
  ],
])('a body that %s is answered, logged and counted alike, and its connection closed', async (...row) => {
  const [, request, code, status] = row;
  const socket = openConnection(hasty.port, request);
  const responses = responsesOn(socket);
  await until(() => responses().length > 0);
  expect(hasty.files()).toEqual([]);
  expectError(responses()[0], code);
  expect(responses()).toMatchObject([{ headers: { 'x-request-id': 'own', connection: 'close' } }]);
  socket.end();
  await once(socket, 'close');
  expect(hasty.requests()).toMatchObject([{ level: 40, req: { id: 'own' }, res: { status }, code }]);
  const metrics = await (await fetch(`${hasty.metricsUrl}/metrics`)).text();
  expect(metrics).toMatch(new RegExp(`^license_decoder_decodes_total{outcome="${code}"} [1-9]`, 'm'));
  expect(metrics).toMatch(/^license_decoder_decodes_total{outcome="client_gone"} 0$/m);
});

it.each([
  ['many tiny chunks is cut off', 1, 20_000, []],
  ['few tiny chunks is decoded', 1, 4_000, [{ status: 200 }]],
  ['many chunks that are not tiny is decoded', 100, 20_000, [{ status: 200 }]],
])('a body in %s', async (_title, size, count, expected) => {
  const content = Buffer.concat(Array<Buffer>(count).fill(chunked(Buffer.alloc(size, 'a'))));
  const end = chunked(Buffer.from(`\r\n--${BOUNDARY}--\r\n`));
  const body = [chunked(Buffer.from(FILE_PART)), content, end, '0\r\n\r\n'];
  const { responses, closed } = await sendRaw(service.port, [CHUNKED, ...body]);
  expect(responses).toMatchObject(expected);
  expect(closed).toBe(expected.length === 0);
});

it('a body that is too large is refused before it is read when it announces 50 GB', async () => {
  const { responses } = await sendRaw(service.port, [decodeHead([FORM, 'Content-Length: 50000000000'])]);
  expectError(responses[0], 'file_too_large');
  // Some clients would send their next request into the rest of this body.
  expect(responses).toMatchObject([{ headers: { connection: 'close' } }]);
});

it.each([
  ['file_too_large', FILE_PART],
  ['wrong_file_name', FILE_PART.replace('.lic', '.txt')],
])('a body that has no end is answered %s while it is sent, and cut off soon', async (error, part) => {
  const piece = chunked(randomBytes(65_536));
  const socket = openConnection(soon.port, CHUNKED, chunked(Buffer.from(part)));
  const responses = responsesOn(socket);
  const pump = () => {
    while (socket.writable && !socket.readableEnded && socket.write(piece));
  };
  socket.on('drain', () => setTimeout(pump, 20));
  pump();
  await until(() => responses().length > 0);
  expect(soon.files()).toEqual([]);
  await closing(socket);
  expectError(responses()[0], error);
});

const early = decodeRequest(formOf(5_242_880)).toString('latin1');
const late = Buffer.concat([Buffer.from(CHUNKED), chunked(formOf(15_000_000)), Buffer.from('0\r\n\r\n')]);
const withHeader = (request: string, header: string) => request.replace('Host', `${header}\r\nHost`);
it.each([
  ['before the body is read', limited, early, 'rate_limited'],
  ['in the midst of the body', service, late.toString('latin1'), 'file_too_large'],
])('a refusal %s is readable for a client that reads only when it has sent all', async (...row) => {
  const [, refusing, request, error] = row;
  const variants = [request, withHeader(request, 'Connection: close')];
  if (!request.includes('chunked')) variants.push(request.replace('HTTP/1.1', 'HTTP/1.0'));
  for (const variant of [...variants, withHeader(request, 'Expect: 100-continue')]) {
    const options = { readLate: true, count: variant.includes('Expect') ? 2 : 1 };
    const { responses } = await sendRaw(refusing.port, [Buffer.from(variant, 'latin1')], options);
    expectError(responses.at(-1), error);
  }
});

it.each([
  ['POST', '/api/decode', 400],
  ['GET', '/', 200],
  ['GET', '/icon.svg', 200],
])('%s %s: the answer closes the connection when the body stays away', async (method, path, status) => {
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n`;
  const { responses, closed } = await sendRaw(soon.port, [head], { count: 2 });
  expect(responses).toMatchObject([{ status }]);
  expect(closed).toBe(true);
});

it('a refusal frees its place at once, though its connection stays open for the body', async () => {
  for (let n = 0; n < 3; n++) {
    const responses = responsesOn(openConnection(limited.port, unfinishedUpload('Connection: close')));
    await until(() => responses().length > 0);
    expectError(responses()[0], 'rate_limited');
  }
});
