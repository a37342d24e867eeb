import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { version, type Config } from '../config/settings.js';
import { findInstallation } from '../ring/installation/installation.js';
import { createMadeUpLicense } from '../ring/jvm/archive.js';
import { JvmTuning } from '../ring/jvm/tuning.js';
import { existingPart, exposuresOf, trustedDirectory } from '../storage/private-directory.js';
import { isBelowDefaultBase } from '../storage/temporary-storage.js';
import type { Findings } from './findings.js';
import { runCommand, type RingInUse } from './ring-runs.js';

/**
 * Checks whether the service could decode with these settings and as this user.
 * @param work a private directory
 * @returns how ring is run, if there is a ring
 */
export async function checkInstallation(config: Config, work: string, findings: Findings) {
  const { env } = process;
  const { RING_CMD: command, RING_MODULE, RING_LANG: language, RING_TIMEOUT_MS: timeoutMs } = config;
  const installation = await findInstallation({ command, module: RING_MODULE, language, env });
  const { jre, ring, module } = installation;
  const { note, check } = findings;
  const java = [`Java ${jre.version?.text ?? ''}`.trim(), jre.build].filter(Boolean).join(', ');
  const ringVersion = ['ring', ring.version?.text].filter(Boolean).join(' ');
  const moduleVersion = ['license module', module?.version].filter(Boolean).join(' ');
  const service = `service ${version}, Node.js ${process.versions.node}`;
  const versions = [service, java, ringVersion, moduleVersion].join(', ');
  note(`${service}, user ${process.getuid?.()}`);
  check(jre.isSupported, [java, jre.path, jre.problem], 'Set JAVA_HOME to a Java 8 or 11.');
  check(ring.isSupported, [ringVersion, ring.path, ring.problem], 'Install or mount ring, or set RING_CMD.');
  if (module) {
    const { name, problem } = module;
    const parts = [moduleVersion, name === 'license' ? undefined : name, problem?.words];
    const isMissing = problem?.kind === 'refused';
    const advice = isMissing
      ? 'Install license-tools, mount /etc/1C, or set RING_MODULE.'
      : 'See docs/errors.md.';
    check(problem === undefined, parts, advice);
  }
  await checkDirectory('UPLOAD_DIR', config.UPLOAD_DIR, findings, true);
  await checkDirectory('TMP_BASE', config.TMP_BASE, findings, true);
  await checkDirectory('RING_CACHE_DIR', config.RING_CACHE_DIR, findings, false);
  if (!ring.path || !ring.version || !jre.version) return { versions, ring: undefined };

  const tuning = new JvmTuning({
    enabled: config.RING_JVM_TUNING === 'on',
    // Not the service's: what root writes there would be closed to it.
    openCache: () => trustedDirectory(join(work, 'cache')),
    language,
    env,
    log: pino({ level: 'silent' }),
    runInSlot: (task) => task(),
  });
  const problem = await tuning.prepare(installation);
  const { jvmOptions } = tuning;
  const archive = jvmOptions.some((option) => option.includes('SharedArchiveFile')) ? 'with' : 'without';
  const options = tuning.enabled ? `${archive} an archive of classes: ${jvmOptions.join(' ')}` : 'off';
  check(problem === undefined, [`JVM tuning ${options}`, problem], 'Decodes are only slower.', false);

  const found = { launcher: ring.path, module: module?.name ?? 'license', language, env, jvmOptions };
  return { versions, ring: { ...found, timeoutMs, directory: work } };
}

/** Runs `list` on a file that is no license: the commands of a decode begin so. */
export async function runMadeUp(ring: RingInUse, findings: Findings) {
  const licenses = join(ring.directory, 'made-up-license');
  await createMadeUpLicense(licenses);
  const run = await runCommand(ring, { name: 'list' }, licenses);
  const titled = { ...run, title: `${run.title} on a made-up file` };
  findings.checkRun([titled]);
  return titled;
}

/** Creates nothing, because what root creates here would be closed to the service. */
async function checkDirectory(name: string, directory: string, findings: Findings, isNeeded: boolean) {
  const existing = existingPart(directory);
  try {
    // The dot refuses a file.
    await access(`${existing}/.`, constants.W_OK | constants.X_OK);
    const exposures = existing === directory ? await exposuresOf(directory) : [];
    const exposedBy = exposures[0]?.path;
    const isRefused = isNeeded && exposedBy !== undefined && isBelowDefaultBase(exposedBy);
    const problem = exposedBy && `others can write to ${exposedBy}`;
    findings.check(!problem, [`${name} ${directory}`, problem], 'Make it private to this user.', isRefused);
  } catch (error) {
    const problem = `cannot write to ${existing} (${(error as NodeJS.ErrnoException).code})`;
    findings.check(false, [`${name} ${directory}`, problem], `Make it writable, or set ${name}.`, isNeeded);
  }
}
