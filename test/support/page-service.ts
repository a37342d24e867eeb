import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';
import { boundToUs } from './processes.js';
import { DEMO_JRE, DEMO_RING, DIST } from './project.js';
import { environmentWithoutJava } from './without-java.js';

/** Signs the tokens of the service. */
export const SECRET = 'a secret of more than thirty-two bytes';
/** Files that a page has read without a token. */
export const LIMIT = 5;

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the service. */
    pages: string;
    /** A directory for what Chromium leaves behind. */
    chromiumHome: string;
  }
}

/**
 * Starts what the tests with a browser share for a whole run: one service, whose ring reads the samples of the demo and
 * the licenses of scripts/bench/fleet.mjs, and the directory that their browsers write to.
 */
export default async function startPageService({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'ld-pages-'));
  const [program = '', ...args] = boundToUs('TERM', [process.execPath, join(DIST, 'server.js')]);
  const service = spawn(program, args, {
    // No .env is there.
    cwd: '/',
    env: {
      // As the demo does, it reads licenses on a machine without Java.
      ...environmentWithoutJava(directory),
      JAVA_HOME: DEMO_JRE,
      PORT: '0',
      HOST: '127.0.0.1',
      RATE_LIMIT_MAX: String(LIMIT),
      RING_CMD: DEMO_RING,
      RING_JVM_TUNING: 'off',
      JWT_SECRET: SECRET,
      UPLOAD_DIR: join(directory, 'uploads'),
      TMP_BASE: join(directory, 'work'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'exit');
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(service.stdout).on('line', (line) => {
      const entry = JSON.parse(line) as { msg?: string; port: number };
      if (entry.msg === 'listening') resolve(entry.port);
    });
    service.once('exit', (status) => reject(new Error(`The service for the pages ended with ${status}.`)));
  });

  provide('pages', `http://127.0.0.1:${port}`);
  provide('chromiumHome', directory);
  return async () => {
    service.kill();
    await ended;
    await rm(directory, { recursive: true, maxRetries: 10 });
  };
}
