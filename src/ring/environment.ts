/** What ring and its JVM need of the service's own environment; JWT_SECRET and REDIS_URL are not among it. */
const ALLOWED = ['PATH', 'HOME', 'JAVA_HOME', 'E1C_RING_COMMANDS', 'TZ'];

export interface RingEnvironmentOptions {
  /** Language of ring's texts, whatever the machine's locale. */
  language: 'ru' | 'en';
  /** Directory for what the JVM unpacks, so that it goes with the decode. */
  tmpDirectory?: string;
  /** Options that make the JVM faster. */
  jvmOptions?: readonly string[];
}

/**
 * Without these a JVM in the C locale prints `?` for every Cyrillic letter, for good. Which one counts
 * depends on the JRE: sun.* and file.encoding up to 17, the others from 19 on (JEP 400, JDK-8284778).
 */
const UTF8 = ['file', 'sun.stdout', 'sun.stderr', 'stdout', 'stderr'].map(
  (name) => `-D${name}.encoding=UTF-8`,
);

/**
 * The environment of a run of ring. RING_OPTS is what the launcher hands to the JVM; the operator's own
 * options come last there, so that they win.
 */
export function ringEnvironment(
  env: NodeJS.ProcessEnv,
  options: RingEnvironmentOptions,
): Record<string, string> {
  const ringOpts = [...UTF8, `-Duser.language=${options.language}`, ...(options.jvmOptions ?? [])];
  // The launcher splits RING_OPTS at blanks, so a path that holds one can't be given.
  if (options.tmpDirectory && !/\s/.test(options.tmpDirectory)) {
    ringOpts.push(`-Djava.io.tmpdir=${options.tmpDirectory}`);
  }
  if (env['RING_OPTS']) ringOpts.push(env['RING_OPTS']);

  const result: Record<string, string> = {
    // Always there on Debian, unlike ru_RU.UTF-8, and the JVM takes the encoding of file names from it alone.
    LC_ALL: 'C.UTF-8',
    RING_OPTS: ringOpts.join(' '),
  };
  for (const name of ALLOWED) {
    const value = env[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}
