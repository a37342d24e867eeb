import { expect, it } from 'vitest';
import { expectError } from '../support/contract.js';
import {
  closing,
  decodeRequest,
  GET_HEALTH,
  multipart,
  openConnection,
  responsesOn,
  sendRaw,
} from '../support/raw-http.js';
import { startTestService } from '../support/service.js';
import { expectNothingLeft } from '../support/temp.js';
import { until } from '../support/until.js';

const service = await startTestService();

/** Opens a connection and gathers the answers on it. */
function connectTo(...chunks: (string | Buffer)[]) {
  const socket = openConnection(service.port, ...chunks);
  const responses = responsesOn(socket);
  return { socket, statuses: () => responses().map(({ status }) => status) };
}

it('a connection serves any number of requests, each sent after the answer before it', async () => {
  const requests: [string | Buffer, number][] = [
    [GET_HEALTH, 200],
    ['GET /missing HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['PUT /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    [decodeRequest(), 200],
    [decodeRequest(multipart([])), 400],
  ];
  const { socket, statuses } = connectTo();
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

it('a request behind a decode in progress closes the connection, and nothing is left', async () => {
  await service.setRing({ list: 'sleep 300' });
  const { socket, statuses } = connectTo(decodeRequest());
  await until(() => service.decoding() === 1);
  socket.write(GET_HEALTH);
  await closing(socket);
  expect(statuses()).toEqual([]);
  await expectNothingLeft(service);
  expect(service.requests()).toMatchObject([{ res: { status: 499 } }]);
});

it.each(['http://[', 'http://a:b/', 'healthz', 'ftp://x/healthz'])(
  'the target %j is refused in JSON, and the connection closed',
  async (target) => {
    const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 400000000\r\n\r\n`;
    const { responses, closed } = await sendRaw(service.port, [head], { count: 2, halfClose: true });
    expectError(responses[0], 'bad_request');
    expect(responses[0]?.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    expect(closed).toBe(true);
    expect(JSON.stringify(service.log)).not.toContain(target);
  },
);

it.each([
  ['the whole URL as its target, as proxies send it', 'GET HTTP://x:80/healthz?a=b HTTP/1.1\r\nHost: x'],
  ['a whole URL with an IPv6 address', 'GET https://u:p@[::1]:3000/healthz HTTP/1.1\r\nHost: x'],
  ['HTTP/1.0 and no Host', 'GET /healthz HTTP/1.0'],
  ['a wish for an upgrade', 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket'],
])('a request with %s is served', async (_title, head) => {
  const { responses } = await sendRaw(service.port, [`${head}\r\n\r\n`]);
  expect(responses).toMatchObject([{ status: 200, body: { alive: true } }]);
});

it('a request with an unknown expectation is served, and logged, as without it', async () => {
  const request = decodeRequest().toString().replace('Host', 'X-Request-Id: own\r\nExpect: x\r\nHost');
  const { responses } = await sendRaw(service.port, [request]);
  expect(responses).toMatchObject([{ status: 200, headers: { 'x-request-id': 'own' } }]);
  expect(service.requests()).toMatchObject([{ req: { id: 'own' }, res: { status: 200 } }]);
});

it('a request without Host is refused', async () => {
  const { responses } = await sendRaw(service.port, ['GET /healthz HTTP/1.1\r\n\r\n']);
  expectError(responses[0], 'bad_request');
});
