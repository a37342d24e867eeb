import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const SERVER = resolve(import.meta.dirname, '../../dist/server.js');
/** Clock ticks per second in proc(5): 100 on every Linux that runs Node.js. */
const TICKS = 100;

/** Starts the built service with the heap bound of the image, and waits until JVM tuning has settled. */
export async function startService(directory, settings) {
  const own = mkdtempSync(join(directory, 'service-'));
  const child = spawn(process.execPath, ['--max-old-space-size=128', SERVER], {
    cwd: own,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      RATE_LIMIT_MAX: '1000000',
      STATUS_TTL_SECONDS: '86400',
      UPLOAD_DIR: join(own, 'uploads'),
      TMP_BASE: join(own, 'work'),
      RING_CACHE_DIR: join(own, 'cache'),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Before the directory is removed.
  process.prependOnceListener('exit', () => child.kill('SIGKILL'));
  let port;
  const settled = settings.RING_JVM_TUNING === 'off' ? /^listening/ : /^JVM tuning is (in)?complete/;
  await new Promise((done, fail) => {
    child.once('exit', (status) => fail(new Error(`the service ended with status ${status}`)));
    createInterface(child.stdout).on('line', (line) => {
      const record = JSON.parse(line);
      if (record.msg === 'listening') ({ port } = record);
      if (/incomplete/.test(record.msg)) console.log(`JVM tuning is incomplete: ${record.reason}`);
      if (settled.test(record.msg)) done();
    });
  });
  return {
    port,
    work: join(own, 'work'),
    /** Milliseconds of CPU that Node.js has used, with or without the programs that it has run. */
    cpu: (programs = true) => {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').replace(/^.*\) /s, '');
      const times = stat.split(' ').slice(11, programs ? 15 : 13);
      return (times.reduce((sum, ticks) => sum + Number(ticks), 0) * 1000) / TICKS;
    },
    /** Peak resident memory in bytes. */
    memory: () => peakMemory(child.pid),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function peakMemory(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

/** The highest peak memory of the processes that work below a directory, in bytes. */
export function largestProcess(directory) {
  const sizes = readdirSync('/proc').map((pid) => {
    try {
      if (!/^\d+$/.test(pid) || !readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)) return 0;
      return peakMemory(pid);
    } catch {
      return 0; // It has ended.
    }
  });
  return Math.max(...sizes);
}

const BOUNDARY = 'bench-boundary';

/** The body of a decode request. */
export function formBody(file) {
  const head = 'Content-Disposition: form-data; name="license"; filename="a.lic"';
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request over a kept connection, a POST when there is a body.
 * @returns milliseconds to the end of the answer
 */
export async function send(port, path, body) {
  const begin = performance.now();
  const type = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  const form = body && { method: 'POST', headers: { ...type, 'Content-Length': body.length } };
  const outgoing = request({ host: '127.0.0.1', port, path, agent, ...form }).end(body);
  const [response] = await once(outgoing, 'response');
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
  return performance.now() - begin;
}

/** Has a number of clients send one request after another. @returns seconds that all of them took */
export async function load(clients, requests, task) {
  const begin = performance.now();
  let sent = 0;
  const client = async () => {
    while (sent++ < requests) await task();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (performance.now() - begin) / 1000;
}
