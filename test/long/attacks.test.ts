import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ROOT } from '../support/project.js';

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

it('the oldest Node.js parses two of 1,900 requests in one segment, because the second one came too early', () => {
  const node = oldest.stdout.trim();
  expect(node, oldest.stderr).not.toBe('');
  const args = ['--input-type=module', '-e', COUNT_REQUESTS];
  const { stdout, stderr } = spawnSync(node, args, { cwd: ROOT, encoding: 'utf8' });
  expect(stdout, stderr).toBe('2\n');
});
