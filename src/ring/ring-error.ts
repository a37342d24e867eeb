/**
 * Why ring gave no result: ring or its JVM could not be started, was killed, took too long, or printed too much; the
 * signal aborted the run; ring could not decode the file.
 */
export type RingFailure = 'not_started' | 'killed' | 'timed_out' | 'output_limit' | 'aborted' | 'undecodable';

/** A run or command without a result. Callers decide by the reason; the message, for the log, holds no arguments or output. */
export class RingError extends Error {
  constructor(
    readonly reason: RingFailure,
    message: string,
  ) {
    super(message);
  }
}
