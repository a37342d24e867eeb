import { tmpdir } from 'node:os';
import { ringEnvironment, type RingLanguage } from './environment.js';
import { findJava, findRing } from './locate.js';
import { run, RunError } from './run.js';
import { parseJavaVersion, parseRingVersion, type Version } from './versions.js';

/** Milliseconds for one version: the start of a JVM on a very busy machine. */
const PROBE_TIMEOUT_MS = 20_000;

/** A tool that was looked for: its version, or what is wrong with it. */
export interface Probe {
  version: Version | undefined;
  /** Absolute path; undefined when nothing was found. */
  path: string | undefined;
  /** For the operator. */
  problem: string | undefined;
}

export interface Installed {
  jre: Probe;
  ring: Probe;
}

/**
 * Runs `java -version` and `ring --version`, the only runs outside the slots: the status must not wait for decodes.
 * @param last the previous result: a tool that times out keeps its version, because a machine that is too busy to
 *   start a JVM has not lost it
 */
export async function probeInstalled(
  options: { command: string | undefined; language: RingLanguage; env: NodeJS.ProcessEnv },
  last: Installed | undefined,
): Promise<Installed> {
  const { command, language, env } = options;
  const [java, launcher] = await Promise.all([findJava(env), findRing(command, env)]);
  const environment = ringEnvironment(env, { language });
  const [jre, ring] = await Promise.all([
    probe(java, ['-version'], environment, parseJavaVersion, last?.jre),
    probe(launcher, ['--version'], environment, parseRingVersion, last?.ring),
  ]);
  return { jre, ring };
}

async function probe(
  path: string | undefined,
  args: string[],
  env: Record<string, string>,
  parse: (output: string) => Version | undefined,
  last: Probe | undefined,
): Promise<Probe> {
  if (!path) return { version: undefined, path, problem: 'not found' };
  try {
    const { exitCode, stdout, stderr } = await run(path, args, {
      cwd: tmpdir(),
      env,
      timeoutMs: PROBE_TIMEOUT_MS,
    });
    const version = parse(stdout) ?? parse(stderr);
    return { version, path, problem: version ? undefined : `printed no version (exit status ${exitCode})` };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const version = error.reason === 'timed_out' ? last?.version : undefined;
    return { version, path, problem: error.message };
  }
}
