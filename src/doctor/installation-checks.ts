import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { version, type Config } from '../config/settings.js';
import { findInstallation, type Installation } from '../ring/installation/installation.js';
import { createMadeUpLicense } from '../ring/jvm/archive.js';
import { JvmTuning } from '../ring/jvm/tuning.js';
import { existingPart, exposuresOf, trustedDirectory } from '../storage/private-directory.js';
import { isBelowDefaultBase } from '../storage/temporary-storage.js';
import { joinParts, type Findings } from './findings.js';
import { runCommand, type ReportedRun, type RingInUse } from './ring-runs.js';

/**
 * Checks whether the service could decode with these settings and as this user.
 * @param work a private directory
 * @returns the versions in one line; and how ring is run, if there is a ring
 */
export async function checkInstallation(config: Config, work: string, findings: Findings) {
  const { env } = process;
  const { RING_CMD: command, RING_MODULE, RING_LANG: language, RING_TIMEOUT_MS: timeoutMs } = config;
  const installation = await findInstallation({ command, module: RING_MODULE, language, env });
  const names = namesIn(installation);
  findings.note(`${names.service}, user ${process.getuid?.()}`);
  checkPrograms(installation, findings);
  await checkDirectories(config, findings);

  const versions = joinParts([names.service, names.java, names.ring, names.module]);
  const { jre, ring, module } = installation;
  if (!ring.path || !ring.version || !jre.version) return { versions, ring: undefined };

  const jvmOptions = await checkTuning(installation, config, work, findings);
  const ringInUse: RingInUse = {
    launcher: ring.path,
    module: module?.name ?? 'license',
    language,
    env,
    jvmOptions,
    timeoutMs,
    directory: work,
  };
  return { versions, ring: ringInUse };
}

/** The programs with their versions, as they are called in the first lines and in the report. */
function namesIn({ jre, ring, module }: Installation) {
  const java = joinParts(['Java', jre.version?.text], ' ');
  return {
    service: `service ${version}, Node.js ${process.versions.node}`,
    java: joinParts([java, jre.build]),
    ring: joinParts(['ring', ring.version?.text], ' '),
    module: joinParts(['license module', module?.version], ' '),
  };
}

function checkPrograms(installation: Installation, findings: Findings): void {
  const { jre, ring, module } = installation;
  const names = namesIn(installation);
  findings.check(jre.isSupported, [names.java, jre.path, jre.problem], 'Set JAVA_HOME to a Java 8 or 11.');
  const ringAdvice = 'Install or mount ring, or set RING_CMD.';
  findings.check(ring.isSupported, [names.ring, ring.path, ring.problem], ringAdvice);
  if (!module) return;

  const { name, problem } = module;
  const isMissing = problem?.kind === 'refused';
  const advice = isMissing
    ? 'Install license-tools, mount /etc/1C, or set RING_MODULE.'
    : 'See docs/errors.md.';
  const otherName = name === 'license' ? undefined : name;
  findings.check(problem === undefined, [names.module, otherName, problem?.words], advice);
}

async function checkDirectories(config: Config, findings: Findings): Promise<void> {
  for (const name of ['UPLOAD_DIR', 'TMP_BASE'] as const) {
    const directory = config[name];
    const problem = await problemOf(name, directory);
    const parts = [`${name} ${directory}`, problem?.text];
    if (problem?.isFatal) {
      findings.check(false, parts, problem.advice);
    } else {
      findings.checkOptional(problem === undefined, parts, problem?.advice ?? '');
    }
  }

  const cache = config.RING_CACHE_DIR;
  const problem = await problemOf('RING_CACHE_DIR', cache);
  const parts = [`RING_CACHE_DIR ${cache}`, problem?.text];
  findings.checkOptional(problem === undefined, parts, problem?.advice ?? '');
}

interface DirectoryProblem {
  text: string;
  advice: string;
  /** Whether the service does not start with such a directory for files; others only make it warn. */
  isFatal: boolean;
}

/** Creates nothing, because root may run this, and a directory of root would be closed to the service. */
async function problemOf(setting: string, directory: string): Promise<DirectoryProblem | undefined> {
  const existing = existingPart(directory);
  try {
    // With the dot it fails for a file.
    await access(`${existing}/.`, constants.W_OK | constants.X_OK);
    if (existing !== directory) return undefined;

    const [exposure] = await exposuresOf(directory);
    if (exposure === undefined) return undefined;
    return {
      text: `others can write to ${exposure.path}`,
      advice: 'Make it private to this user.',
      isFatal: isBelowDefaultBase(exposure.path),
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      text: `cannot write to ${existing} (${code})`,
      advice: `Make it writable, or set ${setting}.`,
      isFatal: true,
    };
  }
}

/** Prepares JVM tuning as the service does, and says whether it works. @returns the options of the JVM */
async function checkTuning(installation: Installation, config: Config, work: string, findings: Findings) {
  const tuning = new JvmTuning({
    enabled: config.RING_JVM_TUNING === 'on',
    // Not the service's cache: root may run this, and a file of root there would be closed to the service.
    openCache: () => trustedDirectory(join(work, 'cache')),
    exposuresOf,
    language: config.RING_LANG,
    env: process.env,
    log: pino({ level: 'silent' }),
    runInSlot: (task) => task(),
  });
  const problem = await tuning.prepare(installation);
  const described = describeTuning(tuning);
  findings.checkOptional(problem === undefined, [described, problem], 'Decodes are only slower.');
  return tuning.jvmOptions;
}

function describeTuning({ enabled, jvmOptions }: JvmTuning): string {
  if (!enabled) return 'JVM tuning off';
  const hasArchive = jvmOptions.some((option) => option.includes('SharedArchiveFile'));
  const title = hasArchive
    ? 'JVM tuning with an archive of classes'
    : 'JVM tuning without an archive of classes';
  return `${title}: ${jvmOptions.join(' ')}`;
}

/** Runs `list` on a file that is no license. This is how the commands of a decode begin. */
export async function runMadeUp(ring: RingInUse, findings: Findings): Promise<ReportedRun> {
  const licenses = join(ring.directory, 'made-up-license');
  await createMadeUpLicense(licenses);
  const run = await runCommand(ring, { name: 'list' }, licenses);
  const titled = { ...run, title: `${run.title} on a made-up file` };
  findings.checkRuns({ untuned: titled });
  return titled;
}
