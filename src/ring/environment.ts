/** What ring and its JVM inherit from the service besides RING_OPTS, which is extended; no secret. */
export const INHERITED = ['PATH', 'HOME', 'JAVA_HOME', 'E1C_RING_COMMANDS', 'TZ'];

/** Languages of ring's texts. */
export type RingLanguage = 'ru' | 'en';

export interface RingEnvironmentOptions {
  /** Counts regardless of the machine's locale. */
  language: RingLanguage;
  /** Directory for what the JVM unpacks. */
  tmpDirectory?: string;
  /** Options that make the JVM faster. */
  jvmOptions?: readonly string[];
}

/**
 * Without these a JVM in the C locale prints `?` for every Cyrillic letter. Which one counts depends on the JRE:
 * file.encoding and sun.* up to 17, the others from 19 on (JEP 400, JDK-8284778).
 */
const UTF8 = ['file', 'sun.stdout', 'sun.stderr', 'stdout', 'stderr'].map(
  (name) => `-D${name}.encoding=UTF-8`,
);

/**
 * The environment of a ring process. Its launcher passes RING_OPTS on to the JVM; the operator's own options come
 * last, so that they take precedence.
 */
export function ringEnvironment(
  env: NodeJS.ProcessEnv,
  options: RingEnvironmentOptions,
): Record<string, string> {
  const ringOpts = [...UTF8, `-Duser.language=${options.language}`, ...(options.jvmOptions ?? [])];
  // The launcher splits RING_OPTS at blanks, so a path with a blank cannot be passed.
  if (options.tmpDirectory && !/\s/.test(options.tmpDirectory)) {
    ringOpts.push(`-Djava.io.tmpdir=${options.tmpDirectory}`);
  }
  if (env['RING_OPTS']) ringOpts.push(env['RING_OPTS']);

  const result: Record<string, string> = {
    // Always there on Debian, unlike ru_RU.UTF-8. The JVM takes the encoding of file names from it.
    LC_ALL: 'C.UTF-8',
    RING_OPTS: ringOpts.join(' '),
  };
  for (const name of INHERITED) {
    const value = env[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}
