import { decodeText } from '../license/text-lines.js';
import { ProgramError, runProgram, type ProgramResult } from '../process/run-program.js';
import { ringEnvironment, type RunOptions } from './environment.js';
import { endedBySignal } from './crash.js';
import { RingError } from './ring-error.js';

/** Milliseconds for a run that only starts a JVM, even on a very busy machine. */
export const START_TIMEOUT_MS = 20_000;

export interface RunResult {
  exitCode: number;
  stdout: string;
  /** May quote the license. So of a command that was given one, it must reach neither the caller nor the log. */
  stderr: string;
  /** False when a line was not UTF-8, and was read as windows-1251. */
  isUtf8: boolean;
}

/** Bytes. A debug run prints some tens of kilobytes; reading takes several times the memory of what was printed. */
const MAX_STDOUT = 250_000;
const MAX_STDERR = 200_000;

/**
 * Runs ring's launcher, or its Java. The launcher is a shell script that starts a JVM as its child. When the launcher
 * ends or is killed, {@link runProgram} kills the JVM, which would otherwise run on.
 * @returns also for an exit status other than 0
 * @throws {RingError} when ring could not be started, or did not end by itself
 */
export async function run(args: readonly string[], options: RunOptions): Promise<RunResult> {
  const { exitCode, stdout, stderr } = await runLauncher(args, options);
  const output = decodeText(stdout);
  const errors = decodeText(stderr);
  return {
    exitCode,
    stdout: output.text,
    stderr: errors.text,
    isUtf8: output.isUtf8 && errors.isUtf8,
  };
}

async function runLauncher(args: readonly string[], options: RunOptions): Promise<ProgramResult> {
  const { launcher, directory = '/', timeoutMs, signal } = options;
  try {
    return await runProgram(launcher, args, {
      directory,
      env: ringEnvironment(options),
      timeoutMs,
      maxStdout: MAX_STDOUT,
      maxStderr: MAX_STDERR,
      signal,
    });
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    // The launcher has let Java take its place, so that the signal ended the launcher itself.
    if (error.signal) throw endedBySignal(error.signal, error.message);
    throw new RingError(error.reason, error.message);
  }
}
