import { randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/contract.js';
import { fakeRing } from '../support/fake-ring.js';
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
  parseResponses,
  sendRaw,
} from '../support/raw-http.js';
import { eventually, startTestService, upload, type TestService } from '../support/service.js';

const MAX = 5_242_880;
const HANGING = 'sleep 300 & wait';
const CHUNKED = decodeHead([FORM, 'Transfer-Encoding: chunked']);
const FILE_PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${String(LICENSE_PART.disposition)}\r\n\r\n`;

const start = async (settings: Record<string, string> = {}) =>
  startTestService({ RING_CMD: await fakeRing(), ...settings });

const uploadOf = (size: number) =>
  decodeRequest(multipart([{ ...LICENSE_PART, content: randomBytes(size) }]));

async function expectClean(service: TestService): Promise<void> {
  expect(await eventually(() => processesIn(service.tmpBase).length === 0)).toBe(true);
  expect(await eventually(() => service.files().length === 0)).toBe(true);
  await supertest(service.url).get('/healthz').expect(200);
}

/** Waits until the service has logged that many decode requests whose clients did not wait for the answer. */
async function expectGone(service: TestService, count: number): Promise<void> {
  const gone = () =>
    service.requests().filter(({ res }) => (res as { status: number }).status === 499).length >= count;
  expect(await eventually(gone)).toBe(true);
}

describe('a client that goes away', () => {
  const whole = uploadOf(3_000_000);
  it.each<[string, (string | Buffer)[]]>([
    ['before the body', [decodeHead([FORM, 'Content-Length: 1000'])]],
    ['in mid-file', [whole.subarray(0, 1_000_000)]],
    ['just before the end', [whole.subarray(0, -3)]],
  ])('%s leaves nothing', async (_title, chunks) => {
    const service = await start();
    for (const how of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const socket = openConnection(service.port, ...chunks);
      if (chunks.join('').length > 1000)
        expect(await eventually(() => service.files().length > 0)).toBe(true);
      else await new Promise((sent) => socket.write('', sent));
      socket[how]();
      expect(await eventually(() => service.files().length === 0)).toBe(true);
    }
    await expectClean(service);
  });

  it.each(['list', 'info', 'validate', 'debugValidate'] as const)(
    'during %s leaves nothing',
    async (command) => {
      const service = await start({ RING_CMD: await fakeRing({ [command]: HANGING }) });
      const request = upload(service).field('detailed', String(command === 'debugValidate'));
      request.end(() => undefined);
      expect(await eventually(() => processesIn(service.tmpBase).length >= 2)).toBe(true);
      request.abort();
      await expectClean(service);
      await expectGone(service, 1);
      expect(service.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    },
  );

  it('while its decode waits leaves nothing, and the decode never runs', async () => {
    const service = await start({ RING_CMD: await fakeRing({ list: HANGING }), RING_CONCURRENCY: '1' });
    const sockets = Array.from({ length: 5 }, () => openConnection(service.port, decodeRequest()));
    expect(await eventually(() => service.decoding() === 5)).toBe(true);
    for (const socket of sockets.slice(1)) socket.destroy();
    expect(await eventually(() => service.decoding() === 1)).toBe(true);
    sockets[0]?.destroy();
    await expectClean(service);
    await expectGone(service, 5);
  });

  it('many of them, at random moments, leave nothing', async () => {
    const service = await start({
      RING_CMD: await fakeRing({ list: 'sleep 0.1; echo 332588056123456-1' }),
      RING_QUEUE_LIMIT: '100',
    });
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const socket = openConnection(service.port, whole);
        await new Promise((resolve) => setTimeout(resolve, i * 15));
        socket.destroy();
      }),
    );
    await expectClean(service);
  });
});

describe('a client that is slow', () => {
  it.each<[string, (string | Buffer)[]]>([
    ['with its headers', ['POST /api/decode HTTP/1.1\r\nHost: x\r\n']],
    ['with its body', [decodeHead([FORM, 'Content-Length: 5000']), `--${BOUNDARY}\r\n`]],
  ])('%s is answered 408 after UPLOAD_TIMEOUT_MS, and cut off', async (_title, chunks) => {
    const service = await start({ UPLOAD_TIMEOUT_MS: '1000' });
    const { responses, closed } = await sendRaw(service.port, chunks, { count: 2 });
    expect(responses).toHaveLength(1);
    expectError(responses[0], 'request_timeout');
    expect(closed).toBe(true);
    await expectClean(service);
  });
});

describe('a body in tiny chunks', () => {
  const dust = Buffer.from('1\r\nx\r\n'.repeat(20_000));

  it('closes the connection', async () => {
    const service = await start();
    const body = Buffer.concat([chunked(Buffer.from(FILE_PART)), dust]);
    const { closed } = await sendRaw(service.port, [CHUNKED, body], { count: 2 });
    expect(closed).toBe(true);
    await expectClean(service);
  });

  it.each([
    ['few', 1, 4_000],
    ['many that are not tiny', 100, 20_000],
  ])('%s chunks are no reason to', async (_title, size, count) => {
    const service = await start();
    const content = Buffer.concat(Array<Buffer>(count).fill(chunked(Buffer.alloc(size, 'a'))));
    const end = `\r\n--${BOUNDARY}--\r\n`;
    const { responses } = await sendRaw(service.port, [
      CHUNKED,
      chunked(Buffer.from(FILE_PART)),
      content,
      chunked(Buffer.from(end)),
      '0\r\n\r\n',
    ]);
    expect(responses).toMatchObject([{ status: 200 }]);
  });
});

describe('a body that is too large', () => {
  it('is refused before it is read when it announces 50 GB', async () => {
    const service = await start();
    const { responses } = await sendRaw(service.port, [decodeHead([FORM, 'Content-Length: 50000000000'])]);
    expectError(responses[0], 'file_too_large');
  });

  it('and has no end is answered while it is sent, and cut off soon', async () => {
    const service = await start();
    const piece = chunked(randomBytes(65_536));
    const socket = openConnection(service.port, CHUNKED, chunked(Buffer.from(FILE_PART)));
    const received: Buffer[] = [];
    socket.on('data', (data) => received.push(data));
    const cutOff = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
    const pump = () => {
      while (!socket.readableEnded && !socket.destroyed) {
        if (!socket.write(piece)) {
          setTimeout(pump, 20);
          return;
        }
      }
    };
    pump();
    await cutOff;
    expectError(parseResponses(Buffer.concat(received))[0], 'file_too_large');
    await expectClean(service);
  });
});

describe('a refusal before the body is read', () => {
  const limited = { RATE_LIMIT_MAX: '0' };
  it.each<[string, Record<string, string>, Buffer, string]>([
    ['429, 5 MB', limited, uploadOf(MAX), 'rate_limited'],
    ['429, 15 MB', limited, uploadOf(15_000_000), 'rate_limited'],
    ['413, 5 MB and a byte', {}, uploadOf(MAX + 1), 'file_too_large'],
    ['413, 15 MB', {}, uploadOf(15_000_000), 'file_too_large'],
    ['413, 15 MB in chunks', {}, chunkedUpload(15_000_000), 'file_too_large'],
    ['400, 5 MB of JSON', {}, decodeRequest(Buffer.alloc(MAX, '[')), 'malformed_body'],
    ['400, not a form', {}, decodeRequest(Buffer.alloc(MAX), 'Content-Type: text/plain'), 'not_multipart'],
  ])(
    'is readable, also for a client that reads only when it has sent all: %s',
    async (_title, settings, request, error) => {
      const service = await start(settings);
      const text = request.toString('latin1');
      const closing = [
        text.replace('Host', 'Connection: close\r\nHost'),
        text.replace('HTTP/1.1', 'HTTP/1.0'),
      ];
      for (const bytes of [request, ...closing.map((variant) => Buffer.from(variant, 'latin1'))]) {
        for (const readLate of [false, true]) {
          // No chunks in HTTP/1.0.
          if (/^[^\n]*1\.0\r\n[^]*chunked/.test(bytes.toString('latin1', 0, 300))) continue;
          const { responses } = await sendRaw(service.port, [bytes], { readLate });
          expectError(responses[0], error);
        }
      }
      await expectClean(service);
    },
  );

  it('closes the connection when the rest of the body stays away', async () => {
    const service = await start(limited);
    const { responses, closed } = await sendRaw(service.port, [decodeHead([FORM, 'Content-Length: 5000'])], {
      count: 2,
    });
    expectError(responses[0], 'rate_limited');
    expect(closed).toBe(true);
  });

  it.each([1, 15])('is the same for refusal %i of a client', async (times) => {
    const service = await start(limited);
    for (let i = 1; i < times; i++) expectError(await upload(service), 'rate_limited');
    const { responses } = await sendRaw(service.port, [uploadOf(MAX)], { readLate: true });
    expectError(responses[0], 'rate_limited');
  });
});

function chunkedUpload(size: number): Buffer {
  const body = multipart([{ ...LICENSE_PART, content: randomBytes(size) }]);
  return Buffer.concat([Buffer.from(CHUNKED), chunked(body), Buffer.from('0\r\n\r\n')]);
}
