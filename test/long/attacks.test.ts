import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server.js';
import { ROOT } from '../support/project.js';
import { GET_HEALTH, openConnection } from '../support/raw-http.js';

/** The oldest Node.js that the service runs on, from the registry. */
const EXEC = ['exec', '--yes', '--package=node@22.23.2', '--', 'node', '-p', 'process.execPath'];
const oldest = spawnSync('npm', EXEC, { encoding: 'utf8' });

/** Sends 1,900 requests at once over one connection, and prints how many of them the server has parsed. */
const COUNT_REQUESTS = `
  import { once } from 'node:events';
  import { connect } from 'node:net';
  import { createHttpServer } from './dist/http/server.js';

  const { server } = createHttpServer((_req, res) => res.end(), 1000, 1000);
  let requests = 0;
  server.on('request', () => { requests += 1; });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const socket = connect(server.address().port, '127.0.0.1').resume();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'.repeat(1900));
  await new Promise((closed) => socket.once('close', closed));
  console.log(requests);
  server.close();
`;

it.each([
  ['this Node.js', process.execPath],
  ['Node.js 22', oldest.stdout.trim()],
])(
  '%s parses two of 1,900 requests in one segment, because the second one came too early',
  (_title, node) => {
    expect(node, oldest.stderr).not.toBe('');
    const { stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', COUNT_REQUESTS], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(stdout, stderr).toBe('2\n');
  },
);

it('a client that never reads its answer is cut off', async () => {
  const { server } = createHttpServer((_req, res) => void res.end(Buffer.alloc(50_000_000)), 1000, 1000);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  openConnection((server.address() as AddressInfo).port, GET_HEALTH);
  const [socket] = (await once(server, 'connection')) as [Socket];
  await once(socket, 'close');
  expect(socket.writableFinished).toBe(false);
  server.close();
});
