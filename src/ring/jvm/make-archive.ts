import { loadConfig } from '../../config/settings.js';
import { createLogger } from '../../monitoring/logger.js';
import { exposuresOf, trustedDirectory } from '../../storage/private-directory.js';
import { canDecode, findInstallation } from '../installation/installation.js';
import { BUILT_IN_CACHE, JvmTuning } from './tuning.js';

// Makes the archive of ring's classes while the image is built, so that every container starts ring from it.
// Without ring, or with a JRE that can't make one, it only logs that: the image works without an archive.
const { env } = process;
const { RING_CMD: command, RING_MODULE: module, RING_LANG: language } = loadConfig(env);
const log = createLogger('info');
const installation = await findInstallation({ command, module, language, env });
const { jre, ring } = installation;
log.info({ jre: jre.version?.text, ring: ring.version?.text }, 'versions');
if (canDecode(installation)) {
  const tuning = new JvmTuning({
    enabled: true,
    openCache: () => trustedDirectory(BUILT_IN_CACHE),
    exposuresOf,
    language,
    env,
    log,
    runInSlot: (task) => task(),
  });
  await tuning.prepare(installation);
}
