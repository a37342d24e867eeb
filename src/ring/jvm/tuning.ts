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
import { run, START_TIMEOUT_MS, type RunResult } from '../run.js';
import { archiveMethod, archiveOptions, makeArchive, type ArchiveMethod } from './archive.js';
import { heapBound, jvmOptions } from './options.js';

/** Where the image build puts its archive. It is as trusted as the code next to it. */
export const BUILT_IN_CACHE = join(import.meta.dirname, '../../cache');

export interface JvmTuningOptions extends Pick<RingSettings, 'language' | 'env'> {
  enabled: boolean;
  /** Creates the directory of the archives, which replicas may share. Rejects when others can write to it. */
  openCache: () => Promise<string>;
  /**
   * Finds the paths at which other users can change or replace a file, the nearest first. It is called before each use of
   * an archive. Rejects when there is no such file.
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
  /**
   * The option that bounds the heap. Every JVM accepts it, so it needs no trial and applies from the first run on. The
   * memory limits of the deployments rely on it.
   */
  readonly heapBound: readonly string[];
  /** The JVM options to run ring with, unless {@link optionsToRun} finds that the archive can no longer be used. */
  jvmOptions: readonly string[];
  /** The archive that they name, if others may have changed it since, and the options without it. */
  private exposable: { archive: string; optionsWithout: readonly string[] } | undefined;
  private preparing = false;
  /** The installation that the rest is about. */
  private identity = '';
  /** When the next attempt is due, by performance.now(). After a success it is Infinity: no attempt has to follow. */
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
   * Tries the options and the archive, unless that was done on this installation. To be called after each poll. Never
   * rejects.
   * @param signal ends the run in progress, for good
   * @returns the problem, if this attempt failed
   */
  async prepare(installation: Installation, signal?: AbortSignal): Promise<string | undefined> {
    if (!this.enabled || this.preparing) return undefined;

    this.preparing = true;
    try {
      await this.prepareOnce(installation, signal);
      return undefined;
    } catch (error) {
      if (signal?.aborted) return undefined;
      return this.reportFailure(error as Error);
    } finally {
      this.preparing = false;
    }
  }

  /** @throws {Error} see {@link tune} */
  private async prepareOnce(installation: Installation, signal: AbortSignal | undefined): Promise<void> {
    const plan = await planFor(installation, this.options.env);
    if (!plan) return;

    if (plan.identity !== this.identity) this.startAnew(plan.identity);
    if (performance.now() < this.due) return;

    await this.tune(plan, signal);
    this.due = Infinity;
    this.options.log.info({ archive: plan.method !== undefined }, 'JVM tuning is complete');
  }

  /** Forgets the attempts on another installation. */
  private startAnew(identity: string): void {
    this.identity = identity;
    this.jvmOptions = this.heapBound;
    this.exposable = undefined;
    this.due = 0;
    this.reported = undefined;
  }

  /** Plans the next attempt, and logs the reason unless it is the last one again. */
  private reportFailure({ message: reason }: Error): string {
    this.due = performance.now() + (this.options.retryMs ?? 0);
    if (reason !== this.reported) {
      this.options.log.warn({ reason }, 'JVM tuning is incomplete: ring decodes, but starts more slowly');
    }
    this.reported = reason;
    return reason;
  }

  /** @throws {Error} when a trial fails or no archive can be made */
  private async tune(plan: Plan, signal: AbortSignal | undefined): Promise<void> {
    const { identity, options, method } = plan;

    // The build has tried it on the same installation, so even the first decode starts from it.
    const builtIn = join(BUILT_IN_CACHE, `${identity}.jsa`);
    if (method && existsSync(builtIn)) {
      this.jvmOptions = [...options, ...archiveOptions(builtIn)];
      return;
    }

    await this.tryStart(plan, options, signal);
    this.jvmOptions = options;
    if (!method) return;

    const archive = join(await this.options.openCache(), `${identity}.jsa`);
    // Another user may have put it there while the directory was open to others.
    const problem = await this.problemOf(archive);
    if (problem !== undefined) await rm(archive, { force: true });
    if (!existsSync(archive)) await this.makeArchive(plan, method, archive, signal);
    await this.tryArchive(plan, archive, signal);
    this.jvmOptions = [...options, ...archiveOptions(archive)];
    this.exposable = { archive, optionsWithout: options };
  }

  private async makeArchive(
    plan: Plan,
    method: ArchiveMethod,
    archive: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { dumpMs: timeoutMs = 120_000 } = this.options;
    await makeArchive(archive, method, plan.module, (args, more, directory) => {
      const jvmOptions = [...plan.options, ...more];
      return this.runInSlot(plan, args, { directory, jvmOptions, timeoutMs, signal });
    });
  }

  /** Starts ring from an archive, and removes the archive if ring does not start from it. */
  private async tryArchive(plan: Plan, archive: string, signal: AbortSignal | undefined): Promise<void> {
    // A damaged archive can crash the JVM, which would write a report to its working directory.
    const jvmOptions = [...plan.options, ...archiveOptions(archive, 'on'), '-XX:ErrorFile=/dev/null'];
    try {
      await this.tryStart(plan, jvmOptions, signal);
    } catch (error) {
      // A trial that took too long or was aborted says nothing about the archive.
      const isBroken = !(error instanceof RingError) || error.reason === 'killed';
      if (isBroken) await rm(archive, { force: true });
      throw error;
    }
  }

  /** @throws {Error} when ring does not start with these options */
  private async tryStart(plan: Plan, jvmOptions: string[], signal: AbortSignal | undefined): Promise<void> {
    const how = { jvmOptions, timeoutMs: START_TIMEOUT_MS, signal };
    const { exitCode, stdout } = await this.runInSlot(plan, ['--version'], how);
    const hasStarted = exitCode === 0 && parseRingVersion(stdout) !== undefined;
    if (!hasStarted) throw new Error(`ring does not start with ${jvmOptions.join(' ')}`);
  }

  private runInSlot(plan: Plan, args: string[], how: RunHow): Promise<RunResult> {
    const { env, language, runInSlot } = this.options;
    return runInSlot(() => run(args, { launcher: plan.launcher, language, env, ...how }), how.signal);
  }
}

type RunHow = Pick<RunOptions, 'directory' | 'jvmOptions' | 'timeoutMs' | 'signal'>;

/** How to tune one installation. */
interface Plan {
  launcher: string;
  /** Name of ring's license module. */
  module: string;
  /** Tells apart all that an archive depends on. */
  identity: string;
  /** The options for short runs. */
  options: string[];
  /** How the JRE writes an archive; undefined when it cannot. */
  method: ArchiveMethod | undefined;
}

/** @returns undefined when there is nothing to tune */
async function planFor(installation: Installation, env: NodeJS.ProcessEnv): Promise<Plan | undefined> {
  const { jre, ring, module } = installation;
  const { path: launcher } = ring;
  if (launcher === undefined || !jre.version || !ring.version || !module) return undefined;

  const { JAVA_HOME, RING_OPTS = '' } = env;
  const [major = 0] = jre.version.numbers;
  const options = jvmOptions(major, RING_OPTS);
  // In whole seconds, because image layers keep no fractions.
  const seconds = Math.floor((await modifiedAt(launcher)) / 1000);
  // All that the archive depends on. The JVM itself checks its own build and the times of the jars.
  const versions = [jre.version.text, ring.version.text, module.name];
  const identity = shortHash([versions, JAVA_HOME, launcher, seconds, options, RING_OPTS]);
  return { launcher, module: module.name, identity, options, method: archiveMethod(major, RING_OPTS) };
}

/** Part of a file name, so that archives of different installations lie side by side. */
function shortHash(parts: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return hash.slice(0, 32);
}
