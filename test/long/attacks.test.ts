import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server.js';
import { suspend } from '../support/processes.js';
import { openConnection } from '../support/raw-http.js';
import { upload } from '../support/service.js';
import { spawnService } from '../support/spawned-service.js';
import { until } from '../support/until.js';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** The oldest Node.js that the service runs on, from the registry. */
const EXEC = ['exec', '--yes', '--package=node@22.23.2', '--', 'node', '-p', 'process.execPath'];
const oldest = spawnSync('npm', EXEC, { encoding: 'utf8' });

it.each([
  ['PORT', '/healthz', process.execPath],
  ['METRICS_PORT', '/metrics', process.execPath],
  ['PORT, Node.js 22', '/healthz', oldest.stdout.trim()],
])(
  '120 connections that send 1,900 requests in one segment each to %s end nothing',
  async (port, path, node) => {
    expect(node, oldest.stderr).not.toBe('');
    const service = await spawnService({ METRICS_PORT: '0' }, { node });
    const target = port === 'METRICS_PORT' ? service.metricsPort : service.port;
    const sockets = Array.from({ length: 120 }, () => openConnection(target).resume());
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    // All segments are there when the service reads again: it handles them in one turn of its event loop.
    await suspend(service.process);
    const requests = get(path).repeat(1900);
    await Promise.all(sockets.map((socket) => new Promise((sent) => socket.write(requests, sent))));
    service.process.kill('SIGCONT');
    await until(() => sockets.every((socket) => socket.readableEnded || socket.destroyed));
    await upload(service).expect(200);
    // 128 MB of heap and what Node.js itself takes.
    expect(service.peakMemory()).toBeLessThan(200_000_000);
  },
);

it('a client that never reads its answer is cut off', async () => {
  const { server } = createHttpServer((_req, res) => void res.end(Buffer.alloc(50_000_000)), 1000, 1000);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  openConnection((server.address() as AddressInfo).port, get('/'));
  const [socket] = (await once(server, 'connection')) as [Socket];
  await once(socket, 'close');
  expect(socket.writableFinished).toBe(false);
  server.close();
});
