import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import timers from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createHttpServer } from '../../../src/http/server.js';
import { GET_HEALTH, openConnection } from '../../support/raw-http.js';

it('a stop serves what waits to be accepted, and open connections for a second, and closes them', async () => {
  const second = Promise.withResolvers<undefined>();
  const sleep = vi.spyOn(timers, 'setTimeout').mockReturnValue(second.promise);
  syncBuiltinESMExports();
  onTestFinished(() => {
    sleep.mockRestore();
    syncBuiltinESMExports();
  });
  const http = createHttpServer((_req, res) => res.end('served'), 1000, 1000);
  await once(http.server.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.server.address() as AddressInfo;
  const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true }));
  const connectionOf = async (agent?: Agent) => {
    const [response] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage];
    await response.toArray();
    return response.headers.connection;
  };
  for (const agent of agents) expect(await connectionOf(agent)).toBe('keep-alive');
  // The system has accepted these, the server has not.
  const waiting = Array.from({ length: 50 }, () => connectionOf());
  await new Promise((connecting) => process.nextTick(connecting));
  const drained = http.drain();
  expect(await Promise.all(waiting)).toEqual(Array(50).fill('close'));
  await vi.waitFor(() => expect(sleep).toHaveBeenCalledExactlyOnceWith(1000));
  for (const agent of agents.slice(1)) expect(await connectionOf(agent)).toBe('close');
  second.resolve(undefined);
  await drained;
  await expect(connectionOf(agents[0])).rejects.toThrow(/ECONN|hang up/);
});

it('an answer that has begun is cut off, not followed by another, when the body turns out malformed', async () => {
  const { server } = createHttpServer((_req, res) => void res.write('begun'), 1000, 1000);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const socket = openConnection((server.address() as AddressInfo).port, head);
  await once(socket, 'readable');
  socket.end('no length\r\n');
  expect(String(await socket.toArray()).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200']);
});

it('an answer under way when the stop begins closes its connection', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const http = createHttpServer((_req, res) => asked.resolve(res), 1000, 1000);
  await once(http.server.listen(0, '127.0.0.1'), 'listening');
  const agent = new Agent({ keepAlive: true });
  const { port } = http.server.address() as AddressInfo;
  const answer = once(get({ port, host: '127.0.0.1', agent }), 'response') as Promise<[IncomingMessage]>;
  const res = await asked.promise;
  const drained = http.drain();
  res.end('served');
  expect((await answer)[0].headers.connection).toBe('close');
  await drained;
});

it('what follows in a segment whose second request closed the connection is not parsed', async () => {
  const { server } = createHttpServer(() => undefined, 1000, 1000);
  let requests = 0;
  server.on('request', () => requests++);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const socket = openConnection((server.address() as AddressInfo).port, GET_HEALTH.repeat(1000));
  await Promise.race([once(socket.resume(), 'end'), once(socket, 'close')]);
  expect(requests).toBe(2);
});
