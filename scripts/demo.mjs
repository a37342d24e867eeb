import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import jwt from 'jsonwebtoken';

/*
 * Shows the service at work where there is no ring: starts it, as built in dist/, on the stand-in in
 * demo-ring/, decodes a sample over HTTP, prints what was asked and answered, and keeps serving.
 */

const ROOT = dirname(import.meta.dirname);
const RING = join(ROOT, 'scripts/demo-ring/ring');
const SAMPLES = 'scripts/demo-ring/samples';
const SAMPLE = `${SAMPLES}/20240115120000.lic`;
const OTHER_SAMPLE = `${SAMPLES}/20250301090000.lic`;

const STAND_IN =
  'The ring behind this service is a STAND-IN (scripts/demo-ring): it knows only the made-up samples in\n' +
  `${SAMPLES} and decodes no real licence.`;

/** Milliseconds that the service gets to start, on a machine that is very busy. */
const START_MS = 30_000;
/** Milliseconds between two looks whether it has started. */
const POLL_MS = 100;
/** Milliseconds in which a second signal is the same Ctrl-C: npm passes on what the terminal sent as well. */
const SAME_SIGNAL_MS = 1000;

const port = process.env.PORT || '3000';
const secret = process.env.JWT_SECRET || randomBytes(32).toString('base64url');
const url = `http://${hostOf(process.env.HOST)}:${port}`;

/** Where a service that listens on `host` is reached from this machine. */
function hostOf(host) {
  if (!host || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function startService() {
  return spawn(process.execPath, [join(ROOT, 'dist/server.js')], {
    // No .env lies there, so the settings of a real service are left alone.
    cwd: join(ROOT, 'scripts/demo-ring'),
    env: {
      ...process.env,
      // The stand-in runs on node, too, which need not be on the PATH of who started this.
      PATH: [dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter),
      PORT: port,
      JWT_SECRET: secret,
      RING_CMD: RING,
      // The stand-in is no JVM.
      RING_JVM_TUNING: 'off',
      LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
    // Out of the terminal's reach: a Ctrl-C is to come to the service once, from here; twice it would end at once.
    detached: true,
  });
}

/** Passes on what tells this process to end, so that the service ends in good order and this after it. */
function passOnSignals(service) {
  let last = -Infinity;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (performance.now() - last < SAME_SIGNAL_MS) return;
      last = performance.now();
      service.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
  }
  process.once('exit', () => service.kill());
}

async function isAlive() {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

async function waitUntilAlive() {
  const deadline = performance.now() + START_MS;
  while (!(await isAlive())) {
    if (performance.now() > deadline) {
      throw new Error(`The service did not answer at ${url}/healthz within ${START_MS / 1000} seconds.`);
    }
    await sleep(POLL_MS);
  }
}

async function decodeSample(token) {
  const form = new FormData();
  form.set('license', new Blob([await readFile(join(ROOT, SAMPLE))]), basename(SAMPLE));
  form.set('detailed', 'true');
  const response = await fetch(`${url}/api/decode`, {
    method: 'POST',
    // Authenticated, so that the three decodes that anybody has an hour are left to who tries the service.
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  const answer = JSON.stringify(await response.json(), null, 2);
  if (!response.ok) throw new Error(`The service could not decode the sample: ${response.status}\n${answer}`);
  return answer;
}

async function isJreMissing() {
  const { jre } = await (await fetch(`${url}/api/status`)).json();
  return !jre.installed;
}

function describe({ token, answer, jreMissing }) {
  const status = jreMissing
    ? '\n               It says "not ready": the real ring needs a Java runtime, and there is none; the stand-in does without.'
    : '';
  return `
${STAND_IN}

A decode, to be sent from ${ROOT} in another terminal (three an hour without a token, unless set otherwise):

curl -F license=@${SAMPLE} -F detailed=true ${url}/api/decode

Its answer:

${answer}

The same with a token, which lifts the limit, and with a licence that fits every machine:

curl -H 'Authorization: Bearer ${token}' -F license=@${OTHER_SAMPLE} ${url}/api/decode

State:         ${url}/api/status${status}
Try it:        ${url}/docs
API document:  ${url}/api/docs

${STAND_IN}
Ctrl-C ends the service.
`;
}

async function show() {
  await waitUntilAlive();
  const token = jwt.sign({ sub: 'demo' }, secret, { algorithm: 'HS256', expiresIn: '12h' });
  const answer = await decodeSample(token);
  console.log(describe({ token, answer, jreMissing: await isJreMissing() }));
}

async function main() {
  // Whoever answers there already would be taken for the service, which is about to say that the port is taken.
  const portTaken = await isAlive();
  const service = startService();
  passOnSignals(service);
  let running = true;
  const ended = once(service, 'exit').then(([exitCode]) => {
    running = false;
    process.exitCode ||= exitCode ?? 1;
  });
  try {
    if (!portTaken) await Promise.race([show(), ended]);
  } catch (error) {
    // Requests that fail because the service was told to end are no failure.
    if (running && !service.killed) {
      console.error(error.message);
      process.exitCode = 1;
      service.kill();
    }
  }
  await ended;
  process.exit();
}

await main();
