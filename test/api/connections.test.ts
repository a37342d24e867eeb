import { once } from 'node:events';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { expectError } from '../support/contract.js';
import {
  decodeRequest,
  GET_HEALTH,
  multipart,
  openConnection,
  responsesOn,
  sendRaw,
} from '../support/raw-http.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** Opens a connection and gathers the answers on it. */
function connectTo(service: TestService, ...chunks: (string | Buffer)[]) {
  const socket = openConnection(service.port, ...chunks);
  const responses = responsesOn(socket);
  return { socket, statuses: () => responses().map(({ status }) => status) };
}

it('a connection serves any number of requests, each sent after the answer before it', async () => {
  const service = await startTestService();
  const requests: [string | Buffer, number][] = [
    [GET_HEALTH, 200],
    ['GET /missing HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['PUT /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    [decodeRequest(), 200],
    [decodeRequest(multipart([])), 400],
    [decodeRequest(Buffer.alloc(100_000), 'Content-Type: text/plain'), 400],
    [decodeRequest(Buffer.alloc(5_500_000)), 413],
  ];
  const { socket, statuses } = connectTo(service);
  const expected: number[] = [];
  for (let i = 0; i < 5; i++) {
    for (const [request, status] of requests) {
      socket.write(request);
      expected.push(status);
      await until(() => statuses().length === expected.length);
    }
  }
  expect(statuses()).toEqual(expected);
});

it.each([
  ['a decode in progress', [decodeRequest(), GET_HEALTH]],
  ['thousands of others', [decodeRequest(), GET_HEALTH.repeat(2400)]],
])('a request behind %s closes the connection, and nothing is left', async (_title, requests) => {
  const service = await startTestService({ RING_CMD: { list: 'sleep 300' } });
  const all = Buffer.concat(requests.map((request) => Buffer.from(request)));
  expect(await sendRaw(service.port, [all], { count: 9 })).toEqual({ responses: [], closed: true });
  await until(() => service.files().length === 0);
  await supertest(service.url).get('/healthz').expect(200);
});

it('what is not HTTP behind a decode in progress closes the connection', async () => {
  const service = await startTestService({ RING_CMD: { list: 'sleep 300' } });
  const { socket, statuses } = connectTo(service, decodeRequest());
  await until(() => service.decoding() === 1);
  socket.write('GARBAGE\r\n\r\n');
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  expect(statuses()).toEqual([]);
  await until(() => service.files().length === 0);
});

it.each(['http://[', 'http://a:b/', 'healthz', 'ftp://x/healthz'])(
  'the target %j is refused in JSON, and the connection closed',
  async (target) => {
    const service = await startTestService();
    const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 400000000\r\n\r\n`;
    const { responses, closed } = await sendRaw(service.port, [head], { count: 2, halfClose: true });
    expectError(responses[0], 'bad_request');
    expect(responses[0]?.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    expect(closed).toBe(true);
    expect(JSON.stringify(service.log)).not.toContain(target);
  },
);

it.each(['HTTP://x:80/healthz?a=b', 'https://u:p@[::1]:3000/healthz'])(
  'the target may be the whole URL %j, as proxies send it',
  async (target) => {
    const { port } = await startTestService();
    const { responses } = await sendRaw(port, [`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`]);
    expect(responses).toMatchObject([{ status: 200, body: { alive: true } }]);
  },
);

it('a request without Host is HTTP/1.0, or refused', async () => {
  const { port } = await startTestService();
  expectError((await sendRaw(port, ['GET /healthz HTTP/1.1\r\n\r\n'])).responses[0], 'bad_request');
  const { responses } = await sendRaw(port, ['GET /healthz HTTP/1.0\r\n\r\n']);
  expect(responses).toMatchObject([{ status: 200 }]);
});

it('asks for an upgrade are served as any other request', async () => {
  const { port } = await startTestService();
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  const { responses } = await sendRaw(port, [`GET /healthz HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`]);
  expect(responses).toMatchObject([{ status: 200 }]);
});
