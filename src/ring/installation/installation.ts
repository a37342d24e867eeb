import type { RingSettings, RunOptions } from '../environment.js';
import { RingError } from '../ring-error.js';
import { run, START_TIMEOUT_MS } from '../run.js';
import { findLicenseModule, MAX_TIMEOUTS, type LicenseModule } from './license-module.js';
import { findJava, findRing, whyNotExecuted, whyNotFound } from './locate.js';
import {
  compareVersions,
  MIN_JRE,
  MIN_RING,
  parseJavaVersion,
  parseRingVersion,
  type Version,
} from './versions.js';

export interface Tool {
  /** Undefined when it is missing or broken. */
  version: Version | undefined;
  /** Whether the version is new enough. */
  isSupported: boolean;
  /** Absolute path; undefined when nothing was found. */
  path: string | undefined;
  /** What is wrong, for the operator. */
  problem: string | undefined;
  /** The second line of its output, in which a JRE names its vendor or build. */
  build: string | undefined;
  /** Polls in a row that timed out since it told its version. */
  timeouts: number;
}

/** Which Java, which ring and which license module are installed. */
export interface Installation {
  jre: Tool;
  ring: Tool;
  /** As last known; undefined until it was asked, once the others are usable. */
  module: LicenseModule | undefined;
}

/** Whether decodes can be expected to work. */
export const canDecode = ({ jre, ring, module }: Installation): boolean =>
  jre.isSupported && ring.isSupported && module !== undefined && module.problem === undefined;

/** Characters of what a tool prints instead of its version. */
const MAX_CHARS = 200;

/** How a tool tells its version, and which one is needed. */
const TOOLS = {
  jre: { argument: '-version', parse: parseJavaVersion, minimum: MIN_JRE },
  ring: { argument: '--version', parse: parseRingVersion, minimum: MIN_RING },
};

/**
 * Runs `java -version` and `ring --version`, then `license list` and `help modules` of ring. These are the only runs outside the slots: the
 * status must not wait for decodes.
 * @param last the previous result, which holds for {@link MAX_TIMEOUTS} where a run tells nothing
 * @param publish gets Java and ring before the module is asked, which may take long
 */
export async function findInstallation(
  settings: RingSettings & Partial<Pick<RunOptions, 'jvmOptions' | 'signal' | 'timeoutMs'>>,
  last?: Installation,
  publish?: (tools: Installation) => void,
): Promise<Installation> {
  const { command, module: wanted, env } = settings;
  const runOptions = { timeoutMs: START_TIMEOUT_MS, ...settings };
  const probe = async (name: keyof typeof TOOLS, path: string | undefined): Promise<Tool> => {
    const { argument, parse, minimum } = TOOLS[name];
    const none = { version: undefined, isSupported: false, path, build: undefined, timeouts: 0 };
    if (!path) {
      const reason = name === 'ring' ? await whyNotFound(command, env) : undefined;
      return { ...none, problem: reason === undefined ? 'not found' : `not found: ${reason}` };
    }
    try {
      const { exitCode, stdout, stderr } = await run([argument], { ...runOptions, launcher: path });
      const version = parse(stdout) ?? parse(stderr);
      if (!version) {
        const words = (stderr.trim() || stdout.trim()).split('\n', 1).join().slice(0, MAX_CHARS);
        return { ...none, problem: `printed no version (exit status ${exitCode})${words && `: ${words}`}` };
      }
      const isSupported = compareVersions(version.numbers, minimum.numbers) >= 0;
      const problem = isSupported ? undefined : `older than ${minimum.text}`;
      return { ...none, version, isSupported, problem, build: stderr.split('\n')[1]?.trim() };
    } catch (error) {
      if (!(error instanceof RingError)) throw error;
      const timeouts = (last?.[name].timeouts ?? 0) + 1;
      const isKept = error.reason === 'timed_out' && last?.[name].version && timeouts <= MAX_TIMEOUTS;
      if (isKept) return { ...last[name], path, timeouts };
      const reason = error.reason === 'not_started' ? await whyNotExecuted(path) : undefined;
      return { ...none, problem: reason === undefined ? error.message : `${error.message}: ${reason}` };
    }
  };
  const [java, launcher] = await Promise.all([findJava(env), findRing(command, env)]);
  const [jre, ring] = await Promise.all([probe('jre', java), probe('ring', launcher)]);
  const tools = { jre, ring, module: last?.module };
  if (!jre.isSupported || !ring.isSupported || !launcher) return tools;
  publish?.(tools);
  return { jre, ring, module: await findLicenseModule({ ...runOptions, launcher }, wanted, last?.module) };
}
