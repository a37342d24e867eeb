import { tmpdir } from 'node:os';
import { run, type RunResult } from './run.js';

/** Languages of ring's texts. */
export type RingLanguage = 'ru' | 'en';

/** Milliseconds for a run that only starts a JVM, even on a very busy machine. */
export const START_TIMEOUT_MS = 20_000;

/** One run of ring. */
export interface RingCommand {
  /** Path of ring's launcher. */
  launcher: string;
  /** Overrides the machine's locale. */
  language: RingLanguage;
  /** What {@link ringEnvironment} takes from. */
  env: NodeJS.ProcessEnv;
  /** Working directory, and where the JVM unpacks what it needs; by default the system's temporary directory. */
  directory?: string;
  /** Options that make the JVM faster. */
  jvmOptions?: readonly string[];
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs ring. The only way to it: every run gets the same environment.
 * @returns also for an exit status other than 0
 * @throws {RunError}
 */
export function runRing(args: readonly string[], command: RingCommand): Promise<RunResult> {
  const { launcher, directory = tmpdir(), timeoutMs, signal } = command;
  return run(launcher, args, { cwd: directory, env: ringEnvironment(command), timeoutMs, signal });
}

/** What ring and its JVM inherit from the service, besides RING_OPTS. None of it is secret. */
const INHERITED = ['PATH', 'HOME', 'JAVA_HOME', 'E1C_RING_COMMANDS', 'TZ'];

/**
 * Without these a JVM in the C locale prints `?` for every Cyrillic letter. Which one counts depends on the JRE:
 * file.encoding and sun.* up to 17, the others from 19 on (JEP 400, JDK-8284778).
 */
const UTF8 = ['file', 'sun.stdout', 'sun.stderr', 'stdout', 'stderr'].map(
  (name) => `-D${name}.encoding=UTF-8`,
);

/** The environment of a ring process. RING_OPTS goes to the JVM; the operator's options come last, so they win. */
export function ringEnvironment(
  command: Pick<RingCommand, 'language' | 'env' | 'directory' | 'jvmOptions'>,
): Record<string, string> {
  const { language, env, directory = tmpdir(), jvmOptions = [] } = command;
  const ringOpts = [...UTF8, `-Duser.language=${language}`, ...jvmOptions];
  // The launcher splits RING_OPTS at blanks, so a path with a blank cannot be passed.
  if (!/\s/.test(directory)) ringOpts.push(`-Djava.io.tmpdir=${directory}`);
  if (env['RING_OPTS']) ringOpts.push(env['RING_OPTS']);
  const inherited = Object.entries(env).filter(([name]) => INHERITED.includes(name));
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    // Always there on Debian, unlike ru_RU.UTF-8. The JVM takes the encoding of file names from it.
    LC_ALL: 'C.UTF-8',
    RING_OPTS: ringOpts.join(' '),
  };
}

/**
 * The arguments of a license command. Without `--send-statistics false` ring sends data to its vendor.
 * @param module `license`, or with a version `license@0.15.0`
 * @param licenses their directory
 * @param options of ring itself
 */
export const licenseArguments = (
  module: string,
  command: readonly string[],
  licenses: string,
  options: readonly string[] = [],
): string[] => [...options, module, ...command, '--path', licenses, '--send-statistics', 'false'];
