import { tmpdir } from 'node:os';

/** Languages of ring's texts. */
export type RingLanguage = 'ru' | 'en';

/** What the operator decides about ring. */
export interface RingSettings {
  /** RING_CMD. */
  command: string | undefined;
  /** RING_MODULE. */
  module: string | undefined;
  /** Overrides the machine's locale. */
  language: RingLanguage;
  /** What {@link ringEnvironment} takes from. */
  env: NodeJS.ProcessEnv;
}

/** How one run starts ring, and how long it may take. */
export interface RunOptions extends Pick<RingSettings, 'language' | 'env'> {
  /** Path of ring's launcher, or of its Java. */
  launcher: string;
  /** Working directory, by default `/`, and where the JVM unpacks what it needs, by default the system's for that. */
  directory?: string;
  /** Options that make the JVM faster. */
  jvmOptions?: readonly string[];
  timeoutMs: number;
  signal?: AbortSignal | undefined;
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
export function ringEnvironment(options: Omit<RunOptions, 'launcher' | 'timeoutMs'>): Record<string, string> {
  const { language, env, directory = tmpdir(), jvmOptions = [] } = options;
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
