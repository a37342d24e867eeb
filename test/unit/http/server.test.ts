import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { Socket } from 'node:net';
import timers, { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createHttpServer, type Closing } from '../../../src/http/server.js';
import { closing, GET_HEALTH, openConnection, responsesOn } from '../../support/raw-http.js';
import { listenAnywhere } from '../../support/servers.js';
import { until } from '../../support/until.js';

/** A server that listens until the test has ended. */
async function listen(handle: RequestListener, changed: Partial<Closing> = {}) {
  const closingTimes = { lingerMs: 60_000, graceMs: 1000, idleMarginMs: 60_000, ...changed };
  const http = createHttpServer(handle, 1000, 1000, closingTimes);
  const { server } = http;
  const port = await listenAnywhere(server);
  const ask = async (agent?: Agent) =>
    (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage];
  return { server, drain: () => http.drain(), port, ask };
}

it('a stop serves what waits to be accepted, and open connections for a second, and closes them', async () => {
  const second = Promise.withResolvers<undefined>();
  const sleep = vi.spyOn(timers, 'setTimeout').mockReturnValue(second.promise);
  syncBuiltinESMExports();
  onTestFinished(() => {
    sleep.mockRestore();
    syncBuiltinESMExports();
  });
  const { drain, ask } = await listen((_req, res) => res.end('served'));
  const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true }));
  const connectionOf = async (agent?: Agent) => {
    const [response] = await ask(agent);
    await response.toArray();
    return response.headers.connection;
  };
  for (const agent of agents) expect(await connectionOf(agent)).toBe('keep-alive');
  // The system has accepted these, the server has not.
  const waiting = Array.from({ length: 50 }, () => connectionOf());
  await new Promise((connecting) => process.nextTick(connecting));
  const drained = drain();
  expect(await Promise.all(waiting)).toEqual(Array(50).fill('close'));
  await vi.waitFor(() => expect(sleep).toHaveBeenCalledExactlyOnceWith(1000));
  for (const agent of agents.slice(1)) expect(await connectionOf(agent)).toBe('close');
  second.resolve(undefined);
  await drained;
  await expect(connectionOf(agents[0])).rejects.toThrow(/ECONN|hang up/);
});

it('an answer that has begun is cut off, not followed by another, when the body turns out malformed', async () => {
  const { port } = await listen((_req, res) => void res.write('begun'));
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const socket = openConnection(port, head);
  await once(socket, 'readable');
  socket.end('no length\r\n');
  expect(String(await socket.toArray()).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200']);
});

it('a stop closes idle connections, used and unused ones, while another request is still under way', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const handle: RequestListener = (req, res) => {
    if (req.url === '/slow') asked.resolve(res);
    else res.end('served');
  };
  const { server, drain, port } = await listen(handle, { graceMs: 0 });

  const used = openConnection(port, GET_HEALTH);
  await once(used, 'data');
  const accepted = once(server, 'connection');
  const unused = openConnection(port).resume();
  await accepted;
  const slow = responsesOn(openConnection(port, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'));
  const res = await asked.promise;

  const drained = drain();
  await closing(used);
  await closing(unused);
  expect(slow()).toEqual([]);

  res.end('served late');
  await drained;
  await until(() => slow().length > 0);
  expect(slow()).toMatchObject([{ status: 200 }]);
});

it('a stop does not cut off an answer whose client reads slowly', async () => {
  const length = 50_000_000;
  const { server, drain, port } = await listen((_req, res) => res.end(Buffer.alloc(length)), { graceMs: 0 });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = openConnection(port, GET_HEALTH).pause();
  const [socket] = await accepted;
  await until(() => socket.bytesWritten > 0);

  const drained = drain();
  await until(() => !server.listening);
  const received = await client.toArray();
  await drained;
  expect(Buffer.concat(received).length).toBeGreaterThan(length);
});

it('an answer under way when the stop begins closes its connection', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const { drain, ask } = await listen((_req, res) => asked.resolve(res));
  const answer = ask(new Agent({ keepAlive: true }));
  const res = await asked.promise;
  const drained = drain();
  res.end('served');
  expect((await answer)[0].headers.connection).toBe('close');
  await drained;
});

it('after a second request has closed the connection, the rest of its segment is not parsed', async () => {
  let requests = 0;
  const { server, port } = await listen(() => undefined);
  server.on('request', () => requests++);
  await closing(openConnection(port, GET_HEALTH.repeat(1000)).resume());
  expect(requests).toBe(2);
});

it('what comes behind a body is not read before the answer, which then reaches a client that sends 20 MB', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const { server, port, ask } = await listen((req, res) => {
    if (req.method === 'POST') asked.resolve(res);
    else res.end('served');
  });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = openConnection(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody').pause();
  const [socket] = await accepted;
  const res = await asked.promise;
  const surplus = once(server, 'clientError');
  const sent = new Promise((done) => client.write(Buffer.alloc(20_000_000, 'a'), done));
  await surplus;
  // A connection that is read has got more by now.
  for (let n = 0; n < 20; n++) await ask();
  expect(socket.bytesRead).toBeLessThan(100_000);

  res.end('answered');
  await sent;
  const responses = responsesOn(client.resume());
  await closing(client);
  expect(responses()).toMatchObject([{ status: 200, headers: { connection: 'close' }, body: 'answered' }]);
});

it('a connection whose client does not read its answer is closed', async () => {
  const { server, port } = await listen((_req, res) => res.end(Buffer.alloc(50_000_000)), {
    idleMarginMs: 100,
  });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  openConnection(port, GET_HEALTH).pause();
  const [socket] = await accepted;
  await once(socket, 'close');
  expect(socket.bytesWritten).toBeGreaterThan(0);
});

it('a client that reads only after its whole body gets the refusal, and the connection is closed', async () => {
  const { port } = await listen(() => undefined);
  const body = Buffer.alloc(20_000_000);
  const head = `POST http://[ HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
  const client = openConnection(port, head).pause();
  await new Promise((sent) => client.write(body, sent));
  const responses = responsesOn(client.resume());
  await closing(client);
  expect(responses()).toMatchObject([{ status: 400, body: { error: 'bad_request' } }]);
});

it('what follows a refusal is not answered again', async () => {
  const { server, port } = await listen(() => undefined);
  const client = openConnection(port, 'GARBAGE\r\n\r\n');
  const responses = responsesOn(client);
  await until(() => responses().length > 0);
  const again = once(server, 'clientError') as Promise<[Error, Socket]>;
  client.write('GARBAGE\r\n\r\n');
  const [, socket] = await again;
  await nextTurn();
  expect(socket.errored).toBeNull();
});
