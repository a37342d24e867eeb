import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const SERVER = resolve(import.meta.dirname, '../../dist/server.js');

/**
 * Starts the built service with the heap bound of the image and without JVM tuning, and waits until it listens.
 * @param {string} directory what the service writes goes below it
 * @param {Record<string, string>} settings
 */
export async function startService(directory, settings) {
  const own = mkdtempSync(join(directory, 'service-'));
  const child = spawn(process.execPath, ['--max-old-space-size=128', SERVER], {
    cwd: own,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      RATE_LIMIT_MAX: '1000000',
      STATUS_TTL_SECONDS: '86400',
      RING_JVM_TUNING: 'off',
      UPLOAD_DIR: join(own, 'uploads'),
      TMP_BASE: join(own, 'work'),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Prepended, because a listener that was added earlier removes the directory, which the service would still use.
  process.prependOnceListener('exit', () => child.kill('SIGKILL'));

  const port = await new Promise((resolvePort, reject) => {
    child.once('exit', (status) => reject(new Error(`the service ended with status ${status}`)));
    createInterface(child.stdout).on('line', (line) => {
      const record = JSON.parse(line);
      if (record.msg === 'listening') resolvePort(record.port);
    });
  });

  async function stop() {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  return { port, stop };
}
