import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Runs thousands of decodes at full concurrency on a fast fake ring and aborts some of them at random moments.
 * Memory and open files must stay flat; no process and no file may be left.
 *
 * SOAK_DECODES (3000), SOAK_CLIENTS (16), SOAK_ABORTS (0.2: share of requests that the client aborts)
 */

const DECODES = Number(process.env.SOAK_DECODES ?? 3000);
const CLIENTS = Number(process.env.SOAK_CLIENTS ?? 16);
const ABORTS = Number(process.env.SOAK_ABORTS ?? 0.2);
const ROWS = 10;
/** A decode takes tens of milliseconds here, so aborts hit every stage. */
const LATEST_ABORT_MS = 150;

const RING = `#!/bin/sh
case "$*" in
  --version) echo 0.19.5-12 ;;
  *"license list"*) echo '332588056123456-8100123456 (file name: "license.lic")' ;;
  *"license info"*) echo 'Customer information:' ; echo '    First name: Ivan' ;;
  *"license validate"*) echo 'License check failed.' ; exit 1 ;;
esac
`;

const directory = mkdtempSync(join(tmpdir(), 'ld-soak-'));
const [uploads, work, ring] = ['uploads', 'work', 'ring'].map((name) => join(directory, name));
writeFileSync(ring, RING, { mode: 0o755 });

// The heap limit is the image's. Without one, V8 lets garbage grow by hundreds of megabytes first.
const args = ['--max-old-space-size=128', resolve(import.meta.dirname, '../dist/server.js')];
const settings = { RING_CMD: ring, UPLOAD_DIR: uploads, TMP_BASE: work, RATE_LIMIT_MAX: '1000000' };
const env = { ...process.env, PORT: '0', LOG_LEVEL: 'info', ...settings };
const service = spawn(process.execPath, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] });
process.once('exit', () => {
  service.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

const increment = (counts, key) => (counts[key] = (counts[key] ?? 0) + 1);
const errorsLogged = {};
const port = await new Promise((resolvePort) => {
  createInterface(service.stdout).on('line', (line) => {
    const { level, msg, port } = JSON.parse(line);
    if (level >= 50) increment(errorsLogged, msg);
    if (msg === 'listening') resolvePort(port);
  });
});

function printRow(decodes) {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  const megabytes = (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0);
  const openFiles = readdirSync(`/proc/${service.pid}/fd`).length;
  console.log([decodes, megabytes, openFiles].map((value) => String(value).padStart(11)).join(''));
}

/** Processes whose working directory belongs to a decode. */
function ringProcesses() {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(`${work}/`);
    } catch {
      return false;
    }
  });
}

/** Uploads are files in UPLOAD_DIR, decodes are directories in TMP_BASE; otherwise only processes' signs of life are there. */
const filesLeft = () =>
  [...readdirSync(uploads), ...readdirSync(work)].filter((name) => !name.startsWith('.alive-'));

const outcomes = {};
const file = new Blob([Buffer.alloc(4000, 'bGljZW5zZQ==')]);
let started = 0;

async function decode() {
  const body = new FormData();
  body.set('license', file, 'a.lic');
  body.set('detailed', String(Math.random() < 0.5));
  const abortAfter = Math.ceil(Math.random() * LATEST_ABORT_MS);
  const signal = Math.random() < ABORTS ? AbortSignal.timeout(abortAfter) : null;
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/decode`, { method: 'POST', body, signal });
    const { error } = await response.json();
    return response.ok ? 'decoded' : `${response.status} ${error}`;
  } catch (error) {
    return signal?.aborted ? 'aborted' : `no response: ${error.cause?.code ?? error.name}`;
  }
}

async function client() {
  while (started < DECODES) {
    if (++started % Math.ceil(DECODES / ROWS) === 0) printRow(started);
    increment(outcomes, await decode());
  }
}

console.log('    decodes  memory MB open files');
console.time(`${DECODES} requests by ${CLIENTS} clients`);
await Promise.all(Array.from({ length: CLIENTS }, client));
console.timeEnd(`${DECODES} requests by ${CLIENTS} clients`);
await sleep(1000);
printRow('after');

const left = { processes: ringProcesses().length, files: filesLeft().length };
service.kill('SIGTERM');
const [exitStatus] = await once(service, 'exit');
console.log({ outcomes, errorsLogged, left, exitStatus });

const failures = Object.keys(outcomes).filter((outcome) => outcome !== 'decoded' && outcome !== 'aborted');
const unwanted = failures.length + Object.keys(errorsLogged).length + left.processes + left.files;
const clean = unwanted === 0 && outcomes.decoded > 0 && exitStatus === 0;
console.log(clean ? 'clean' : 'NOT CLEAN');
process.exit(clean ? 0 : 1);
