import type { RingSettings, RunOptions } from '../environment.js';
import { endedBySignal, signalOfStatus } from '../crash.js';
import { RingError } from '../ring-error.js';
import { run, START_TIMEOUT_MS, type RunResult } from '../run.js';
import { findLicenseModule, type LicenseModule } from './license-module.js';
import { basicOptions, shortRunOptions } from '../jvm-options.js';
import { findJava, findRing } from './locate.js';
import {
  compareVersions,
  MIN_JRE,
  MIN_RING,
  parseJavaVersion,
  parseRingVersion,
  type Version,
} from './versions.js';

/** Java or ring, as a poll has found it. */
export interface Tool {
  /** Undefined when it is missing or broken. */
  version: Version | undefined;
  /** Whether the version is new enough. */
  isSupported: boolean;
  /** Absolute path; undefined when nothing was found. */
  path: string | undefined;
  /** What is wrong, for the operator. */
  problem: RingError | undefined;
  /** The second line of its output, in which a JRE names its vendor or build. */
  build: string | undefined;
}

/** Which Java, which ring and which license module are installed. */
export interface Installation {
  jre: Tool;
  ring: Tool;
  /** Undefined when it was not asked, because there is no launcher, or because that did not answer. */
  module: LicenseModule | undefined;
  /** The options with which ring's JVM starts. */
  jvmOptions: readonly string[];
}

/** Characters that are kept of a tool's output which has no version. */
const MAX_CHARS = 200;

/** How a program tells its version, and which one is needed. */
interface Program {
  argument: string;
  versionIn: (ended: RunResult) => Version | undefined;
  minimum: Version;
}
const JAVA: Program = {
  argument: '-version',
  versionIn: ({ stdout, stderr }) => parseJavaVersion(stdout) ?? parseJavaVersion(stderr),
  minimum: MIN_JRE,
};
const RING: Program = {
  argument: '--version',
  versionIn: ({ stdout }) => parseRingVersion(stdout),
  minimum: MIN_RING,
};

/**
 * Runs `java -version`, `ring --version` and `ring license list`, one after the other. These runs take no slot, because the
 * status must not wait for decodes. All other runs of the service take one.
 * @param publish gets Java and ring before the module is asked, which may take long
 */
export async function findInstallation(
  settings: RingSettings & Partial<Pick<RunOptions, 'signal' | 'timeoutMs'>>,
  publish?: (tools: Installation) => void,
): Promise<Installation> {
  const { command, module: wanted, env } = settings;
  const runOptions = { timeoutMs: START_TIMEOUT_MS, ...settings };
  const [java, launcher] = await Promise.all([findJava(env), findRing(command, env)]);

  const jre = await askVersion(JAVA, { ...runOptions, launcher: java });
  const { ring, jvmOptions } = await findOptions(jre, { ...runOptions, launcher });
  const tools = { jre, ring, jvmOptions, module: undefined };
  if (launcher === undefined || isHanging(ring)) return tools;

  publish?.(tools);
  const module = await findLicenseModule({ ...runOptions, launcher, jvmOptions }, wanted);
  return { ...tools, module };
}

/**
 * Asks ring for its version with the options for short runs. If its JVM does not start with them, only the basic options
 * are used.
 */
async function findOptions(
  { version }: Tool,
  options: AskOptions & Pick<RingSettings, 'jvmTuning'>,
): Promise<{ ring: Tool; jvmOptions: string[] }> {
  const operatorOptions = options.env['RING_OPTS'] ?? '';
  if (options.jvmTuning && version) {
    const [major = 0] = version.numbers;
    const jvmOptions = shortRunOptions(major, operatorOptions);
    const ring = await askVersion(RING, { ...options, jvmOptions });
    if (ring.version || isHanging(ring)) return { ring, jvmOptions };
  }

  const jvmOptions = basicOptions(operatorOptions);
  const ring = await askVersion(RING, { ...options, jvmOptions });
  return { ring, jvmOptions };
}

/** Whether a tool would take its whole time-out again if it were asked once more. */
const isHanging = ({ problem }: Tool) => problem?.reason === 'timed_out';

type AskOptions = Omit<RunOptions, 'launcher'> & { launcher: string | undefined };

/** Asks a program for its version. */
async function askVersion(program: Program, options: AskOptions): Promise<Tool> {
  const { launcher } = options;
  if (launcher === undefined) return unusable(launcher, new RingError('not_started', 'not found'));

  try {
    const ended = await run([program.argument], { ...options, launcher });
    return readVersion(program, launcher, ended);
  } catch (error) {
    if (!(error instanceof RingError)) throw error;

    return unusable(launcher, error);
  }
}

/**
 * Asks ring for its version, for which it needs its launcher and its JVM, but no file.
 * @returns why it does not tell one; undefined when it does
 */
export async function problemOfLauncher(ring: RunOptions): Promise<RingError | undefined> {
  const { version, problem } = await askVersion(RING, ring);
  return version ? undefined : problem;
}

function readVersion({ versionIn, minimum }: Program, path: string, ended: RunResult): Tool {
  const { exitCode, stderr } = ended;
  const version = exitCode === 0 ? versionIn(ended) : undefined;
  if (version === undefined) return unusable(path, withoutVersion(ended));

  const isSupported = compareVersions(version.numbers, minimum.numbers) >= 0;
  const problem = isSupported ? undefined : new RingError('not_started', `older than ${minimum.text}`);
  const [, secondLine] = stderr.split('\n');
  const build = secondLine?.trim();
  return { version, isSupported, path, problem, build };
}

function withoutVersion(ended: RunResult): RingError {
  const { exitCode } = ended;
  const ending = exitCode === 0 ? 'printed no version' : `failed with exit status ${exitCode}`;
  const words = firstWords(ended);
  const message = words === '' ? ending : `${ending}: ${words}`;
  // The launcher is a shell, whose exit status tells that a signal has ended its JVM.
  const signal = signalOfStatus(exitCode);
  return signal ? endedBySignal(signal, message) : new RingError('not_started', message);
}

/** The beginning of what a program printed. */
function firstWords({ stdout, stderr }: RunResult): string {
  const printed = stderr.trim() || stdout.trim();
  const [firstLine = ''] = printed.split('\n', 1);
  return firstLine.slice(0, MAX_CHARS);
}

function unusable(path: string | undefined, problem: RingError): Tool {
  return {
    version: undefined,
    isSupported: false,
    path,
    problem,
    build: undefined,
  };
}
