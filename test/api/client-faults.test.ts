import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { expectError } from '../support/contract.js';
import { processesIn } from '../support/processes.js';
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
  unfinishedUpload,
} from '../support/raw-http.js';
import { SOON, startTestService, upload, type TestService } from '../support/service.js';
import { expectNothingLeft } from '../support/temp.js';
import { until } from '../support/until.js';

const CHUNKED = decodeHead([FORM, 'Transfer-Encoding: chunked']);
const OWN_CHUNKED = CHUNKED.replace('Host', 'X-Request-Id: own\r\nHost');
const FILE_PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${String(LICENSE_PART.disposition)}\r\n\r\n`;

const uploadOf = (size: number) =>
  decodeRequest(multipart([{ ...LICENSE_PART, content: randomBytes(size) }]));

const closing = (socket: Socket) =>
  new Promise((resolve) => socket.once('end', resolve).once('close', resolve));

async function expectClean(service: TestService): Promise<void> {
  await expectNothingLeft(service);
  await supertest(service.url).get('/healthz').expect(200);
}

/** Waits until the service has logged that many decode requests whose clients did not wait for the answer. */
const expectGone = (service: TestService, count: number) =>
  expect
    .poll(() => service.requests().map(({ res }) => (res as { status: number }).status))
    .toEqual(Array(count).fill(499));

const whole = uploadOf(3_000_000);
it.each<[string, (string | Buffer)[]]>([
  ['before the body', [decodeHead([FORM, 'Content-Length: 1000'])]],
  ['in mid-file', [whole.subarray(0, 1_000_000)]],
  ['just before the end', [whole.subarray(0, -3)]],
])('a client that goes away %s leaves nothing', async (_title, chunks) => {
  const service = await startTestService();
  for (const how of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const socket = openConnection(service.port, ...chunks);
    if (chunks.join('').length > 1000) await until(() => service.files().length > 0);
    else await new Promise((sent) => socket.write('', sent));
    socket[how]();
    await until(() => service.files().length === 0);
  }
  await expectClean(service);
});

it.each(['list', 'info', 'validate', 'debugValidate'] as const)(
  'a client that goes away during %s leaves nothing',
  async (command) => {
    const service = await startTestService({ RING_CMD: { [command]: 'sleep 300 & wait' } });
    const request = upload(service).field('detailed', String(command === 'debugValidate'));
    request.end(() => undefined);
    await until(() => processesIn(service.tmpBase).length >= 2);
    request.abort();
    await expectNothingLeft(service);
    await expectGone(service, 1);
    expect(service.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  },
);

it('a client that goes away while its decode waits leaves nothing, and the decode never runs', async () => {
  const service = await startTestService({ RING_CMD: { list: 'sleep 300' }, RING_CONCURRENCY: '1' });
  const sockets = Array.from({ length: 5 }, () => openConnection(service.port, decodeRequest()));
  await until(() => service.decoding() === 5);
  for (const socket of sockets.slice(1)) socket.destroy();
  await until(() => service.decoding() === 1);
  sockets[0]?.destroy();
  await expectNothingLeft(service);
  await expectGone(service, 5);
});

it('a client that is slow with its headers is answered 408 after UPLOAD_TIMEOUT_MS, and cut off', async () => {
  const service = await startTestService({ UPLOAD_TIMEOUT_MS: '1000' }, undefined, SOON);
  const { responses, closed } = await sendRaw(service.port, ['GET / HTTP/1.1\r\nHost: x\r\n'], {
    count: 2,
  });
  expect(responses).toHaveLength(1);
  expectError(responses[0], 'request_timeout');
  expect(closed).toBe(true);
});

it.each([
  ['and does not end', unfinishedUpload('X-Request-Id: own'), 'request_timeout', 408],
  ['and breaks off in mid-chunk', `${OWN_CHUNKED}4000\r\n${FILE_PART}`, 'request_timeout', 408],
  ['before no length', `${OWN_CHUNKED}ff\r\n${FILE_PART.padEnd(255)}\r\nx`, 'bad_request', 400],
])(
  'a body that has begun %s is answered and logged with its own id, and cut off',
  async (_title, request, code, status) => {
    const service = await startTestService({ UPLOAD_TIMEOUT_MS: '1000' });
    const socket = openConnection(service.port, request);
    const responses = responsesOn(socket);
    await until(() => responses().length > 0);
    expect(service.files()).toEqual([]);
    expectError(responses()[0], code);
    expect(responses()).toMatchObject([{ headers: { 'x-request-id': 'own', connection: 'close' } }]);
    socket.end();
    await once(socket, 'close');
    expect(service.requests()).toMatchObject([{ level: 40, req: { id: 'own' }, res: { status }, code }]);
  },
);

const dust = Buffer.from('1\r\nx\r\n'.repeat(20_000));

it('a body in tiny chunks closes the connection', async () => {
  const service = await startTestService();
  const body = Buffer.concat([chunked(Buffer.from(FILE_PART)), dust]);
  const { closed } = await sendRaw(service.port, [CHUNKED, body], { count: 2 });
  expect(closed).toBe(true);
  await expectClean(service);
});

it.each([
  ['few', 1, 4_000],
  ['many that are not tiny', 100, 20_000],
])('a body in tiny chunks %s chunks are no reason to', async (_title, size, count) => {
  const service = await startTestService();
  const content = Buffer.concat(Array<Buffer>(count).fill(chunked(Buffer.alloc(size, 'a'))));
  const end = chunked(Buffer.from(`\r\n--${BOUNDARY}--\r\n`));
  const body = [chunked(Buffer.from(FILE_PART)), content, end, '0\r\n\r\n'];
  const { responses } = await sendRaw(service.port, [CHUNKED, ...body]);
  expect(responses).toMatchObject([{ status: 200 }]);
});

it('a body that is too large is refused before it is read when it announces 50 GB', async () => {
  const service = await startTestService();
  const { responses } = await sendRaw(service.port, [decodeHead([FORM, 'Content-Length: 50000000000'])]);
  expectError(responses[0], 'file_too_large');
});

it.each([
  ['file_too_large', FILE_PART],
  ['wrong_file_name', FILE_PART.replace('.lic', '.txt')],
])(
  'a body that is too large and has no end is answered %s while it is sent, and cut off soon',
  async (error, part) => {
    const service = await startTestService({}, undefined, SOON);
    const piece = chunked(randomBytes(65_536));
    const socket = openConnection(service.port, CHUNKED, chunked(Buffer.from(part)));
    const responses = responsesOn(socket);
    const pump = () => {
      while (socket.writable && !socket.readableEnded && socket.write(piece));
    };
    socket.on('drain', () => setTimeout(pump, 20));
    pump();
    await until(() => responses().length > 0);
    expect(service.files()).toEqual([]);
    await closing(socket);
    expectError(responses()[0], error);
    await expectClean(service);
  },
);

const limited = { RATE_LIMIT_MAX: '0' };
it.each<[string, Record<string, string>, Buffer, string]>([
  ['429, 5 MB', limited, uploadOf(5_242_880), 'rate_limited'],
  ['413, 15 MB', {}, uploadOf(15_000_000), 'file_too_large'],
  ['413, 15 MB in chunks', {}, chunkedUpload(15_000_000), 'file_too_large'],
  ['400, 5 MB of JSON', {}, decodeRequest(Buffer.alloc(5_242_880, '[')), 'malformed_body'],
])(
  'a refusal before the body is read is readable, also for a client that reads only when it has sent all: %s',
  async (...row) => {
    const [, settings, request, error] = row;
    const service = await startTestService(settings);
    const text = request.toString('latin1');
    const variants = [text, text.replace('Host', 'Connection: close\r\nHost')];
    variants.push(text.replace('Host', 'Expect: 100-continue\r\nHost'));
    if (!text.includes('chunked')) variants.push(text.replace('HTTP/1.1', 'HTTP/1.0'));
    for (const variant of variants) {
      for (const readLate of [false, true]) {
        const options = { readLate, count: variant.includes('Expect') ? 2 : 1 };
        const { responses } = await sendRaw(service.port, [Buffer.from(variant, 'latin1')], options);
        expectError(responses.at(-1), error);
      }
    }
    await expectClean(service);
  },
);

it('a refusal before the body is read closes the connection when the rest of the body stays away', async () => {
  const service = await startTestService(limited, undefined, SOON);
  const { responses, closed } = await sendRaw(service.port, [unfinishedUpload()], { count: 2 });
  expectError(responses[0], 'rate_limited');
  expect(closed).toBe(true);
});

it('a refusal frees its place at once, though its connection stays open for the body', async () => {
  const service = await startTestService({ ...limited, RING_QUEUE_LIMIT: '0', RING_CONCURRENCY: '1' });
  for (let n = 0; n < 3; n++) {
    const responses = responsesOn(openConnection(service.port, unfinishedUpload('Connection: close')));
    await until(() => responses().length > 0);
    expectError(responses()[0], 'rate_limited');
  }
});

function chunkedUpload(size: number): Buffer {
  const body = multipart([{ ...LICENSE_PART, content: randomBytes(size) }]);
  return Buffer.concat([Buffer.from(CHUNKED), chunked(body), Buffer.from('0\r\n\r\n')]);
}
