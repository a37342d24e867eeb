import type { Output } from './log-records.js';

/** Exit statuses of a shell for a program that it cannot run (POSIX, 2.8.2). */
const NOT_RUN = [126, 127];
/** Those for a program that a signal ended are above it, by as many as Linux has signals (signal(7)). */
const SIGNAL_BASE = 128;
const MAX_SIGNAL = 64;

/**
 * What a JVM prints that does not get as far as ring's own code: the texts of the java launcher (java.base,
 * sun.launcher.resources), of HotSpot's exit during initialization, and of exceptions that nobody caught.
 */
const JVM_FAILURES: [RegExp, string][] = [
  [/^Error: Could not create the Java Virtual Machine/m, 'the JVM rejected its options: check RING_OPTS'],
  [/^Error occurred during initialization of (?:VM|boot layer)/m, 'the JVM failed to initialize'],
  [
    /^Error: (?:Could not find or load main class|Unable to initialize main class|Unable to access jarfile|Invalid or corrupt jarfile)/m,
    "the JVM found no main class or jar: ring's installation is damaged",
  ],
  [/UnsupportedClassVersionError/, 'the JRE is too old for this ring'],
  [
    /module \S+ does not (?:"(?:opens|exports)|export) \S+ to /,
    'the JRE is too new for this ring: add --add-opens=java.base/java.lang=ALL-UNNAMED, or what it asks for, to RING_OPTS, or use Java 8 or 11',
  ],
  [/java\.lang\.OutOfMemoryError|insufficient memory for the Java Runtime/, 'the JVM ran out of memory'],
  [
    /java\.lang\.(?:NoClassDefFoundError|ClassNotFoundException)/,
    "a class is missing: ring's installation is damaged",
  ],
  [/UnsatisfiedLinkError/, 'a native library cannot be loaded: is the temporary directory mounted noexec?'],
  [/JAVA_HOME|\bjava: (?:command )?not found/, 'the launcher found no JRE: check JAVA_HOME and PATH'],
];

/** What a JVM prints when its main thread dies, whatever ring has printed before. */
const UNCAUGHT = /^(?:Exception in thread "main" |Error: ).*$/m;

/**
 * Finds out whether a run failed because ring or its JVM could not start, regardless of the license.
 * @returns the reason, for the log, or undefined when ring itself decided
 */
export function describeStartFailure({ exitCode = 0, text, stderr }: Output): string | undefined {
  if (exitCode === 0) return undefined;
  const [firstLine = ''] = text.split('\n', 1);
  // What ring says may quote the license, and its log may hold exceptions that it has dealt with. So where it has
  // said something, only its first line and an uncaught exception count.
  const evidence = text === '' ? stderr : `${firstLine}\n${UNCAUGHT.exec(stderr)?.[0] ?? ''}`;
  const known = JVM_FAILURES.find(([pattern]) => pattern.test(evidence));
  if (known) return known[1];
  if (NOT_RUN.includes(exitCode)) {
    return `the launcher could not run a program it needs (exit status ${exitCode})`;
  }
  if (exitCode > SIGNAL_BASE && exitCode <= SIGNAL_BASE + MAX_SIGNAL) {
    return `the JVM was killed by signal ${exitCode - SIGNAL_BASE}`;
  }
  return undefined;
}
