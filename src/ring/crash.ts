import { constants } from 'node:os';
import { RingError } from './ring-error.js';

/** Signals by which people and service managers ask a program to end. They say nothing about the file. */
const REQUESTS: NodeJS.Signals[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** A shell adds the number of the signal that ended a program to this (POSIX, 2.8.2). */
const SIGNAL_BASE = 128;

const SIGNALS = Object.entries(constants.signals) as [NodeJS.Signals, number][];

/** The signal that ended a launcher's JVM, of which the launcher tells by its exit status. */
export function signalOfStatus(exitCode: number): NodeJS.Signals | undefined {
  const [name] = SIGNALS.find(([, number]) => number === exitCode - SIGNAL_BASE) ?? [];
  return name;
}

/** The error of a run that a signal has ended. */
export function endedBySignal(signal: NodeJS.Signals, message: string): RingError {
  const reason = REQUESTS.includes(signal) ? 'killed' : 'crashed';
  return new RingError(reason, message, signal);
}

/**
 * Whether code of the JVM may have crashed, so that its archive can be the cause. SIGKILL does not count: the kernel
 * sends it when memory is short.
 */
export function mayBeArchive({ reason, signal }: RingError): boolean {
  return reason === 'crashed' && signal !== undefined && signal !== 'SIGKILL';
}
