import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { tempDirectory } from './temp.js';

const SERVER = resolve(import.meta.dirname, '../../dist/server.js');

export interface SpawnedService {
  process: ChildProcess;
  pid: number;
  url: string;
  port: number;
  log: Record<string, unknown>[];
  /** Resolves with the exit status, or the signal's name. */
  exited: Promise<number | string>;
  uploadDir: string;
  tmpBase: string;
  /** Largest resident memory so far, in bytes (proc(5), VmHWM). */
  peakMemory: () => number;
  openFiles: () => number;
}

interface SpawnOptions {
  /** Programs that start the service, such as `prlimit`. */
  through?: string[];
  env?: NodeJS.ProcessEnv;
}

/** Starts the built service as a process of its own, the way an operator does. */
export async function spawnService(
  settings: Record<string, string>,
  { through = [], env = process.env }: SpawnOptions = {},
): Promise<SpawnedService> {
  const directory = await tempDirectory();
  const dirs = {
    RING_CACHE_DIR: join(directory, 'cache'),
    UPLOAD_DIR: join(directory, 'uploads'),
    TMP_BASE: join(directory, 'work'),
  };
  const all = {
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT_MAX: '1000000',
    RING_JVM_TUNING: 'off',
    ...dirs,
    ...settings,
  };
  const [program, ...args] = [...through, process.execPath, SERVER] as unknown as [string, ...string[]];
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...env, ...all },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });

  const log: Record<string, unknown>[] = [];
  const errors: string[] = [];
  child.stderr.on('data', (data: Buffer) => errors.push(data.toString()));
  const exited = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(code ?? signal ?? 'unknown');
    });
  });
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      log.push(entry);
      if (entry['msg'] === 'listening') resolve(entry['port'] as number);
    });
    void exited.then((status) => {
      reject(new Error(`the service ended with ${status}: ${errors.join('')}`));
    });
  });
  const pid = child.pid ?? 0;
  return {
    process: child,
    pid,
    url: `http://127.0.0.1:${port}`,
    port,
    log,
    exited,
    uploadDir: all.UPLOAD_DIR,
    tmpBase: all.TMP_BASE,
    peakMemory: () =>
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    openFiles: () => readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** Everything below the directories for uploads and decodes, but the processes' own directories and sockets. */
export function filesOf({ uploadDir, tmpBase }: { uploadDir: string; tmpBase: string }): string[] {
  return [uploadDir, tmpBase].flatMap((base) => {
    try {
      const entries = readdirSync(base, { recursive: true }) as string[];
      return entries.filter((entry) => entry.includes('/') && !entry.endsWith('/alive'));
    } catch {
      return [`${base}: changed while it was read`];
    }
  });
}
