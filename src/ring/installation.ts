import { tmpdir } from 'node:os';
import { ringEnvironment, type RingLanguage } from './environment.js';
import { findLicenseModule, type LicenseModule } from './license-module.js';
import { findJava, findRing } from './locate.js';
import { run, RunError } from './run.js';
import {
  isSupportedJre,
  isSupportedRing,
  MIN_JRE,
  MIN_RING,
  parseJavaVersion,
  parseRingVersion,
  type Version,
} from './versions.js';

/** Milliseconds for one version: the start of a JVM on a very busy machine. */
const PROBE_TIMEOUT_MS = 20_000;

/** What decides which Java and which ring are found. */
export interface InstallationOptions {
  /** RING_CMD. */
  command: string | undefined;
  language: RingLanguage;
  env: NodeJS.ProcessEnv;
}

export interface Tool {
  /** Undefined when it is missing or broken. */
  version: Version | undefined;
  /** Whether the version is new enough. */
  isSupported: boolean;
  /** Absolute path; undefined when nothing was found. */
  path: string | undefined;
  /** What is wrong, for the operator. */
  problem: string | undefined;
  /** The second line that it prints, in which a JRE names its vendor or its build. */
  build: string | undefined;
}

/** Which Java and which ring are installed, and whether ring has its license module. */
export interface Installation {
  jre: Tool;
  ring: Tool;
  /** Undefined when it was not looked for, because the others are not usable. */
  module: LicenseModule | undefined;
}

/** Whether decodes can be expected to work. */
export const canDecode = ({ jre, ring, module }: Installation): boolean =>
  jre.isSupported && ring.isSupported && module?.state !== 'missing';

/**
 * Runs `java -version`, `ring --version` and, once per installation, `license list` on a directory without licenses. These are the
 * only runs outside the slots: the status must not wait for decodes.
 * @param last the previous result: a tool that times out keeps its version, because a machine that is too busy to
 *   start a JVM has not lost it
 */
export async function findInstallation(
  options: InstallationOptions & {
    signal?: AbortSignal | undefined;
    /** Milliseconds for one version. */
    timeoutMs?: number;
  },
  last?: Installation,
): Promise<Installation> {
  const { command, language, env, signal, timeoutMs = PROBE_TIMEOUT_MS } = options;
  const [java, launcher] = await Promise.all([findJava(env), findRing(command, env)]);
  const probe = async (
    path: string | undefined,
    argument: string,
    parse: (output: string) => Version | undefined,
    isNewEnough: (version: Version) => boolean,
    minimum: string,
    before: Tool | undefined,
  ): Promise<Tool> => {
    const none = { version: undefined, isSupported: false, path, build: undefined };
    if (!path) return { ...none, problem: 'not found' };
    const runOptions = { cwd: tmpdir(), env: ringEnvironment(env, { language }), timeoutMs, signal };
    try {
      const { exitCode, stdout, stderr } = await run(path, [argument], runOptions);
      const version = parse(stdout) ?? parse(stderr);
      if (!version) return { ...none, problem: `printed no version (exit status ${exitCode})` };
      const isSupported = isNewEnough(version);
      const problem = isSupported ? undefined : `older than ${minimum}`;
      return { version, isSupported, path, problem, build: stderr.split('\n')[1]?.trim() };
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      const kept = error.reason === 'timed_out' && before ? before : none;
      return { ...kept, path, problem: error.message };
    }
  };
  const [jre, ring] = await Promise.all([
    probe(java, '-version', parseJavaVersion, isSupportedJre, MIN_JRE, last?.jre),
    probe(launcher, '--version', parseRingVersion, isSupportedRing, MIN_RING, last?.ring),
  ]);
  const isUsable = jre.isSupported && ring.isSupported && launcher !== undefined;
  const module = isUsable ? await findLicenseModule(launcher, options, last?.module) : undefined;
  return { jre, ring, module };
}
