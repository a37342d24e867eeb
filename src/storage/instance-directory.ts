import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Logger } from '../logger.js';

const PREFIX = 'license-decoder-';
/** A Unix socket that its owner listens on: whoever can connect knows that the owner lives. */
const ALIVE = 'alive';
/** Milliseconds in which a starting owner surely listens; until then a directory without a socket is left alone. */
const CLAIM_MS = 60_000;

/**
 * A directory that this process alone writes to, below a base that several replicas may share. A process
 * that dies leaves its directory behind, with personal data in it; the next one to start removes it. Its
 * owner's life is told by a socket: the kernel closes it with the process, however that ends, and it works
 * between containers that share the base, where process ids and host names do not.
 */
export class InstanceDirectory {
  private server: Server | undefined;

  private constructor(readonly path: string) {}

  /**
   * Makes the base, sweeps what dead owners left in it, and makes this process's own directory, mode 0700.
   * @throws the system's error when the base can't be made or written to
   */
  static async claim(base: string, log: Logger): Promise<InstanceDirectory> {
    await mkdir(base, { recursive: true });
    await sweep(base, log);
    const directory = new InstanceDirectory(await mkdtemp(join(base, PREFIX)));
    await directory.listen();
    return directory;
  }

  /** Makes the directory again in case somebody removed it while the service runs. */
  async ensure(): Promise<string> {
    const created = await mkdir(this.path, { recursive: true, mode: 0o700 });
    if (created !== undefined) await this.listen();
    return this.path;
  }

  /** Removes the directory with all that is in it; at once, since the process is about to end. */
  release(): void {
    this.server?.close();
    rmSync(this.path, { recursive: true, force: true });
  }

  private async listen(): Promise<void> {
    this.server?.close();
    const server = createServer((socket) => socket.destroy());
    this.server = server;
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    server.once('error', reject);
    server.listen(join(this.path, ALIVE), () => {
      resolve(undefined);
    });
    server.unref();
    await promise;
  }
}

async function sweep(base: string, log: Logger): Promise<void> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(base, name);
    if (!(await isAbandoned(path))) continue;
    await killProcessesIn(path);
    try {
      await rm(path, { recursive: true, force: true });
      log.info({ directory: path }, 'removed what a process that died had left');
    } catch (error) {
      log.warn({ directory: path, err: error }, 'could not remove what a process that died had left');
    }
  }
}

/** True only when the owner is surely dead; a directory of another user can't be looked into, and is left alone. */
async function isAbandoned(path: string): Promise<boolean> {
  const code = await connectionError(join(path, ALIVE));
  if (code === 'ECONNREFUSED') return true;
  if (code !== 'ENOENT') return false;
  try {
    return Date.now() - (await stat(path)).mtimeMs > CLAIM_MS;
  } catch {
    return false;
  }
}

function connectionError(path: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect(path, () => {
    resolve(undefined);
    socket.destroy();
  });
  socket.once('error', (error: NodeJS.ErrnoException) => {
    resolve(error.code);
  });
  return promise;
}

/** Ends what outlived its dead service: every run of ring works in its decode's own directory (proc(5), cwd). */
async function killProcessesIn(directory: string): Promise<void> {
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const cwd = await readlink(`/proc/${pid}/cwd`);
      if (cwd.startsWith(`${directory}/`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // Gone in the meantime, or another user's.
    }
  }
}
