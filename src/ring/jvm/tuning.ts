import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { RingSettings, RunOptions } from '../environment.js';
import type { Installation } from '../installation/installation.js';
import { modifiedAt } from '../installation/locate.js';
import { parseRingVersion } from '../installation/versions.js';
import { RingError } from '../ring-error.js';
import { run, START_TIMEOUT_MS } from '../run.js';
import { archiveMethod, archiveOptions, makeArchive } from './archive.js';
import { heapBound, jvmOptions } from './options.js';

/** Where the image build puts its archive. It is as trusted as the code next to it. */
export const BUILT_IN_CACHE = join(import.meta.dirname, '../../cache');

export interface JvmTuningOptions extends Pick<RingSettings, 'language' | 'env'> {
  enabled: boolean;
  /** Creates the directory of the archives, which replicas may share. Rejects when others can write to it. */
  openCache: () => Promise<string>;
  /**
   * Finds what lets other users change or replace a file, the nearest first. Asked before each use of an archive in that
   * directory. Rejects when there is no such file.
   */
  exposuresOf: (path: string) => Promise<{ path: string; reason: string }[]>;
  log: Logger;
  /** Milliseconds for a run that makes an archive; decodes may wait for its slot. */
  dumpMs?: number;
  /** Milliseconds from a failed attempt to the next one. */
  retryMs?: number;
  /** Runs a task when a slot is free, so that trials and decodes together stay within RING_CONCURRENCY. */
  runInSlot: <T>(task: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
}

/**
 * Makes ring's JVM start faster: by options for short runs and by an archive of ring's classes. Both are used
 * only after a trial start with them. A failure costs speed but never a decode, and is retried later.
 */
export class JvmTuning {
  readonly enabled: boolean;
  /** Every JVM takes a heap bound, so it needs no trial. Memory is planned on it. */
  readonly heapBound: readonly string[];
  /** The JVM options to run ring with, unless {@link optionsToRun} finds that the archive can no longer be used. */
  jvmOptions: readonly string[];
  /** The archive that they name, if others may have changed it since, and the options without it. */
  private exposable: { archive: string; optionsWithout: readonly string[] } | undefined;
  private preparing = false;
  /** The installation that the rest is about. */
  private identity = '';
  /** When the next attempt is due, by performance.now(): never after a success. */
  private due = 0;
  private reported: string | undefined;

  constructor(private readonly options: JvmTuningOptions) {
    this.enabled = options.enabled;
    this.heapBound = this.enabled ? heapBound(options.env['RING_OPTS'] ?? '') : [];
    this.jvmOptions = this.heapBound;
  }

  /**
   * The JVM options to run ring with now. An archive is code, so it is used only while no other user can change or replace
   * it, which may change while the service runs: a cleaner of /tmp removes the directory, and another user makes it again.
   */
  async optionsToRun(): Promise<readonly string[]> {
    const { exposable } = this;
    if (!exposable) return this.jvmOptions;

    const { archive, optionsWithout } = exposable;
    const problem = await this.problemOf(archive);
    if (problem === undefined) return this.jvmOptions;

    // Of decodes that run side by side only the first gives the archive up.
    if (this.exposable === exposable) {
      this.options.log.warn(
        { archive, reason: problem },
        'ring starts without its class archive, so more slowly',
      );
      this.exposable = undefined;
      this.jvmOptions = optionsWithout;
      this.due = 0;
    }
    return optionsWithout;
  }

  /** Why an archive must not be used; undefined when it may. */
  private async problemOf(archive: string): Promise<string | undefined> {
    try {
      const [exposure] = await this.options.exposuresOf(archive);
      return exposure && `${exposure.path}: ${exposure.reason}`;
    } catch (error) {
      return `cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`;
    }
  }

  /**
   * Tries what has not been tried on this installation. Call it after each status poll; it never rejects.
   * @param signal ends the run in progress, for good
   * @returns what is wrong, if this attempt failed
   */
  async prepare(installation: Installation, signal?: AbortSignal): Promise<string | undefined> {
    if (!this.enabled || this.preparing) return undefined;
    this.preparing = true;
    try {
      const plan = await planFor(installation, this.options.env);
      if (!plan) return undefined;
      if (plan.identity !== this.identity) {
        this.identity = plan.identity;
        this.jvmOptions = this.heapBound;
        this.exposable = undefined;
        this.due = 0;
        this.reported = undefined;
      }
      if (performance.now() < this.due) return undefined;
      await this.tune(plan, signal);
      this.due = Infinity;
      this.options.log.info({ archive: plan.method !== undefined }, 'JVM tuning is complete');
      return undefined;
    } catch (error) {
      if (signal?.aborted) return undefined;
      this.due = performance.now() + (this.options.retryMs ?? 0);
      const reason = (error as Error).message;
      if (reason !== this.reported) {
        this.options.log.warn({ reason }, 'JVM tuning is incomplete: ring decodes, but starts more slowly');
      }
      this.reported = reason;
      return reason;
    } finally {
      this.preparing = false;
    }
  }

  /** @throws {Error} when a trial fails or no archive can be made */
  private async tune(plan: Plan, signal: AbortSignal | undefined): Promise<void> {
    const { launcher, module, identity, options, method } = plan;
    const { env, language, runInSlot, dumpMs = 120_000 } = this.options;
    const start = (args: string[], how: Pick<RunOptions, 'directory' | 'jvmOptions' | 'timeoutMs'>) =>
      runInSlot(() => run(args, { launcher, language, env, signal, ...how }), signal);
    const trial = async (jvmOptions: string[]) => {
      const { exitCode, stdout } = await start(['--version'], { jvmOptions, timeoutMs: START_TIMEOUT_MS });
      if (exitCode !== 0 || !parseRingVersion(stdout)) {
        throw new Error(`ring does not start with ${jvmOptions.join(' ')}`);
      }
    };

    // The build has tried it on the same installation, so even the first decode starts from it.
    const builtIn = join(BUILT_IN_CACHE, `${identity}.jsa`);
    if (method && existsSync(builtIn)) {
      this.jvmOptions = [...options, ...archiveOptions(builtIn)];
      return;
    }
    await trial(options);
    this.jvmOptions = options;
    if (!method) return;

    const archive = join(await this.options.openCache(), `${identity}.jsa`);
    // Another user may have put it there while the directory was open to others.
    const isUsable = (await this.problemOf(archive)) === undefined;
    if (!isUsable) await rm(archive, { force: true });
    if (!existsSync(archive)) {
      await makeArchive(archive, method, module, (args, more, directory) =>
        start(args, { directory, jvmOptions: [...options, ...more], timeoutMs: dumpMs }),
      );
    }
    try {
      // A damaged archive can crash the JVM, which would write a report to its working directory.
      await trial([...options, ...archiveOptions(archive, 'on'), '-XX:ErrorFile=/dev/null']);
    } catch (error) {
      // A trial that took too long or was aborted says nothing about the archive.
      const isBroken = !(error instanceof RingError) || error.reason === 'killed';
      if (isBroken) await rm(archive, { force: true });
      throw error;
    }
    this.jvmOptions = [...options, ...archiveOptions(archive)];
    this.exposable = { archive, optionsWithout: options };
  }
}

type Plan = NonNullable<Awaited<ReturnType<typeof planFor>>>;

/** @returns undefined when there is nothing to tune */
async function planFor({ jre, ring, module }: Installation, env: NodeJS.ProcessEnv) {
  const { path: launcher } = ring;
  if (launcher === undefined || !jre.version || !ring.version || !module) return undefined;
  const { JAVA_HOME, RING_OPTS = '' } = env;
  const major = jre.version.numbers[0] ?? 0;
  const options = jvmOptions(major, RING_OPTS);
  // In whole seconds: image layers keep no fractions.
  const seconds = Math.floor((await modifiedAt(launcher)) / 1000);
  // All that the archive depends on. The JVM itself checks its own build and the times of the jars.
  const versions = [jre.version.text, ring.version.text, module.name];
  const parts = [versions, JAVA_HOME, launcher, seconds, options, RING_OPTS];
  const identity = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  return { launcher, module: module.name, identity, options, method: archiveMethod(major, RING_OPTS) };
}
