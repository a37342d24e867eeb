import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from './service.js';
import { tempDirectory } from './temp.js';

/** True when the program is there; else says what is skipped and which Debian package brings it. */
export function isInstalled(program: string, debianPackage: string, suite: string): boolean {
  const installed = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  if (!installed)
    process.stderr.write(`SKIPPED: ${suite}: there is no ${program} here (Debian: ${debianPackage})\n`);
  return installed;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

export const accepts = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => {
      done(false);
    });
  });

async function startServer(port: number, program: string, args: string[]): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  if (!(await eventually(() => accepts(port)))) throw new Error(`${program} does not listen`);
  return child;
}

/**
 * Starts a real redis-server that keeps nothing.
 * @param settings its command line's options, port and address apart
 */
export async function startRedis(
  port: number,
  settings: readonly string[] = ['--save', '', '--appendonly', 'no'],
): Promise<ChildProcess> {
  return startServer(port, 'redis-server', ['--port', String(port), '--bind', '127.0.0.1', ...settings]);
}

/** Starts a real nginx with docs/deploy/nginx.conf, in which only addresses and paths are exchanged. */
export async function startNginx(upstreams: number[]): Promise<{ port: number; process: ChildProcess }> {
  const port = await freePort();
  const directory = await tempDirectory();
  await mkdir(join(directory, 'tmp'));
  const shipped = readFileSync(resolve(import.meta.dirname, '../../docs/deploy/nginx.conf'), 'utf8');
  const servers = upstreams
    .map((upstream) => `server 127.0.0.1:${upstream} max_fails=1 fail_timeout=5s;`)
    .join('\n');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/tmp/${name};`)
    .join('\n');
  const config = shipped
    .replace(/(\s*server license-decoder-\d:3000[^;]*;)+/, `\n${servers}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('pid /run/nginx.pid;', `pid ${directory}/nginx.pid;`)
    .replace('http {', `http {\n${paths}`);
  const file = join(directory, 'nginx.conf');
  await writeFile(file, config);
  const check = spawnSync('nginx', ['-t', '-c', file, '-p', directory], { encoding: 'utf8' });
  if (check.status !== 0) throw new Error(check.stderr);
  // As root it would drop to a user that may not write into the test's directory.
  const directives = process.getuid?.() === 0 ? 'daemon off; user root;' : 'daemon off;';
  return { port, process: await startServer(port, 'nginx', ['-c', file, '-p', directory, '-g', directives]) };
}
