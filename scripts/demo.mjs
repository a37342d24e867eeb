import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import jwt from 'jsonwebtoken';
import { readArguments } from './arguments.mjs';
import { temporaryDirectory } from './temporary-directory.mjs';

/*
 * Shows the service without ring: starts the build in dist/ on the stand-in in demo-ring/, decodes a sample over
 * HTTP, prints the command and its answer, and keeps serving until Ctrl-C.
 */

const ROOT = dirname(import.meta.dirname);
const SAMPLES = 'scripts/demo-ring/samples';
const SAMPLE = `${SAMPLES}/20240115120000.lic`;
const OTHER_SAMPLE = `${SAMPLES}/20250301090000.lic`;

const STAND_IN =
  'The ring behind this service is a STAND-IN (scripts/demo-ring): it knows only the made-up samples in\n' +
  `${SAMPLES} and decodes no real license.`;

const START_TIMEOUT_MS = 60_000;
/** npm passes on a Ctrl-C that the terminal has already sent: a second signal within this time is the same one. */
const SAME_SIGNAL_MS = 1000;

readArguments('npm run demo');
const { HOST, PORT, JWT_SECRET, LOG_LEVEL, RATE_LIMIT_MAX } = process.env;
const port = PORT || '3000';
const secret = JWT_SECRET || randomBytes(32).toString('base64url');
const url = `http://${hostOf(HOST)}:${port}`;

/** The host in URLs of a service that listens on an address. */
function hostOf(address) {
  const isEveryAddress = !address || address === '0.0.0.0' || address === '::';
  if (isEveryAddress) return 'localhost';
  const isIPv6 = address.includes(':');
  return isIPv6 ? `[${address}]` : address;
}

async function isAlive() {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) });
    return response.ok;
  } catch {
    return false;
  }
}

function startService() {
  const directory = temporaryDirectory('license-decoder-demo');
  const service = spawn(process.execPath, [join(ROOT, 'dist/server.js')], {
    // Has no .env, so the settings of a real service do not apply.
    cwd: join(ROOT, 'scripts/demo-ring'),
    env: {
      ...process.env,
      // The stand-in runs on node, which need not be on the PATH.
      PATH: [dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter),
      PORT: port,
      JWT_SECRET: secret,
      // As in the demo image, because a visitor tries more than three files.
      RATE_LIMIT_MAX: RATE_LIMIT_MAX || '100',
      RING_CMD: join(ROOT, 'scripts/demo-ring/ring'),
      RING_JVM_TUNING: 'off',
      UPLOAD_DIR: join(directory, 'uploads'),
      TMP_BASE: join(directory, 'work'),
      LOG_LEVEL: LOG_LEVEL || 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
    // In a process group of its own, the service does not get the terminal's Ctrl-C as well. A second signal would end it
    // at once.
    detached: true,
  });
  let last = -Infinity;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (performance.now() - last < SAME_SIGNAL_MS) return;
      last = performance.now();
      service.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
  }
  process.once('exit', () => service.kill());
  return service;
}

async function decodeSample(token) {
  const form = new FormData();
  form.set('license', new Blob([await readFile(join(ROOT, SAMPLE))]), basename(SAMPLE));
  form.set('structured', 'true');
  // With a token, so that the visitor's anonymous quota stays untouched.
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/decode`, { method: 'POST', headers, body: form });
  const answer = JSON.stringify(await response.json(), null, 2);
  if (!response.ok) throw new Error(`The service could not decode the sample: ${response.status}\n${answer}`);
  return answer;
}

async function show() {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await isAlive())) {
    if (performance.now() > deadline) {
      throw new Error(`The service did not answer at ${url}/healthz in time.`);
    }
    await sleep(100);
  }
  const token = jwt.sign({ sub: 'demo' }, secret, { algorithm: 'HS256', expiresIn: '12h' });
  const answer = await decodeSample(token);
  const statusResponse = await fetch(`${url}/api/status`);
  const { jre } = await statusResponse.json();
  const status = jre.installed ? '' : ' ("not ready": there is no Java runtime; only the real ring needs it)';
  console.log(`
Open in a browser:  ${url}/

${STAND_IN}

Decode a sample from ${ROOT} in another terminal:

curl -F license=@${SAMPLE} -F structured=true ${url}/api/decode

The answer:

${answer}

With a token, which lifts the rate limit, and a license that fits every machine:

curl -H 'Authorization: Bearer ${token}' -F license=@${OTHER_SAMPLE} ${url}/api/decode

Status:        ${url}/api/status${status}
API reference: ${url}/docs
API document:  ${url}/api/docs

${STAND_IN}
Ctrl-C ends the service.
`);
}

// If something already answers here, the demo would talk to it; the service then reports that the port is taken.
const portTaken = await isAlive();
const service = startService();
const ended = once(service, 'exit');
try {
  if (!portTaken) await Promise.race([show(), ended]);
} catch (error) {
  // Requests fail when Ctrl-C comes before the answer; that is no error.
  if (!service.killed && service.exitCode === null) {
    console.error(error.message);
    process.exitCode = 1;
    service.kill();
  }
}
const [exitCode] = await ended;
process.exit(process.exitCode || (exitCode ?? 1));
