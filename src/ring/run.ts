import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { decodeText } from '../license/text-lines.js';
import { ringEnvironment, type RunOptions } from './environment.js';
import { RingError } from './ring-error.js';

/** Milliseconds for a run that only starts a JVM, even on a very busy machine. */
export const START_TIMEOUT_MS = 20_000;

export interface RunResult {
  exitCode: number;
  stdout: string;
  /** For finding out why the program failed. Must reach neither the caller nor the log. */
  stderr: string;
  /** False when a line was not UTF-8, and was read as windows-1251. */
  isUtf8: boolean;
}

/** Bytes. A debug run prints some tens of kilobytes; reading takes several times the memory of what was printed. */
const MAX_STDOUT = 250_000;
const MAX_STDERR = 200_000;

/**
 * Milliseconds the output may stay open after the program has ended. Only a descendant that left the process group
 * still holds the pipe by then, and execa would wait for it.
 */
const PIPE_GRACE_MS = 500;

/**
 * Runs ring in a process group of its own and kills the whole group when it ends: the launcher starts a JVM as a child,
 * which would outlive it.
 * @returns also for an exit status other than 0
 * @throws {RingError} when ring could not be started, or was killed
 */
export async function run(args: readonly string[], options: RunOptions): Promise<RunResult> {
  const { launcher, directory = '/', timeoutMs, maxStdout = MAX_STDOUT, signal } = options;
  if (signal?.aborted) throw new RingError('aborted', 'aborted before it started');

  const subprocess = execa(launcher, args, {
    cwd: directory,
    env: ringEnvironment(options),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    // execa would copy and escape all output for an error message: 200 MB for 2 MB of zeros.
    buffer: false,
    timeout: timeoutMs,
    ...(signal && { cancelSignal: signal }),
    killDescendants: true,
    // A decode has nothing to save, and ring may ignore SIGTERM.
    killSignal: 'SIGKILL',
  });
  const child = subprocess.nodeChildProcess;
  const outputLimit = new AbortController();
  outputLimit.signal.addEventListener('abort', () => subprocess.kill());
  const stdout = collect(child.stdout, maxStdout, outputLimit);
  const stderr = collect(child.stderr, MAX_STDERR, outputLimit);
  let pipeTimer: NodeJS.Timeout | undefined;
  child.once('exit', () => {
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

  if (result.timedOut) throw new RingError('timed_out', `still running after ${timeoutMs} ms`);
  if (result.isCanceled) throw new RingError('aborted', 'aborted');
  if (outputLimit.signal.aborted) throw new RingError('output_limit', 'printed more than the output limit');
  if (result.signal) throw new RingError('killed', `killed by ${result.signal}`);
  if (result.exitCode === undefined) {
    throw new RingError('not_started', `could not be started: ${result.code ?? 'unknown reason'}`);
  }
  const [output, errors] = [decodeText(stdout()), decodeText(stderr())];
  const isUtf8 = output.isUtf8 && errors.isUtf8;
  return { exitCode: result.exitCode, stdout: output.text, stderr: errors.text, isUtf8 };
}

/** Reads a stream, up to a bound. The returned function gives the bytes so far. */
function collect(stream: Readable | null, maxBytes: number, limit: AbortController): () => Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) limit.abort();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks);
}
