import type { ProgramFailure } from '../process/run-program.js';

/**
 * Why ring gave no result. A {@link ProgramFailure} of the launcher or of its JVM; `not_started` also says that ring lacks
 * something which it needs to work, and `killed` that somebody has asked the program to end. `crashed`: the JVM died by
 * itself, or the kernel killed it because memory was short; the file can be the cause. `refused`: the launcher did not
 * pass the command on to ring's license module. `undecodable`: ring works, but could not decode the file.
 */
export type RingFailure = ProgramFailure | 'crashed' | 'refused' | 'undecodable';

/**
 * A run or command without a result. Callers decide by the reason. The message is for the log: it has no arguments, and
 * of what ring has printed about a license only redacted words.
 */
export class RingError extends Error {
  constructor(
    readonly reason: RingFailure,
    message: string,
    /** The signal that ended a run which was killed or has crashed, unless the JVM said itself why it crashed. */
    readonly signal?: NodeJS.Signals,
  ) {
    super(message);
  }
}
