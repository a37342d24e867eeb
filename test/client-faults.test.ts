import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { fakeRing } from './support/fake-ring.js';
import { processesIn } from './support/processes.js';
import {
  BOUNDARY,
  decodeHead,
  LICENSE_PART,
  multipart,
  parseResponses,
  sendRaw,
} from './support/raw-http.js';
import { eventually, startTestService, upload } from './support/service.js';
import { filesOf, spawnService, type SpawnedService } from './support/spawned-service.js';
import { tempDirectory } from './support/temp.js';

const MAX = 5_242_880;
const FORM = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
const start = async (settings: Record<string, string> = {}) =>
  spawnService({ RING_CMD: await fakeRing(), ...settings });

async function expectClean(service: SpawnedService): Promise<void> {
  expect(await eventually(() => processesIn(service.tmpBase).length === 0, 1000)).toBe(true);
  expect(await eventually(() => filesOf(service).length === 0, 1000)).toBe(true);
  await supertest(service.url).get('/healthz').expect(200);
}

function open(service: SpawnedService, ...chunks: (string | Buffer)[]): Socket {
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => undefined);
  for (const chunk of chunks) socket.write(chunk);
  return socket;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** curl's body and status for an upload. */
async function curl(...args: string[]): Promise<{ exitCode: number; body: string; status: string }> {
  const child = spawn('curl', ['-s', '-m', '20', '-w', '\n%{http_code}', ...args]);
  const output: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => output.push(data));
  const exitCode = await new Promise<number>((resolve) => child.once('close', resolve));
  const [body = '', status = ''] = Buffer.concat(output).toString().split('\n');
  return { exitCode, body, status };
}

describe('a client that goes away', () => {
  const file = multipart([{ ...LICENSE_PART, content: randomBytes(3_000_000) }]);
  const whole = [decodeHead([FORM, `Content-Length: ${file.length}`]), file];

  it.each<[string, (string | Buffer)[]]>([
    ['before the end of its headers', ['POST /api/decode HTTP/1.1\r\nHost: x\r\nContent-']],
    ['before the body', [decodeHead([FORM, 'Content-Length: 1000'])]],
    ['in mid-file', [whole[0] ?? '', file.subarray(0, 1_000_000)]],
    ['just before the end', [whole[0] ?? '', file.subarray(0, -3)]],
  ])('%s leaves nothing', async (_title, chunks) => {
    const service = await start();
    for (const how of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const socket = open(service, ...chunks);
      await pause(150);
      socket[how]();
      await pause(100);
    }
    await expectClean(service);
  });

  it.each(['list', 'info', 'validate', 'debugValidate'] as const)(
    'during %s leaves nothing',
    async (command) => {
      const service = await start({ RING_CMD: await fakeRing({ [command]: 'sleep 300 & wait' }) });
      const request = upload(service).field('detailed', command === 'debugValidate' ? 'true' : 'false');
      request.end(() => undefined);
      expect(await eventually(() => processesIn(service.tmpBase).length >= 2)).toBe(true);
      await pause(200);
      request.abort();
      await expectClean(service);
      expect(service.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    },
  );

  it('while its decode waits leaves nothing', async () => {
    const service = await start({ RING_CMD: await fakeRing({ list: 'sleep 300' }), RING_CONCURRENCY: '1' });
    const sockets = Array.from({ length: 5 }, () => open(service, ...whole));
    expect(
      await eventually(() => filesOf(service).filter((name) => name.endsWith('license.lic')).length === 5),
    ).toBe(true);
    for (const socket of sockets) socket.destroy();
    await expectClean(service);
  });

  it('many at once at random moments leave nothing', async () => {
    const service = await start({ RING_CMD: await fakeRing({ list: 'sleep 0.1; echo 332588056123456-1' }) });
    const before = service.openFiles();
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const socket = open(service, ...whole);
        await pause(i * 15);
        socket.destroy();
      }),
    );
    await expectClean(service);
    expect(await eventually(() => service.openFiles() <= before + 1)).toBe(true);
  });
});

describe('a client that is slow', () => {
  it.each<[string, (string | Buffer)[]]>([
    ['with its headers', ['POST /api/decode HTTP/1.1\r\nHost: x\r\n']],
    ['with its body', [decodeHead([FORM, 'Content-Length: 5000']), `--${BOUNDARY}\r\n`]],
  ])('%s is answered 408 when UPLOAD_TIMEOUT_MS is over', async (_title, chunks) => {
    const service = await start({ UPLOAD_TIMEOUT_MS: '1000' });
    const { responses, closed } = await sendRaw(service.port, chunks, { count: 2 });
    expect(responses).toHaveLength(1);
    expect(responses[0]).toMatchObject({ status: 408, body: { error: 'request_timeout' } });
    if (responses[0]) expectDocumented(responses[0]);
    expect(closed).toBe(true);
    await expectClean(service);
  });
});

describe('a body that is too large', () => {
  it('of 50 GB, announced, is refused before it is read, and the connection closed', async () => {
    const service = await start();
    const { responses } = await sendRaw(service.port, [decodeHead([FORM, 'Content-Length: 50000000000'])]);
    expect(responses).toMatchObject([{ status: 413, body: { error: 'file_too_large' } }]);
  });

  it.each<[string, string, (data: Buffer) => (string | Buffer)[]]>([
    ['announced as 50 GB', 'Content-Length: 50000000000', (data) => [data]],
    [
      'chunked, without an end',
      'Transfer-Encoding: chunked',
      (data) => [`${data.length.toString(16)}\r\n`, data, '\r\n'],
    ],
  ])('%s, is answered while it is sent, and cut off', async (_title, header, frame) => {
    const service = await start();
    const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="license"; filename="a.lic"\r\n\r\n`;
    const piece = frame(randomBytes(65_536));
    const socket = open(service, decodeHead([FORM, header]), ...frame(Buffer.from(part)));
    const received: Buffer[] = [];
    let sent = 0;
    socket.on('data', (data) => received.push(data));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const pump = () => {
      while (!socket.destroyed && sent < 500e6) {
        sent += 65_536;
        if (!piece.map((chunk) => socket.write(chunk)).every(Boolean)) {
          socket.once('drain', pump);
          return;
        }
      }
    };
    pump();
    await closed;
    expect(parseResponses(Buffer.concat(received))).toMatchObject([{ status: 413 }]);
    expect(sent).toBeLessThan(50e6);
    await expectClean(service);
  });

  it('of sixty uploads of 5 MB at once keeps memory under 350 MB', async () => {
    const service = await start();
    const content = randomBytes(MAX);
    const answers = await Promise.all(Array.from({ length: 60 }, () => upload(service, content)));
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
    expect(service.peakMemory()).toBeLessThan(350e6);
    await expectClean(service);
  });
});

describe('a refusal while the body is still being sent', () => {
  it.each([
    ['429, 5 MB', { RATE_LIMIT_MAX: '0' }, MAX, 'rate_limited'],
    ['413, 5 MB and a byte', {}, MAX + 1, 'file_too_large'],
    ['413, 15 MB', {}, 15_000_000, 'file_too_large'],
  ])(
    'is readable for curl and for one that reads only when it has sent all: %s',
    async (_title, settings, size, error) => {
      const service = await start(settings);
      const path = join(await tempDirectory(), 'a.lic');
      await writeFile(path, randomBytes(size));
      const form = ['-F', `license=@${path}`, `${service.url}/api/decode`];
      for (const args of [form, ['-H', 'Expect:', ...form], ['-H', 'Transfer-Encoding: chunked', ...form]]) {
        const { exitCode, body } = await curl(...args);
        expect(exitCode).toBe(0);
        expect(JSON.parse(body)).toMatchObject({ error });
      }
      const all = multipart([{ ...LICENSE_PART, content: randomBytes(size) }]);
      const { responses } = await sendRaw(service.port, [
        decodeHead([FORM, `Content-Length: ${all.length}`]),
        all,
      ]);
      expect(responses).toMatchObject([{ body: { error } }]);
    },
  );

  it('asks curl for no body at all when the limit is reached', async () => {
    const service = await start({ RATE_LIMIT_MAX: '0' });
    const head = decodeHead([FORM, 'Content-Length: 5000000', 'Expect: 100-continue']);
    const { responses, closed } = await sendRaw(service.port, [head], { count: 2 });
    expect(responses).toMatchObject([{ status: 429, headers: { connection: 'close' } }]);
    expect(closed).toBe(true);
  });

  it('asks for the body when it is wanted', async () => {
    const service = await start();
    const body = multipart([LICENSE_PART]);
    const socket = open(
      service,
      decodeHead([FORM, `Content-Length: ${body.length}`, 'Expect: 100-continue']),
    );
    const received: Buffer[] = [];
    socket.on('data', (data) => {
      received.push(data);
      if (data.toString().startsWith('HTTP/1.1 100')) socket.write(body);
    });
    expect(await eventually(() => Buffer.concat(received).includes('HTTP/1.1 200'))).toBe(true);
    socket.destroy();
  });
});

describe('a form of odd bytes', () => {
  it.each([
    ['a name in latin1', Buffer.from('name="license"; filename="\xcb\xe8\xf6.lic"', 'latin1')],
    ['a name in UTF-8', Buffer.from('name="license"; filename="лицензия.lic"')],
    ['a name that is no UTF-8', Buffer.from('name="license"; filename="\xff\xfe\xc3.lic"', 'latin1')],
    ['an extended name', Buffer.from(`name="license"; filename*=utf-8''%D0%BB.lic`)],
    ['a broken extended name', Buffer.from(`name="license"; filename*=utf-8''%FF%zz.lic; filename="a.lic"`)],
    ['an unknown charset', Buffer.from(`name="license"; filename*=x-none''a.lic; filename="a.lic"`)],
    ['a very long name', Buffer.from(`name="license"; filename="${'я'.repeat(4000)}.lic"`)],
  ])('%s: answered, nothing left', async (_title, disposition) => {
    const service = await startTestService({ RING_CMD: await fakeRing() });
    const body = multipart([{ disposition: disposition.toString('latin1'), content: 'x' }]);
    const bytes = Buffer.from(body.toString('utf8'), 'latin1');
    const { responses } = await sendRaw(service.port, [
      decodeHead([FORM, `Content-Length: ${bytes.length}`]),
      bytes,
    ]);
    expect([200, 400]).toContain(responses[0]?.status);
    expect(service.files()).toEqual([]);
  });

  it('whatever the bytes, the process lives and answers as documented', async () => {
    const service = await start();
    const token = fc.constantFrom(
      `--${BOUNDARY}`,
      `--${BOUNDARY}--`,
      '\r\n',
      '\n',
      '\r\n\r\n',
      'Content-Disposition: form-data; ',
      'name="license"; ',
      'filename="a.lic"',
      'name="detailed"',
      'name="a[b][c]"',
      'name="__proto__"',
      'Content-Type: text/plain; charset=x',
      'Content-Transfer-Encoding: base64',
      'true',
      '"',
      '\0',
    );
    const piece = fc.oneof(
      { weight: 3, arbitrary: token.map((text) => Buffer.from(text)) },
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    const contentType = fc.constantFrom(
      FORM,
      FORM,
      FORM,
      'Content-Type: multipart/form-data',
      `${FORM}; boundary=x`,
      'Content-Type: multipart/form-data; boundary="',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 25 }), contentType, async (pieces, header) => {
        const body = Buffer.concat(pieces);
        const { responses } = await sendRaw(service.port, [
          decodeHead([header, `Content-Length: ${body.length}`]),
          body,
        ]);
        expect(responses).toHaveLength(1);
        if (responses[0]) expectDocumented(responses[0]);
        expect(responses[0]?.status).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
    await expectClean(service);
  });

  it('whatever the bytes of the request itself, the process lives', async () => {
    const service = await start();
    const line = fc.constantFrom(
      'POST /api/decode HTTP/1.1\r\n',
      'GET / HTTP/1.1\r\n',
      'Host: x\r\n',
      'Content-Length: 5\r\n',
      'Content-Length: -1\r\n',
      'Transfer-Encoding: chunked\r\n',
      '\r\n',
      '5\r\nabcde\r\n',
      'X: \0\r\n',
      `${FORM}\r\n`,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(line, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 12 }),
        async (parts) => {
          const { responses } = await sendRaw(service.port, parts, {
            silenceMs: 15,
            count: 99,
            halfClose: true,
          });
          for (const { status } of responses) expect([100, 400, 404, 405, 413, 417, 431]).toContain(status);
        },
      ),
      { numRuns: 200 },
    );
    await expectClean(service);
  });
});

describe('requests in a pipeline', () => {
  it('are each answered, in order', async () => {
    const service = await start();
    const body = multipart([LICENSE_PART]);
    const decode = Buffer.concat([Buffer.from(decodeHead([FORM, `Content-Length: ${body.length}`])), body]);
    const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    const { responses } = await sendRaw(
      service.port,
      [Buffer.concat([decode, Buffer.from(health), decode, Buffer.from(health)])],
      { count: 4 },
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(responses.map(({ body: json }) => Object.keys(json as object)[0])).toEqual([
      'licName',
      'alive',
      'licName',
      'alive',
    ]);
    await expectClean(service);
  });

  it('go on after a refused upload was read to its end', async () => {
    const service = await start({ RATE_LIMIT_MAX: '0' });
    const body = multipart([{ ...LICENSE_PART, content: randomBytes(1_000_000) }]);
    const { responses } = await sendRaw(
      service.port,
      [
        decodeHead([FORM, `Content-Length: ${body.length}`]),
        body,
        'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
      ],
      { count: 2 },
    );
    expect(responses.map(({ status }) => status)).toEqual([429, 200]);
  });
});

describe('headers', () => {
  it.each([
    ['of 20 KB', [`X: ${'x'.repeat(20_000)}`]],
    ['of many lines', Array.from({ length: 3000 }, (_, i) => `X-${i}: y`)],
  ])('%s: 431', async (_title, headers) => {
    const service = await start();
    const { responses } = await sendRaw(service.port, [decodeHead(headers)]);
    expect(responses).toMatchObject([{ status: 431, body: { error: 'headers_too_large' } }]);
    if (responses[0]) expectDocumented(responses[0]);
  });

  it('of both framings at once are refused', async () => {
    const service = await start();
    const { responses } = await sendRaw(service.port, [
      decodeHead(['Content-Length: 5', 'Transfer-Encoding: chunked']),
      'abcde',
    ]);
    expect(responses).toMatchObject([{ status: 400, body: { error: 'bad_request' } }]);
  });

  it('are those of a service behind the public network', async () => {
    const response = await supertest((await start()).url)
      .get('/api/status')
      .set('Connection', 'keep-alive');
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'keep-alive': 'timeout=65',
    });
    expect(response.headers).toHaveProperty('content-security-policy');
    expect(response.headers).not.toHaveProperty('x-powered-by');
  });
});
