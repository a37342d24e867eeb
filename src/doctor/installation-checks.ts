import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { ringTimeoutMs, version, type Config } from '../config/settings.js';
import type { RingSettings } from '../ring/environment.js';
import { findInstallation, type Installation, type Tool } from '../ring/installation/installation.js';
import type { LicenseModule } from '../ring/installation/license-module.js';
import { ClassArchive } from '../ring/jvm/class-archive.js';
import { START_TIMEOUT_MS } from '../ring/run.js';
import { exposureOf } from '../storage/private-directory.js';
import { joinParts, type Findings } from './findings.js';
import { attempt, type RingInUse } from './ring-runs.js';

/** What was found of the installation. */
interface Checked {
  /** The versions of everything, in one line. */
  versions: string;
  /** How ring is run; undefined without a ring or a Java that tell their versions. */
  ring: RingInUse | undefined;
}

/**
 * Checks whether Java, ring and its license module are there, and work with these settings. The directories of the service
 * are none of them: it checks them itself when it starts, and the self-check may run as another user.
 * @param work a private directory
 */
export async function checkInstallation(config: Config, work: string, findings: Findings): Promise<Checked> {
  const settings = {
    command: config.RING_CMD,
    module: config.RING_MODULE,
    language: config.RING_LANG,
    jvmTuning: config.RING_JVM_TUNING === 'on',
    env: process.env,
  };
  const installation = await findInstallation(settings);
  const moduleVersion = await versionOfModule(installation, settings);
  const names = namesIn(installation, moduleVersion);
  findings.note(`${names.service}, user ${process.getuid?.()}`);
  checkPrograms(installation, names, findings);

  const versions = joinParts([names.service, names.java, names.ring, names.module]);
  const { jre, ring, module } = installation;
  if (!ring.path || !ring.version || !jre.version) return { versions, ring: undefined };

  const jvmOptions = await checkTuning(installation, settings, work, findings);
  const ringInUse: RingInUse = {
    ...settings,
    launcher: ring.path,
    module: module?.name ?? 'license',
    jvmOptions,
    timeoutMs: ringTimeoutMs(config),
    directory: work,
  };
  return { versions, ring: ringInUse };
}

/** The programs with their versions, as they are called in the first lines and in the report. */
interface Names {
  service: string;
  java: string;
  ring: string;
  module: string;
}

function namesIn({ jre, ring }: Installation, moduleVersion: string | undefined): Names {
  const java = withVersion('Java', jre.version?.text);
  return {
    service: `service ${version}, Node.js ${process.versions.node}`,
    java: joinParts([java, jre.build]),
    ring: withVersion('ring', ring.version?.text),
    module: withVersion('license module', moduleVersion),
  };
}

function withVersion(name: string, versionText: string | undefined): string {
  return versionText === undefined ? name : `${name} ${versionText}`;
}

/** A line of `ring help modules`: `  license@0.15.0:x86_64 - …`. */
const MODULE_LINE = /^\s*license@([\w.+-]+)/m;

/** The version in the module's name, or else the one that `ring help modules` lists. */
async function versionOfModule(
  { ring, module, jvmOptions }: Installation,
  settings: RingSettings,
): Promise<string | undefined> {
  if (!module || module.problem || ring.path === undefined) return undefined;
  const [, chosenVersion] = module.name.split('@');
  if (chosenVersion !== undefined) return chosenVersion;

  const options = { ...settings, launcher: ring.path, jvmOptions, timeoutMs: START_TIMEOUT_MS };
  const { result } = await attempt(['help', 'modules'], options);
  return MODULE_LINE.exec(result.stdout)?.[1];
}

function checkPrograms({ jre, ring, module }: Installation, names: Names, findings: Findings): void {
  const java = joinParts([names.java, jre.path, jre.problem?.message]);
  findings.check(jre.isSupported, java, adviceAbout(jre, 'Java', 'JAVA_HOME'));

  const launcher = joinParts([names.ring, ring.path, ring.problem?.message]);
  findings.check(ring.isSupported, launcher, adviceAbout(ring, 'ring', 'RING_CMD'));

  // Without ring there is no other problem of its module than the one that is named already.
  if (ring.version && module) checkModule(module, names.module, findings);
}

function checkModule({ name, problem }: LicenseModule, title: string, findings: Findings): void {
  const otherName = name === 'license' ? undefined : name;
  const text = joinParts([title, otherName, problem?.message]);
  if (problem === undefined) {
    findings.good(text);
    return;
  }
  if (problem.reason !== 'refused') {
    findings.problem(text, 'See docs/trouble.md.');
    return;
  }

  const isChosen = Boolean(process.env['RING_MODULE']);
  const setting = isChosen ? 'correct or remove RING_MODULE' : 'set RING_MODULE';
  findings.problem(text, `Install license-tools, mount /etc/1C, or ${setting}.`);
}

/** What this user needs, because a program may be there and yet not be found or started. */
const RIGHTS = 'This user must be able to enter its directory and execute it (chmod a+rX, no noexec).';

/**
 * What to do about a program that is missing, broken or too old.
 * @param setting names the program. While it is set, the program is looked for nowhere else.
 */
function adviceAbout({ path, version }: Tool, name: string, setting: 'JAVA_HOME' | 'RING_CMD'): string {
  const isChosen = Boolean(process.env[setting]);
  let advice = `Repair or update ${name}, or set ${setting}.`;
  if (path === undefined) advice = `Install or mount ${name}, or set ${setting}.`;
  if (isChosen) advice = `Correct or remove ${setting}, or repair what it names.`;

  const isTooOld = version !== undefined;
  return isTooOld ? advice : `${advice} ${RIGHTS}`;
}

/** Makes an archive of ring's classes as the service does, and says whether that works. @returns the options of the JVM */
async function checkTuning(
  installation: Installation,
  settings: RingSettings,
  work: string,
  findings: Findings,
): Promise<readonly string[]> {
  const archive = new ClassArchive({
    ...settings,
    newDirectory: () => mkdtemp(join(work, 'archive-')),
    exposureOf,
    log: pino({ level: 'silent' }),
    runInSlot: (task) => task(),
  });
  const problem = await archive.prepare(installation);
  const archiveOptions = await archive.jvmOptions();
  const jvmOptions = [...installation.jvmOptions, ...archiveOptions];
  const text = describeTuning(settings, jvmOptions, archiveOptions.length > 0);
  if (problem === undefined) {
    findings.good(text);
  } else {
    findings.warning(`${text}, ${problem}`, 'Decodes are only slower.');
  }
  return jvmOptions;
}

function describeTuning(
  { jvmTuning }: RingSettings,
  jvmOptions: readonly string[],
  hasArchive: boolean,
): string {
  const archive = hasArchive ? 'with an archive of classes' : 'without an archive of classes';
  const tuning = jvmTuning ? archive : 'off';
  return `JVM tuning ${tuning}: ${jvmOptions.join(' ')}`;
}
