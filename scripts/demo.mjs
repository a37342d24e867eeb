import '../dist/node-version.js';
import { delimiter, dirname, join } from 'node:path';
import { startService } from '../dist/bootstrap.js';
import { loadConfig } from '../dist/config/settings.js';
import { createLogger } from '../dist/monitoring/logger.js';
import { readArguments } from './arguments.mjs';
import { temporaryDirectory } from './temporary-directory.mjs';

/*
 * Shows the service without ring: starts it on the stand-in in demo-ring/, prints what to try, and serves until Ctrl-C.
 */

const ROOT = dirname(import.meta.dirname);
const SAMPLE = 'scripts/demo-ring/samples/20240115120000.lic';

/** The environment of the demo. `.env` is not read, so the settings of a real service do not apply. */
function demoEnvironment(directory) {
  const { PATH = '', LOG_LEVEL, RATE_LIMIT_MAX } = process.env;
  // The stand-in runs on node, which need not be on the PATH.
  const nodeDirectory = dirname(process.execPath);
  return {
    ...process.env,
    PATH: nodeDirectory + delimiter + PATH,
    // A visitor tries more than three files.
    RATE_LIMIT_MAX: RATE_LIMIT_MAX || '100',
    RING_CMD: join(ROOT, 'scripts/demo-ring/ring'),
    // ring needs Java, and the service is not ready without one. The stand-in for ring needs none.
    JAVA_HOME: join(ROOT, 'scripts/demo-ring/jre'),
    RING_JVM_TUNING: 'off',
    UPLOAD_DIR: join(directory, 'uploads'),
    TMP_BASE: join(directory, 'work'),
    LOG_LEVEL: LOG_LEVEL || 'error',
  };
}

function show(url) {
  console.log(`
Open in a browser:  ${url}/

In another terminal, in the clone of the repository, decode a sample:

curl -F license=@${SAMPLE} -F structured=true ${url}/api/decode

API reference: ${url}/docs

The ring behind this service is a STAND-IN (scripts/demo-ring): it knows only the made-up samples in
${dirname(SAMPLE)} and decodes no real license. Ctrl-C ends the service.
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
  show(`http://localhost:${service.port}`);
} catch ({ message }) {
  console.error(message);
  process.exit(1);
}
