import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/contract.js';
import { fakeRing, print } from '../support/fake-ring.js';
import {
  decodeHead,
  decodeRequest,
  FORM,
  GET_HEALTH,
  LICENSE_PART,
  multipart,
  openConnection,
  parseResponses,
  sendRaw,
} from '../support/raw-http.js';
import { eventually, startTestService, upload, type TestService } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';

const BODY = multipart([LICENSE_PART]);
const times = <T>(count: number, value: T) => Array<T>(count).fill(value);

/** A service whose decodes wait until the gate is opened. */
async function gatedService(settings: Record<string, string> = {}) {
  const gate = join(await tempDirectory(), 'gate');
  const list = `while [ ! -e '${gate}' ]; do sleep 0.02; done; ${print('list-one-ru.txt')}`;
  const service = await startTestService({ RING_CMD: await fakeRing({ list }), ...settings });
  return { service, open: () => writeFileSync(gate, '') };
}

/** Opens a connection and gathers the answers on it. */
function connectTo(service: TestService, ...chunks: (string | Buffer)[]) {
  const received: Buffer[] = [];
  const socket = openConnection(service.port, ...chunks).on('data', (data) => received.push(data));
  const statuses = () => parseResponses(Buffer.concat(received)).map(({ status }) => status);
  return { socket, statuses };
}

describe('requests in a pipeline', () => {
  it('begin when the one before them has been answered', async () => {
    const { service, open } = await gatedService({ RING_CONCURRENCY: '4' });
    const { statuses } = connectTo(service, decodeRequest(), decodeRequest(), GET_HEALTH);
    expect(await eventually(() => service.decoding() === 1)).toBe(true);
    await supertest(service.url).get('/healthz').expect(200);
    expect(service.decoding()).toBe(1);
    open();
    expect(await eventually(() => statuses().length === 3)).toBe(true);
    expect(statuses()).toEqual([200, 200, 200]);
  });

  it('that wait behind an answer that is not read take no place in the queue', async () => {
    const service = await startTestService({
      RING_CMD: await fakeRing(),
      RING_CONCURRENCY: '1',
      RING_QUEUE_LIMIT: '0',
    });
    const { text } = await supertest(service.url).get('/docs').expect(200);
    const bundle = /[^"]*swagger-ui-bundle\.js[^"]*/.exec(text)?.[0] ?? '';
    const get = `GET ${bundle} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const sockets = [1, 2, 3].map(() =>
      openConnection(service.port, get.repeat(6), ...times(20, decodeHead(['Content-Length: 0']))).pause(),
    );
    for (const socket of sockets) await new Promise((sent) => socket.write('', sent));
    await supertest(service.url).get(bundle).expect(200);
    for (let i = 0; i < 5; i++) expect((await upload(service)).status).toBe(200);
  });

  it('close the connection when more than 32 wait', async () => {
    const { service } = await gatedService();
    const requests = [decodeRequest(), ...times(2400, GET_HEALTH).map((request) => Buffer.from(request))];
    const { responses, closed } = await sendRaw(service.port, [Buffer.concat(requests)]);
    expect([responses, closed]).toEqual([[], true]);
    await supertest(service.url).get('/healthz').expect(200);
  });

  it('are not begun when the connection ends, and leave nothing', async () => {
    const { service, open } = await gatedService({ RING_CONCURRENCY: '2', RING_QUEUE_LIMIT: '0' });
    const { socket } = connectTo(service, decodeRequest(), decodeRequest());
    expect(await eventually(() => service.decoding() === 1)).toBe(true);
    socket.destroy();
    open();
    expect(await eventually(() => service.files().length === 0)).toBe(true);
    await Promise.all([upload(service).expect(200), upload(service).expect(200)]);
    expect(service.requests().filter(({ res }) => (res as { status: number }).status === 499)).toHaveLength(
      1,
    );
  });

  it.each([
    ['garbage', 'GARBAGE\r\n\r\n'],
    ['a body that is not HTTP', `${decodeHead([FORM, 'Transfer-Encoding: chunked'])}zz\r\n`],
  ])('are answered before %s behind them is', async (_title, bad) => {
    const { service, open } = await gatedService();
    const sent = sendRaw(service.port, [decodeRequest(), bad], { count: 3 });
    expect(await eventually(() => service.decoding() === 1)).toBe(true);
    open();
    const { responses, closed } = await sent;
    expect([responses.map(({ status }) => status), closed]).toEqual([[200, 400], true]);
  });
});

describe('a refused body', () => {
  it('that ends late does not destroy the answer before it', async () => {
    const { service, open } = await gatedService();
    const refused = decodeHead(['Content-Type: text/plain', 'Content-Length: 10']);
    const { socket, statuses } = connectTo(service, decodeRequest(), refused);
    expect(await eventually(() => service.decoding() === 1)).toBe(true);
    socket.write('0123456789');
    open();
    expect(await eventually(() => statuses().length === 2)).toBe(true);
    expect(statuses()).toEqual([200, 400]);
  });

  it('that was announced by Expect and comes late leaves the answer readable', async () => {
    const service = await startTestService({ RATE_LIMIT_MAX: '0' });
    const head = decodeHead([FORM, `Content-Length: 5000000`, 'Expect: 100-continue']);
    const socket = openConnection(service.port, head).pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const lost = await new Promise((sent) => socket.write(Buffer.alloc(5e6), sent));
    expect(lost ?? undefined).toBeUndefined();
    const received = (await socket.toArray()) as Buffer[];
    expectError(parseResponses(Buffer.concat(received))[0], 'rate_limited');
  });

  it('that does not come is not waited for', async () => {
    const service = await startTestService({ RATE_LIMIT_MAX: '0' });
    const head = decodeHead([FORM, 'Content-Length: 5000', 'Expect: 100-continue']);
    const socket = openConnection(service.port, head).resume();
    await new Promise((resolve) => socket.once('end', resolve));
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const open = sockets();
    // Only the service's end: this one stays half open.
    expect(await eventually(() => sockets() < open, 60_000)).toBe(true);
    expect(socket.writable).toBe(true);
  });

  it('is read up to 20 MB', async () => {
    const service = await startTestService();
    const { closed } = await sendRaw(
      service.port,
      [decodeHead([FORM, 'Content-Length: 21000000']), Buffer.alloc(19e6)],
      {
        count: 2,
        withinMs: 2_000,
      },
    );
    expect(closed).toBe(false);
    const piece = Buffer.alloc(65_536);
    const socket = openConnection(service.port, decodeHead([FORM, 'Content-Length: 50000000000'])).resume();
    socket.setMaxListeners(0);
    let sent = 0;
    while (!socket.destroyed && sent < 500e6) {
      sent += piece.length;
      if (!socket.write(piece)) {
        await new Promise((resolve) => {
          socket.once('drain', resolve);
          socket.once('close', resolve);
        });
      }
    }
    expect(sent).toBeGreaterThan(20e6);
    expect(sent).toBeLessThan(50e6);
  });
});

describe('Expect: 100-continue', () => {
  const head = (version: string) =>
    decodeHead([FORM, `Content-Length: ${BODY.length}`, 'Expect: 100-continue']).replace('1.1', version);

  it.each([
    ['1.1', [100, 200]],
    ['1.0', [200]],
  ])('is answered over HTTP/%s by %j', async (version, expected) => {
    const service = await startTestService({ RING_CMD: await fakeRing() });
    const { socket, statuses } = connectTo(service, head(version));
    if (version === '1.1') expect(await eventually(() => statuses().length === 1)).toBe(true);
    socket.write(BODY);
    expect(await eventually(() => statuses().length === expected.length)).toBe(true);
    expect(statuses()).toEqual(expected);
  });
});

describe('the target of a request', () => {
  it.each(['http://[', 'http://', 'http://a:b/', 'healthz', 'ftp://x/healthz', 'mailto:a'])(
    '%j is refused, logged, and its body not read',
    async (target) => {
      const service = await startTestService();
      const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 400000000\r\n\r\n`;
      const { responses, closed } = await sendRaw(service.port, [head], { count: 2 });
      expectError(responses[0], 'bad_request');
      expect(closed).toBe(true);
      const id = responses[0]?.headers['x-request-id'];
      expect(service.requests()).toMatchObject([{ req: { id, address: '127.0.0.1' }, code: 'bad_request' }]);
      expect(JSON.stringify(service.log)).not.toContain(target);
    },
  );

  it.each(['http://x/healthz', 'HTTP://x:80/healthz?a=b', 'https://u:p@[::1]:3000/healthz'])(
    'may be the whole URL %j, as proxies send it',
    async (target) => {
      const { port } = await startTestService();
      const { responses } = await sendRaw(port, [`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`]);
      expect(responses).toMatchObject([{ status: 200, body: { alive: true } }]);
    },
  );
});

it.each([
  ['1.1', 0, 400],
  ['1.1', 1, 200],
  ['1.1', 2, 400],
  ['1.0', 0, 200],
  ['1.0', 2, 400],
])('HTTP/%s with %i Host headers is answered %i', async (version, count, status) => {
  const { port } = await startTestService();
  const request = `GET /healthz HTTP/${version}\r\n${'Host: x\r\n'.repeat(count)}\r\n`;
  expect((await sendRaw(port, [request])).responses[0]?.status).toBe(status);
});
