import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { boundToUs, processesIn } from './processes.js';
import { DIST } from './project.js';
import { testSettings, type TestSettings } from './settings.js';

export interface SpawnedService {
  process: ChildProcess;
  url: string;
  port: number;
  /** Set with METRICS_PORT. */
  metricsPort: number;
  log: Record<string, unknown>[];
  /** Resolves with the exit status, or the name of the signal that ended it. */
  exited: Promise<number | string>;
  uploadDir: string;
  tmpBase: string;
  /** Largest resident memory so far, in bytes (proc(5), VmHWM). */
  peakMemory: () => number;
  openFiles: () => number;
}

interface SpawnOptions {
  /** A shell command that runs before the service in the same process, whose command is `$@`: `umask 0002`. */
  before?: string;
  env?: NodeJS.ProcessEnv;
  /** Path of another Node.js. */
  node?: string;
  /** Path of another build. */
  dist?: string;
}

/** Makes root an ordinary user, by taking its capabilities away: for {@link SpawnOptions.before}, with the tag `root`. */
export const AS_ORDINARY_USER = 'set -- setpriv --bounding-set -all --inh-caps -all "$@"';

/**
 * Starts the built service with {@link testSettings} as a process of its own, as `npm start` does. It ends with the
 * test, and with it what it has started.
 * @throws when the service ends instead of listening; the message has the exit status and stderr
 */
export async function spawnService(
  settings: TestSettings = {},
  { before = ':', env = process.env, node = process.execPath, dist = DIST }: SpawnOptions = {},
): Promise<SpawnedService> {
  const all = await testSettings(settings);
  const command = [node, '--max-old-space-size=128', join(dist, 'server.js')];
  const [program = '', ...args] = boundToUs('TERM', ['sh', '-c', `${before} && exec "$@"`, 'sh', ...command]);
  const child = spawn(program, args, {
    // No .env is there.
    cwd: '/',
    env: { ...env, ...all },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | string>((done) => {
    child.once('exit', (code, signal) => done(code ?? signal ?? 'unknown'));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    for (const pid of all.TMP_BASE ? processesIn(all.TMP_BASE) : []) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    }
  });

  const log: Record<string, unknown>[] = [];
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const listening = await new Promise<{ port: number; metricsPort: number }>((done, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      log.push(entry);
      if (entry['msg'] === 'listening') done(entry as never);
    });
    child.once('close', (code, signal) =>
      reject(new Error(`the service ended with ${code ?? signal}: ${errors}`)),
    );
  });
  return {
    process: child,
    url: `http://127.0.0.1:${listening.port}`,
    port: listening.port,
    metricsPort: listening.metricsPort,
    log,
    exited,
    uploadDir: all.UPLOAD_DIR,
    tmpBase: all.TMP_BASE,
    peakMemory: () =>
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
  };
}

/** What a start that must fail prints; it ends with status 1. */
export async function failedStart(...start: Parameters<typeof spawnService>): Promise<string> {
  const prefix = 'the service ended with 1: The service cannot start:\n';
  const message = await spawnService(...start).then(
    ({ url }) => `it listens at ${url}`,
    (error: unknown) => (error as Error).message,
  );
  expect(message.slice(0, prefix.length)).toBe(prefix);
  return message.slice(prefix.length);
}
