import '../dist/node-version.js';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import jwt from 'jsonwebtoken';
import { startService } from '../dist/bootstrap.js';
import { loadConfig } from '../dist/config/settings.js';
import { createLogger } from '../dist/monitoring/logger.js';
import { readArguments } from './arguments.mjs';
import { temporaryDirectory } from './temporary-directory.mjs';

/*
 * Shows the service without ring: starts it on the stand-in in demo-ring/, decodes a sample over HTTP, prints the command
 * and its answer, and keeps serving until Ctrl-C.
 */

const ROOT = dirname(import.meta.dirname);
const SAMPLES = 'scripts/demo-ring/samples';
const SAMPLE = `${SAMPLES}/20240115120000.lic`;
const OTHER_SAMPLE = `${SAMPLES}/20250301090000.lic`;

const STAND_IN =
  'The ring behind this service is a STAND-IN (scripts/demo-ring): it knows only the made-up samples in\n' +
  `${SAMPLES} and decodes no real license.`;

/** The environment of the demo. `.env` is not read, so the settings of a real service do not apply. */
function demoEnvironment(directory) {
  const { PATH = '', JWT_SECRET, LOG_LEVEL, RATE_LIMIT_MAX } = process.env;
  // The stand-in runs on node, which need not be on the PATH.
  const nodeDirectory = dirname(process.execPath);
  return {
    ...process.env,
    PATH: nodeDirectory + delimiter + PATH,
    JWT_SECRET: JWT_SECRET || randomBytes(32).toString('base64url'),
    // As in the demo image, because a visitor tries more than three files.
    RATE_LIMIT_MAX: RATE_LIMIT_MAX || '100',
    RING_CMD: join(ROOT, 'scripts/demo-ring/ring'),
    RING_JVM_TUNING: 'off',
    UPLOAD_DIR: join(directory, 'uploads'),
    TMP_BASE: join(directory, 'work'),
    LOG_LEVEL: LOG_LEVEL || 'warn',
  };
}

/** The host in URLs of a service that listens on an address. */
function hostOf(address) {
  const isEveryAddress = !address || address === '0.0.0.0' || address === '::';
  if (isEveryAddress) return 'localhost';

  const isIPv6 = address.includes(':');
  return isIPv6 ? `[${address}]` : address;
}

async function decodeSample(url, token) {
  const file = await readFile(join(ROOT, SAMPLE));
  const form = new FormData();
  form.set('license', new Blob([file]), basename(SAMPLE));
  form.set('structured', 'true');

  // With a token, so that the visitor's anonymous quota stays untouched.
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/decode`, { method: 'POST', headers, body: form });
  const body = await response.json();
  const answer = JSON.stringify(body, null, 2);
  if (!response.ok) throw new Error(`The service could not decode the sample: ${response.status}\n${answer}`);
  return answer;
}

async function show(url, secret) {
  const token = jwt.sign({ sub: 'demo' }, secret, { algorithm: 'HS256', expiresIn: '12h' });
  const answer = await decodeSample(url, token);
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

readArguments('npm run demo');
const directory = temporaryDirectory('license-decoder-demo');
const env = demoEnvironment(directory);
let service;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    service?.forceStop();
    process.exit();
  });
}

try {
  const config = loadConfig(env);
  service = await startService(config, createLogger(config.LOG_LEVEL), env);
  const url = `http://${hostOf(config.HOST)}:${service.port}`;
  await show(url, config.JWT_SECRET);
} catch ({ message }) {
  console.error(message);
  process.exit(1);
}
