import type { ProgramFailure } from '../process/run-program.js';

/** Why ring gave no result: its run failed, the wait for its slot was aborted, or ring could not decode the file. */
export type RingFailure = ProgramFailure | 'undecodable';

/**
 * Ends of a run that tell nothing about ring: the service ended the run, because it took too long, printed too much, or
 * was not needed any more.
 */
export const NO_ANSWER: readonly RingFailure[] = ['timed_out', 'output_limit', 'aborted'];

/**
 * A run or command without a result. Callers decide by the reason. The message is for the log: it has no arguments, and
 * of what ring has printed only redacted words.
 */
export class RingError extends Error {
  constructor(
    readonly reason: RingFailure,
    message: string,
    /** The signal that ended a run which was killed. */
    readonly signal?: NodeJS.Signals,
  ) {
    super(message);
  }
}
