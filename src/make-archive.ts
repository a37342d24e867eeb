import { loadConfig } from './config/settings.js';
import { createLogger } from './config/logger.js';
import { BUILT_IN_CACHE, JvmTuning } from './ring/jvm/tuning.js';
import { Readiness } from './status/readiness.js';

/*
 * Makes the archive of ring's classes while the image is built, so that every container starts ring from it.
 * Without ring, or with a JRE that can't make one, it only logs that: the image works without an archive.
 */
const { env } = process;
const { RING_CMD, RING_LANG, STATUS_TTL_SECONDS } = loadConfig(env);
const log = createLogger('info');
const tuning = new JvmTuning({
  enabled: true,
  cacheDirectory: BUILT_IN_CACHE,
  language: RING_LANG,
  env,
  log,
  runInSlot: (task) => task(),
});
let prepared: Promise<void> | undefined;
const readiness = new Readiness({
  ringCommand: RING_CMD,
  language: RING_LANG,
  ttlSeconds: STATUS_TTL_SECONDS,
  onReady: (found) => {
    prepared = tuning.prepare(found);
  },
  env,
  log,
});
await readiness.status();
await prepared;
