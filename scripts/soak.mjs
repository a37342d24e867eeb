import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Runs decodes for a long time, on a stand-in that is quick, at full concurrency, a part of them broken off at random
 * moments, and prints what is left: memory and open files must stay flat, processes and files must be none.
 *
 * SOAK_DECODES (3000), SOAK_CLIENTS (16), SOAK_ABORTS (0.2: the part that is broken off)
 */

const DECODES = Number(process.env.SOAK_DECODES ?? 3000);
const CLIENTS = Number(process.env.SOAK_CLIENTS ?? 16);
const ABORTS = Number(process.env.SOAK_ABORTS ?? 0.2);
/** Rows of the table. */
const SAMPLES = 10;

const RING = `#!/bin/sh
case "$*" in
  --version) echo 0.19.5-12 ;;
  *"license list"*) echo '332588056123456-8100123456 (file name: "license.lic")' ;;
  *"license info"*) echo 'Customer information:' ; echo '    First name: Ivan' ;;
  *"license validate"*) echo 'License check failed.' ; exit 1 ;;
esac
`;

const directory = mkdtempSync(join(tmpdir(), 'ld-soak-'));
const uploads = join(directory, 'uploads');
const work = join(directory, 'work');
const ring = join(directory, 'ring');
writeFileSync(ring, RING, { mode: 0o755 });

// The heap's bound is the image's: without one V8 lets garbage grow to some hundred megabytes first.
const service = spawn(
  process.execPath,
  ['--max-old-space-size=128', resolve(import.meta.dirname, '../dist/server.js')],
  {
    cwd: directory,
    env: {
      ...process.env,
      PORT: '0',
      RING_CMD: ring,
      UPLOAD_DIR: uploads,
      TMP_BASE: work,
      RATE_LIMIT_MAX: '1000000',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
process.once('exit', () => {
  service.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

const logged = {};
const port = await new Promise((done) => {
  createInterface(service.stdout).on('line', (line) => {
    const { level, msg, port: listening } = JSON.parse(line);
    if (level >= 50) logged[msg] = (logged[msg] ?? 0) + 1;
    if (msg === 'listening') done(listening);
  });
});

/** Resident memory in MB and open files of the service. */
function vitals() {
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
  return { memory: rss.toFixed(0), openFiles: readdirSync(`/proc/${service.pid}/fd`).length };
}

/** Processes that work below the directories of the decodes. */
function ringProcesses() {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(`${work}/`);
    } catch {
      return false;
    }
  });
}

function filesLeft() {
  return [uploads, work]
    .flatMap((base) => readdirSync(base, { recursive: true }))
    .filter((name) => name.includes('/') && !name.endsWith('/alive'));
}

const outcomes = {};
let started = 0;
const file = new Blob([Buffer.alloc(4000, 'bGljZW5zZQ==')]);

async function decode() {
  const form = new FormData();
  form.set('license', file, 'a.lic');
  form.set('detailed', Math.random() < 0.5 ? 'true' : 'false');
  // A decode takes some tens of milliseconds here: so every stage is broken off at times.
  const abort = Math.random() < ABORTS ? { signal: AbortSignal.timeout(Math.ceil(Math.random() * 150)) } : {};
  let outcome;
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/decode`, {
      method: 'POST',
      body: form,
      ...abort,
    });
    const body = await response.json();
    outcome = response.ok ? 'decoded' : `${response.status} ${body.error}`;
  } catch (error) {
    outcome = abort.signal?.aborted
      ? 'broken off by the client'
      : `no answer: ${error.cause?.code ?? error.name}`;
  }
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}

async function client() {
  while (started < DECODES) {
    started++;
    await decode();
  }
}

console.log('decodes  memory (MB)  open files');
const report = (count) => {
  const { memory, openFiles } = vitals();
  console.log(`${String(count).padStart(7)}  ${memory.padStart(11)}  ${String(openFiles).padStart(10)}`);
};
const begin = performance.now();
let reported = 0;
const ticker = setInterval(() => {
  if (started >= ((reported + 1) * DECODES) / SAMPLES) {
    reported++;
    report(started);
  }
}, 50);
await Promise.all(Array.from({ length: CLIENTS }, client));
clearInterval(ticker);
const seconds = (performance.now() - begin) / 1000;
await sleep(1000);
report(DECODES);

const left = { processes: ringProcesses().length, files: filesLeft().length };
console.log(`\n${DECODES} requests in ${seconds.toFixed(1)} s by ${CLIENTS} clients`);
for (const [outcome, count] of Object.entries(outcomes)) console.log(`  ${outcome}: ${count}`);
console.log(`errors in the log: ${JSON.stringify(logged)}`);
console.log(`ring processes left: ${left.processes}\nfiles left: ${left.files}`);

service.kill('SIGTERM');
const [exitStatus] = await once(service, 'exit');
const unexpected = Object.keys(outcomes).filter(
  (outcome) => !['decoded', 'broken off by the client'].includes(outcome),
);
const failed = left.processes + left.files + unexpected.length + Object.keys(logged).length + exitStatus;
console.log(failed === 0 ? 'clean' : 'NOT CLEAN');
process.exit(failed === 0 ? 0 : 1);
