import { tmpdir } from 'node:os';

/** Languages of ring's texts. */
export type RingLanguage = 'ru' | 'en';

/** The operator's settings of ring. */
export interface RingSettings {
  /** RING_CMD. */
  command: string | undefined;
  /** RING_MODULE. */
  module: string | undefined;
  /** Overrides the machine's locale. */
  language: RingLanguage;
  /** RING_JVM_TUNING: whether ring's JVM gets options for short runs and an archive of its classes. */
  jvmTuning: boolean;
  /** The service's environment, of which ring gets a part; see {@link ringEnvironment}. */
  env: NodeJS.ProcessEnv;
}

/** How one run starts ring, and how long it may take. */
export interface RunOptions extends Pick<RingSettings, 'language' | 'env'> {
  /** Path of ring's launcher, or of its Java. */
  launcher: string;
  /** Working directory and `java.io.tmpdir`. Default: `/` and `os.tmpdir()`. */
  directory?: string;
  /** Options of the JVM besides the operator's. */
  jvmOptions?: readonly string[];
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The variables that ring and its JVM inherit from the service, besides RING_OPTS. None of them is secret. */
const INHERITED = ['PATH', 'HOME', 'JAVA_HOME', 'E1C_RING_COMMANDS', 'TZ'];

/**
 * A JVM in the C locale prints `?` for every Cyrillic letter unless these options tell it the encoding. Which of them it
 * reads depends on the JRE: file.encoding and sun.* up to 17, the others from 19 on (JEP 400, JDK-8284778).
 */
const UTF8 = [
  '-Dfile.encoding=UTF-8',
  '-Dsun.stdout.encoding=UTF-8',
  '-Dsun.stderr.encoding=UTF-8',
  '-Dstdout.encoding=UTF-8',
  '-Dstderr.encoding=UTF-8',
];

/**
 * The environment of a ring process: some variables of the service, and RING_OPTS, which the launcher passes to the JVM.
 * The operator's options come last in it, because the JVM takes the last one of several.
 */
export function ringEnvironment(options: Omit<RunOptions, 'launcher' | 'timeoutMs'>): Record<string, string> {
  const { env } = options;
  // C.UTF-8 always exists on Debian, unlike ru_RU.UTF-8. The JVM takes the encoding of file names from it.
  const environment: Record<string, string> = { LC_ALL: 'C.UTF-8', RING_OPTS: optionsOfJvm(options) };
  for (const name of INHERITED) {
    const value = env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

function optionsOfJvm(options: Omit<RunOptions, 'launcher' | 'timeoutMs'>): string {
  const { language, env, directory = tmpdir(), jvmOptions = [] } = options;
  const all = [...UTF8, `-Duser.language=${language}`, ...jvmOptions];

  // The launcher splits RING_OPTS at blanks, so a path with a blank cannot be passed. Then the JVM unpacks into the
  // system's temporary directory, which the service warns about when it starts.
  const hasBlank = /\s/.test(directory);
  if (!hasBlank) all.push(`-Djava.io.tmpdir=${directory}`);

  const operatorOptions = env['RING_OPTS'] ?? '';
  if (operatorOptions !== '') all.push(operatorOptions);
  return all.join(' ');
}
