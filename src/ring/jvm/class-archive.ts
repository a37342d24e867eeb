import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { RingSettings, RunOptions } from '../environment.js';
import type { Installation } from '../installation/installation.js';
import { run } from '../run.js';
import { filesOfRing } from '../installation/files.js';
import { archiveMethod, archiveOptions, makeArchive, type ArchiveMethod } from './make-archive.js';

export interface ClassArchiveOptions extends Pick<RingSettings, 'jvmTuning' | 'language' | 'env'> {
  /** Creates a private directory for an archive. */
  newDirectory: () => Promise<string>;
  /** @returns why other users can change what is at a path; rejects when there is nothing */
  exposureOf: (path: string) => Promise<string | undefined>;
  log: Logger;
  /** Milliseconds for a run that makes an archive; decodes may wait for its slot. */
  dumpMs?: number;
  /** Runs a task when a slot is free, so that these runs and decodes together stay within RING_CONCURRENCY. */
  runInSlot: <T>(task: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
}

/**
 * An archive of ring's classes, from which its JVM starts faster: much on Java 11, hardly on later ones
 * (`docs/performance.md`). A JVM that cannot use the archive starts without it.
 *
 * Each process makes one archive of its own for an installation, and removes it when it ends. If that fails, or if the
 * archive may have crashed a JVM, ring starts without one until the installation changes.
 */
export class ClassArchive {
  /** Undefined while there is none that can be used. */
  private path: string | undefined;
  private isMaking = false;
  /** The installation for which an archive was made last, or should have been. */
  private identity = '';

  constructor(private readonly options: ClassArchiveOptions) {}

  /** The JVM options that start ring from the archive; none without an archive that only this user can change. */
  async jvmOptions(): Promise<string[]> {
    const { path } = this;
    if (path === undefined) return [];

    // A cleaner of /tmp may have removed it, and another user made its directory again.
    const asked = [path, dirname(path)].map(this.options.exposureOf);
    const exposures = await Promise.all(asked).catch(() => ['it is gone']);
    const isPrivate = exposures.every((exposure) => exposure === undefined);
    return isPrivate ? archiveOptions(path) : [];
  }

  /**
   * To be called when the JVM has crashed in a decode. A damaged archive crashes it whenever code is loaded from the
   * damaged part. So the archive is given up, even if the crash had another cause.
   */
  giveUp(): void {
    const { path: archive } = this;
    // Of decodes that crash side by side, the first one has given it up.
    if (archive === undefined) return;

    this.options.log.warn(
      { archive },
      'the JVM crashed: ring starts without its class archive, so more slowly',
    );
    void this.remove();
  }

  /**
   * Makes the archive, unless that was done for this installation. To be called after each good poll. Never rejects.
   * @param signal ends the run in progress, for good
   * @returns the problem, if there is no archive although this JRE can write one
   */
  async prepare(installation: Installation, signal?: AbortSignal): Promise<string | undefined> {
    const { jvmTuning, log } = this.options;
    if (!jvmTuning || this.isMaking) return undefined;

    this.isMaking = true;
    try {
      await this.renew(installation, signal);
      return undefined;
    } catch (error) {
      if (signal?.aborted) return undefined;

      const { message: reason } = error as Error;
      log.warn({ reason }, 'JVM tuning is incomplete: ring decodes, but starts more slowly');
      return reason;
    } finally {
      this.isMaking = false;
    }
  }

  /** @throws {Error} when no archive can be made */
  private async renew(installation: Installation, signal: AbortSignal | undefined): Promise<void> {
    const { env, log } = this.options;
    const { jre, ring, module, jvmOptions } = installation;
    const launcher = ring.path;
    if (launcher === undefined || !jre.version || !module) return;

    const files = await filesOfRing(launcher, env);
    const identity = [jre.path, jre.version.text, module.name, ...jvmOptions, ...files].join('\n');
    if (identity === this.identity) return;

    this.identity = identity;
    await this.remove();
    const [major = 0] = jre.version.numbers;
    const method = archiveMethod(major, env['RING_OPTS'] ?? '');
    if (method) this.path = await this.make(method, module.name, { launcher, jvmOptions, signal });
    log.info({ archive: method !== undefined }, 'JVM tuning is complete');
  }

  /** Makes an archive. Leaves nothing behind when that fails. */
  private async make(
    method: ArchiveMethod,
    module: string,
    {
      launcher,
      jvmOptions,
      signal,
    }: Pick<RunOptions, 'launcher' | 'signal'> & Pick<Installation, 'jvmOptions'>,
  ): Promise<string> {
    const { newDirectory, runInSlot, language, env, dumpMs: timeoutMs = 120_000 } = this.options;
    const directory = await newDirectory();
    const runWith = (args: string[], moreOptions: string[]) => {
      const options = { launcher, directory, language, env, timeoutMs, signal };
      const allOptions = [...jvmOptions, ...moreOptions];
      return runInSlot(() => run(args, { ...options, jvmOptions: allOptions }), signal);
    };
    try {
      return await makeArchive(directory, method, module, runWith);
    } catch (error) {
      await removeDirectory(directory);
      throw error;
    }
  }

  private async remove(): Promise<void> {
    const { path } = this;
    this.path = undefined;
    if (path !== undefined) await removeDirectory(dirname(path));
  }
}

/** Never rejects: what stays is removed with the other files of this process. */
async function removeDirectory(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Nobody uses it any more.
  }
}
