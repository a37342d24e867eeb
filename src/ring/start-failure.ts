import type { RunResult } from './run.js';

/** Statuses a shell gives for a program it can't run, and above 128 for one that a signal ended (POSIX, 2.8.2). */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
const BY_SIGNAL = 128;

/**
 * What a JVM prints, on stdout or stderr, when it does not get as far as ring's own code: the texts of the
 * java launcher (java.base, sun.launcher.resources) and of HotSpot's exit during initialisation.
 */
const JVM_FAILURES: [RegExp, string][] = [
  [/^Error: Could not create the Java Virtual Machine/m, 'the JVM refused its options: look at RING_OPTS'],
  [/^Error occurred during initialization of (?:VM|boot layer)/m, 'the JVM failed to initialise'],
  [
    /^Error: (?:Could not find or load|Unable to initialize) main class/m,
    "the JVM found no main class: ring's installation is damaged",
  ],
  [
    /^Error: (?:Unable to access jarfile|Invalid or corrupt jarfile)/m,
    "the JVM found no jar: ring's installation is damaged",
  ],
  [/UnsupportedClassVersionError/, 'the JRE is too old for this ring'],
  [/java\.lang\.OutOfMemoryError|insufficient memory for the Java Runtime/, 'the JVM ran out of memory'],
  [
    /java\.lang\.(?:NoClassDefFoundError|ClassNotFoundException)/,
    "a class is missing: ring's installation is damaged",
  ],
  [/UnsatisfiedLinkError/, 'a native library can not be loaded: is the temporary directory mounted noexec?'],
  [/JAVA_HOME|\bjava: (?:command )?not found/, 'the launcher found no JRE: look at JAVA_HOME and the PATH'],
];

/**
 * Tells whether a run failed because ring or its JVM could not be started, whatever the licence.
 * @returns the reason, for the log, or undefined when ring itself had its say
 */
export function describeStartFailure({ exitCode, stdout, stderr }: RunResult): string | undefined {
  if (exitCode === 0) return undefined;
  const known = JVM_FAILURES.find(([pattern]) => pattern.test(stderr) || pattern.test(stdout));
  if (known) return known[1];
  if (exitCode === NOT_EXECUTABLE || exitCode === NOT_FOUND) {
    return `the launcher could not run a program it needs (exit status ${exitCode})`;
  }
  if (exitCode > BY_SIGNAL) return `the JVM was ended by signal ${exitCode - BY_SIGNAL}`;
  return undefined;
}
