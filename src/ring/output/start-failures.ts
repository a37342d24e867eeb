import { endedBySignal, signalOfStatus } from '../crash.js';
import { RingError, type RingFailure } from '../ring-error.js';
import type { Output } from './log-records.js';

/** Exit statuses of a shell for a program that it cannot run (POSIX, 2.8.2). */
const NOT_RUN = [126, 127];

/**
 * The messages of a JVM that fails, and the reason for the log. The texts are those of the java launcher (java.base,
 * sun.launcher.resources), of HotSpot's exit during initialization, and of uncaught exceptions. All but one come before ring
 * reads the file. Short of memory, a JVM may also reject its options or fail to initialize.
 */
const JVM_FAILURES: { pattern: RegExp; words: string; reason?: RingFailure }[] = [
  {
    pattern: /^Error: Could not create the Java Virtual Machine/m,
    words: 'the JVM rejected its options: check RING_OPTS',
  },
  {
    pattern: /^Error occurred during initialization of (?:VM|boot layer)/m,
    words: 'the JVM failed to initialize',
  },
  {
    pattern:
      /^Error: (?:Could not find or load main class|Unable to initialize main class|Unable to access jarfile|Invalid or corrupt jarfile)/m,
    words: "the JVM found no main class or jar: ring's installation is damaged",
  },
  {
    pattern: /UnsupportedClassVersionError/,
    words: 'the JRE is too old for this ring',
  },
  {
    pattern: /module \S+ does not (?:"(?:opens|exports)|export) \S+ to /,
    words:
      'the JRE is too new for this ring: use Java 11, or add to RING_OPTS what ring asks for, such as --add-opens=java.base/java.lang=ALL-UNNAMED',
  },
  {
    pattern: /java\.lang\.OutOfMemoryError|insufficient memory for the Java Runtime/,
    words: 'the JVM ran out of memory',
    reason: 'crashed',
  },
  {
    pattern: /java\.lang\.(?:NoClassDefFoundError|ClassNotFoundException)/,
    words: "a class is missing: ring's installation is damaged",
  },
  {
    pattern: /UnsatisfiedLinkError/,
    words: 'a native library cannot be loaded: is the temporary directory mounted noexec?',
  },
  {
    pattern: /JAVA_HOME|\bjava: (?:command )?not found/,
    words: 'the launcher found no JRE: check JAVA_HOME and PATH',
  },
];

/** The message of a JVM whose main thread ended with an exception. ring may have printed something before it. */
const UNCAUGHT = /^(?:Exception in thread "main" |Error: ).*$/m;

/**
 * Finds out whether a run failed because ring or its JVM could not start, or because the JVM died.
 * @returns undefined when ring itself decided
 */
export function startFailureOf(output: Output): RingError | undefined {
  const { exitCode } = output;
  if (exitCode === undefined || exitCode === 0) return undefined;

  const evidence = evidenceIn(output);
  const known = JVM_FAILURES.find(({ pattern }) => pattern.test(evidence));
  if (known) return new RingError(known.reason ?? 'not_started', known.words);

  if (NOT_RUN.includes(exitCode)) {
    const words = `the launcher could not run a program it needs (exit status ${exitCode})`;
    return new RingError('not_started', words);
  }
  const signal = signalOfStatus(exitCode);
  return signal && endedBySignal(signal, `the JVM was killed by ${signal}`);
}

/**
 * The part of the output that can tell a failure of the JVM. Where ring has printed something, only its first line and an
 * uncaught exception count, because the rest may quote the license, and stderr may have exceptions that ring has handled.
 */
function evidenceIn({ text, stderr }: Output): string {
  if (text === '') return stderr;

  const [firstLine = ''] = text.split('\n', 1);
  const match = UNCAUGHT.exec(stderr);
  const uncaught = match?.[0] ?? '';
  return `${firstLine}\n${uncaught}`;
}
