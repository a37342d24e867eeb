import type { Readable } from 'node:stream';
import { execa } from 'execa';

/** Why a run gave no result; the one thing callers decide by. */
export type RunFailure = 'not_started' | 'timed_out' | 'aborted' | 'flooded' | 'killed';

/** A program that did not run to its end. The message is for the log: it never holds arguments or output. */
export class RunError extends Error {
  constructor(
    readonly reason: RunFailure,
    message: string,
  ) {
    super(message);
  }
}

export interface RunOptions {
  cwd: string;
  /** The program's whole environment; nothing of the service's own reaches it. */
  env: Record<string, string>;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface RunResult {
  exitCode: number;
  stdout: string;
  /** For telling why the program failed; must reach neither the caller nor the log. */
  stderr: string;
}

/**
 * Bytes of output for each stream. A debug run prints some tens of kilobytes; the bound keeps a program
 * that prints for ever from filling the memory.
 */
const MAX_STDOUT = 2_000_000;
const MAX_STDERR = 200_000;

/**
 * Milliseconds that output may outlast the program: only a descendant that left the process group still
 * holds the pipe by then, and execa would wait for it for ever.
 */
const PIPE_GRACE_MS = 500;

/**
 * Runs a program to its end, in a process group of its own, and ends the whole group with it: ring's
 * launcher starts a JVM as a child, and ending the launcher alone would leave that running.
 * @returns also for an exit status other than 0
 * @throws {RunError} when the program was not started or did not end by itself
 */
export async function run(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const { cwd, env, timeoutMs, signal } = options;
  if (signal?.aborted) throw new RunError('aborted', 'aborted before its start');

  const subprocess = execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    // execa would copy all output into an error's message, escaped: 200 MB for 2 MB of zeros.
    buffer: false,
    timeout: timeoutMs,
    ...(signal && { cancelSignal: signal }),
    killDescendants: true,
    // A decode has nothing to save, so nothing is gained by asking first, and ring may ignore SIGTERM.
    killSignal: 'SIGKILL',
  });
  const child = subprocess.nodeChildProcess;
  const flood = new AbortController();
  flood.signal.addEventListener('abort', () => subprocess.kill());
  const stdout = collect(child.stdout, MAX_STDOUT, flood);
  const stderr = collect(child.stderr, MAX_STDERR, flood);
  let pipeTimer: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    subprocess.kill();
    pipeTimer = setTimeout(() => {
      // Timers come before input: on a busy machine what was printed in time may still wait to be read.
      setImmediate(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      });
    }, PIPE_GRACE_MS);
  });

  const result = await subprocess;
  clearTimeout(pipeTimer);

  if (result.timedOut) throw new RunError('timed_out', `still running after ${timeoutMs} ms`);
  if (result.isCanceled) throw new RunError('aborted', 'aborted');
  if (flood.signal.aborted) throw new RunError('flooded', 'printed more than the bound on its output');
  if (result.signal) throw new RunError('killed', `ended by ${result.signal}`);
  if (result.exitCode === undefined) {
    throw new RunError('not_started', `could not be started: ${result.code ?? 'unknown reason'}`);
  }
  return { exitCode: result.exitCode, stdout: stdout(), stderr: stderr() };
}

/**
 * Reads a stream of UTF-8 text up to a bound; what comes beyond it is dropped.
 * @returns a function that gives the text so far
 */
function collect(stream: Readable | null, maxBytes: number, flood: AbortController): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) flood.abort();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
