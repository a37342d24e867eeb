import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo, type Server as Listener } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { boundToUs } from './processes.js';
import { read } from './project.js';
import { tempDirectory } from './temp.js';
import { until } from './until.js';

/** True when something listens on the port. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A port that nothing listens on, below those that Linux gives to connections and to servers that ask for any. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  return (await accepts(port)) ? freePort() : port;
}

/** Lets a server of a test listen on any port until the test has ended. @returns the port */
export async function listenAnywhere(server: Listener): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

interface Server {
  process: ChildProcess;
  port: number;
}

/** Starts a server on a free port, or the given one, and ends it with the test. */
async function startServer(
  signal: 'TERM' | 'KILL',
  commandFor: (port: number) => string[] | Promise<string[]>,
  given?: number,
): Promise<Server> {
  const port = given ?? (await freePort());
  const [program = '', ...args] = boundToUs(signal, await commandFor(port));
  const child = spawn(program, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  onTestFinished(async () => {
    child.kill(`SIG${signal}`);
    if (!hasEnded()) await ended;
  });
  await until(async () => hasEnded() || (await accepts(port)));
  if (!hasEnded()) return { process: child, port };
  // Somebody else was quicker.
  if (given === undefined && (await accepts(port))) return startServer(signal, commandFor);
  throw new Error(`${args.join(' ')} ended with ${child.exitCode ?? child.signalCode}`);
}

/**
 * Starts a real redis-server that keeps nothing.
 * @param options of its command line, besides port and address
 */
export async function startRedis({ port, options = [] }: RedisOptions = {}) {
  // A replica writes what it gets from its primary into its directory, and any Redis reads what lies there.
  const directory = await tempDirectory();
  // One that runs a script ignores SIGTERM, and a stopped one waits for SIGCONT.
  const commandFor = (free: number) => [
    'redis-server',
    '--port',
    String(free),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--save',
    '',
    ...options,
  ];
  return startServer('KILL', commandFor, port);
}

interface RedisOptions {
  port?: number;
  options?: string[];
}

/**
 * Starts a real nginx with docs/deploy/nginx/nginx.conf; only addresses and paths are replaced.
 * @param directory gets access.log and error.log
 * @param tls what it includes for TLS
 * @returns its port
 */
export async function startNginx(upstreams: number[], directory?: string, tls?: string): Promise<number> {
  const home = directory ?? (await tempDirectory());
  const { port } = await startServer('TERM', (free) => nginxCommand(free, upstreams, home, tls));
  return port;
}

async function nginxCommand(
  port: number,
  upstreams: number[],
  directory: string,
  tls = `${directory}/no-tls/*.conf`,
): Promise<string[]> {
  await mkdir(join(directory, 'tmp'), { recursive: true });
  const serversWith = (_: string, options: string) =>
    upstreams.map((upstream) => `\n    server 127.0.0.1:${upstream} ${options};`).join('');
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = kinds.map((kind) => `${kind}_temp_path ${directory}/tmp/${kind};`);
  const config = read('docs/deploy/nginx/nginx.conf')
    .replace(/(?:\s*server license-decoder-\d:3000 ([^;]*);)+/g, serversWith)
    // A busy machine may need longer; what is down refuses at once.
    .replace('proxy_connect_timeout 2s;', 'proxy_connect_timeout 30s;')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/etc/nginx-tls/*.conf', tls)
    .replace('/etc/nginx-tls/webroot', `${directory}/webroot`)
    .replace('/var/log/nginx/', `${directory}/`)
    .replaceAll('error_log stderr', `error_log ${directory}/error.log`)
    .replace('pid /run/nginx.pid;', `pid ${directory}/nginx.pid;`)
    .replace('http {', `http {\n${paths.join('\n')}`);
  const file = join(directory, 'nginx.conf');
  await writeFile(file, config);
  const check = spawnSync('nginx', ['-t', '-c', file, '-p', directory], { encoding: 'utf8' });
  if (check.status !== 0) throw new Error(check.stderr);
  // As root its workers would run as a user that can't write to the test's directory.
  const directives = process.getuid?.() === 0 ? 'daemon off; user root;' : 'daemon off;';
  return ['nginx', '-c', file, '-p', directory, '-g', directives];
}
