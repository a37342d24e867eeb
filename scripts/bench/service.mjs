import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const SERVER = resolve(import.meta.dirname, '../../dist/server.js');
/** Ticks a second of proc(5)'s times; 100 on every Linux that runs Node.js. */
const TICKS = 100;

/** Starts the built service, with the heap's bound of the image. */
export async function startService(directory, settings = {}) {
  const own = mkdtempSync(join(directory, 'service-'));
  const child = spawn(process.execPath, ['--max-old-space-size=128', SERVER], {
    cwd: own,
    env: {
      PATH: process.env.PATH,
      JAVA_HOME: process.env.JAVA_HOME ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      RATE_LIMIT_MAX: '1000000',
      LOG_LEVEL: 'info',
      STATUS_TTL_SECONDS: '86400',
      UPLOAD_DIR: join(own, 'uploads'),
      TMP_BASE: join(own, 'work'),
      RING_CACHE_DIR: join(directory, 'cache'),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const messages = [];
  const port = await new Promise((done) => {
    createInterface(child.stdout).on('line', (line) => {
      const { msg, port: listening } = JSON.parse(line);
      if (messages.length < 100) messages.push(msg);
      if (msg === 'listening') done(listening);
    });
  });
  const proc = (file) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  return {
    port,
    pid: child.pid,
    work: join(own, 'work'),
    uploads: join(own, 'uploads'),
    /** Waits until ring is started from an archive of its classes. */
    archived: async () => {
      while (!messages.some((message) => /archive of its classes|less tuning/.test(message))) await sleep(50);
    },
    /** Seconds of CPU that the service itself has used. */
    cpu: () => {
      const [utime, stime] = proc('stat')
        .replace(/^.*\) /s, '')
        .split(' ')
        .slice(11, 13);
      return (Number(utime) + Number(stime)) / TICKS;
    },
    /** Bytes that it caused to be written to disks. */
    written: () => Number(/^wchar: (\d+)/m.exec(proc('io'))[1]),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(proc('status'))[1]) * 1024,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Running processes below a directory, with the sum of their resident memory in bytes. */
export function processesBelow(directories) {
  let count = 0;
  let memory = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      if (!directories.some((directory) => cwd.startsWith(`${directory}/`))) continue;
      memory += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
      count++;
    } catch {
      // Ended in the meantime.
    }
  }
  return { count, memory };
}

const BOUNDARY = 'bench-boundary';

/** The body of a decode request. */
export function formBody(file, { detailed = false } = {}) {
  const part = (disposition) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(detailed ? `${part('name="detailed"')}true\r\n` : ''),
    Buffer.from(part('name="license"; filename="a.lic"')),
    file,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

/** A file of the size of a licence. */
export const LICENSE = Buffer.alloc(3000, 'bGljZW5zZQ==');

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request over a connection that is kept.
 * @returns status, and milliseconds until the whole answer was there
 */
export function send(port, path, body) {
  const begin = performance.now();
  return new Promise((done, fail) => {
    const headers = body
      ? { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, 'Content-Length': body.length }
      : {};
    const req = request(
      { host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET', agent, headers },
      (res) => {
        res.resume();
        res.once('end', () => done({ status: res.statusCode, ms: performance.now() - begin }));
      },
    );
    req.once('error', fail);
    req.end(body);
  });
}

/**
 * Begins to send a request, as curl does without `Expect`: reads while it sends, and closes the connection
 * when an error has been answered.
 */
export function sendUntilAnswered(port, path, body) {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    socket.once('data', (data) => {
      socket.destroy();
      done({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1]) });
    });
    socket.once('error', fail);
  });
}

/** Lets a number of clients each send one request after another. */
export async function load(clients, until, task) {
  const results = [];
  let sent = 0;
  const begin = performance.now();
  const client = async () => {
    while (until(sent, performance.now() - begin)) {
      sent++;
      results.push(await task());
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { results, seconds: (performance.now() - begin) / 1000 };
}

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}
export const median = (values) => quantile(values, 0.5);
