import type { Readable } from 'node:stream';
import { execa } from 'execa';

/**
 * Why a program has no result: it could not be started, a signal ended it, it took too long, it printed too much, or the
 * caller's signal aborted it.
 */
export type ProgramFailure = 'not_started' | 'killed' | 'timed_out' | 'output_limit' | 'aborted';

/** A run without a result. Callers decide by the reason; the message, for the log, holds no arguments or output. */
export class ProgramError extends Error {
  constructor(
    readonly reason: ProgramFailure,
    message: string,
    /** The signal that ended a program which was killed. */
    readonly signal?: NodeJS.Signals,
  ) {
    super(message);
  }
}

export interface ProgramOptions {
  /** Working directory. */
  directory: string;
  /** The whole environment: nothing of this process's own is added. */
  env: Record<string, string>;
  timeoutMs: number;
  /** Bytes. A program that prints more is killed. */
  maxStdout: number;
  /** Bytes. A program that prints more is killed. */
  maxStderr: number;
  /** Kills the program. */
  signal: AbortSignal | undefined;
}

export interface ProgramResult {
  exitCode: number;
  stdout: Buffer;
  stderr: Buffer;
}

/**
 * Milliseconds the output may stay open after the program has ended. Only a descendant that left the process group
 * still holds the pipe by then, and execa would wait for it.
 */
const PIPE_GRACE_MS = 500;

/**
 * Runs a program in a process group of its own and kills the whole group when the program ends. Without this, what the
 * program has started would outlive it.
 * @param program path of the executable
 * @returns also for an exit status other than 0
 * @throws {ProgramError} when it could not be started, or did not end by itself
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const { directory, env, timeoutMs, maxStdout, maxStderr, signal } = options;
  if (signal?.aborted) throw new ProgramError('aborted', 'aborted before it started');

  const subprocess = execa(program, args, {
    cwd: directory,
    env,
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    // execa would copy and escape all output for an error message: 200 MB for 2 MB of zeros.
    buffer: false,
    timeout: timeoutMs,
    ...(signal && { cancelSignal: signal }),
    // The program becomes the leader of a new process group, and every kill below goes to the whole group. The kernel
    // keeps the group's id while a process of it lives, so that works even after the program itself has ended.
    killDescendants: true,
    // Our programs have nothing to save, and may ignore SIGTERM.
    killSignal: 'SIGKILL',
  });
  const child = subprocess.nodeChildProcess;
  const outputLimit = new AbortController();
  outputLimit.signal.addEventListener('abort', () => subprocess.kill());
  const stdout = collect(child.stdout, maxStdout, outputLimit);
  const stderr = collect(child.stderr, maxStderr, outputLimit);

  let pipeTimer: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    // The program has ended, but what it has started may run on. This kills the rest of its group.
    subprocess.kill();
    pipeTimer = setTimeout(() => {
      // On a busy machine the last output may still wait to be read, and timers run before input.
      setImmediate(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      });
    }, PIPE_GRACE_MS);
  });

  const result = await subprocess;
  clearTimeout(pipeTimer);

  if (result.timedOut) throw new ProgramError('timed_out', `still running after ${timeoutMs} ms`);
  if (result.isCanceled) throw new ProgramError('aborted', 'aborted');
  if (outputLimit.signal.aborted) {
    throw new ProgramError('output_limit', 'printed more than the output limit');
  }
  if (result.signal) throw new ProgramError('killed', `killed by ${result.signal}`, result.signal);
  if (result.exitCode === undefined) {
    throw new ProgramError('not_started', `could not be started: ${result.code ?? 'unknown reason'}`);
  }
  return { exitCode: result.exitCode, stdout: stdout(), stderr: stderr() };
}

/**
 * Collects the output of a program. If it has more than `maxBytes`, this aborts `limit`, which kills the program.
 * @returns a function that gives the output so far
 */
function collect(stream: Readable | null, maxBytes: number, limit: AbortController): () => Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      limit.abort();
      return;
    }
    chunks.push(chunk);
  });
  return () => Buffer.concat(chunks);
}
