import { constants } from 'node:os';

/**
 * Signals that end a JVM which has crashed (signal(7)). SIGKILL is not one of them: the kernel sends it when memory is
 * short.
 */
const CRASH_SIGNALS = ['SIGABRT', 'SIGBUS', 'SIGSEGV'] as const;

/** With these the launcher exits after its JVM has crashed. A shell adds the signal to 128 (POSIX, 2.8.2). */
const CRASH_STATUSES: number[] = CRASH_SIGNALS.map((name) => 128 + constants.signals[name]);

/** Whether a run ended with a crash of the JVM, of which the launcher tells by its exit status. */
export function isCrashStatus(exitCode: number): boolean {
  return CRASH_STATUSES.includes(exitCode);
}

/** The same for a launcher that has let Java take its place, so that the signal ended the launcher itself. */
export function isCrashSignal(signal: string | undefined): boolean {
  return CRASH_SIGNALS.some((name) => name === signal);
}
