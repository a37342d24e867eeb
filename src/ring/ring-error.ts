import type { ProgramFailure } from '../process/run-program.js';

/** Why ring gave no result: its run failed, the wait for its slot was aborted, or ring could not decode the file. */
export type RingFailure = ProgramFailure | 'undecodable';

/** A run or command without a result. Callers decide by the reason; the message, for the log, holds no arguments or output. */
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
