import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
 * Makes ring's JVM start faster: by options for short runs and by an archive of ring's classes. Both are used only after
 * a trial start with them; the image's archive was tried when the image was built. A trial that fails costs speed but no
 * decode, and is repeated later. An archive that is damaged after its trial can fail decodes until {@link jvmCrashed}
 * gives it up.
 */
export class JvmTuning {
  readonly enabled: boolean;
  /**
   * The option that bounds the heap, unless RING_OPTS sets the heap. Every JVM accepts it, so it needs no trial and
   * applies from the first run on. The memory limits of the deployments rely on it.
   */
  readonly heapBound: readonly string[];
  /** The options for short runs, once ring was seen to start with them; until then only the bound of the heap. */
  private usedOptions: readonly string[];
  /** The archive to start from; undefined while there is none that can be used. */
  private archive: string | undefined;
  /** Archives with which the JVM has crashed. They may be damaged, so each is removed before a new one is made. */
  private readonly distrusted = new Set<string>();
  private isPreparing = false;
  /** The installation that the rest is about. */
  private identity = '';
  /** When the next attempt is due, by performance.now(). After a success it is Infinity: no attempt has to follow. */
  private due = 0;
  private reported: string | undefined;

  constructor(private readonly options: JvmTuningOptions) {
    const { enabled, env } = options;
    this.enabled = enabled;
    this.heapBound = enabled ? heapBound(env['RING_OPTS'] ?? '') : [];
    this.usedOptions = this.heapBound;
  }

  /** The JVM options to run ring with, unless {@link optionsToRun} finds that the archive can no longer be used. */
  get jvmOptions(): readonly string[] {
    if (this.archive === undefined) return this.usedOptions;
    return [...this.usedOptions, ...archiveOptions(this.archive)];
  }

  /**
   * The JVM options to run ring with now. An archive is code, so it is used only while no other user can change or replace
   * it, which may change while the service runs: a cleaner of /tmp removes the directory, and another user makes it again.
   */
  async optionsToRun(): Promise<readonly string[]> {
    const { archive } = this;
    if (archive === undefined) return this.jvmOptions;

    const problem = await this.whyUntrusted(archive);
    if (problem !== undefined) this.giveUp(archive, problem);
    return this.jvmOptions;
  }

  /** Why an archive must not be used; undefined when it may. */
  private async whyUntrusted(archive: string): Promise<string | undefined> {
    const isBuiltIn = dirname(archive) === BUILT_IN_CACHE;
    if (isBuiltIn) return undefined;

    try {
      const [exposure] = await this.options.exposuresOf(archive);
      if (exposure === undefined) return undefined;
      return `${exposure.path}: ${exposure.reason}`;
    } catch (error) {
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
      return `cannot be read: ${code}`;
    }
  }

  /**
   * To be called when the JVM has crashed in a decode. A damaged archive crashes it whenever code is loaded from the
   * damaged part, which the trial may not do. So the archive is given up even if the crash had another cause.
   */
  jvmCrashed(): void {
    const { archive } = this;
    if (archive === undefined) return;

    this.distrusted.add(archive);
    this.giveUp(archive, 'the JVM crashed');
  }

  /** Starts ring without this archive from now on. The next poll makes another one. */
  private giveUp(archive: string, reason: string): void {
    // Of decodes that run side by side, only the first one gets here with the archive still in use.
    if (this.archive !== archive) return;

    this.archive = undefined;
    this.due = 0;
    this.options.log.warn({ archive, reason }, 'ring starts without its class archive, so more slowly');
  }

  /**
   * Tries the options and the archive, unless that was done on this installation. To be called after each poll. Never
   * rejects.
   * @param signal ends the run in progress, for good
   * @returns the problem, if this attempt failed
   */
  async prepare(installation: Installation, signal?: AbortSignal): Promise<string | undefined> {
    if (!this.enabled || this.isPreparing) return undefined;

    this.isPreparing = true;
    try {
      const plan = await planFor(installation, this.options.env, signal);
      if (plan) await this.prepareIfDue(plan);
      return undefined;
    } catch (error) {
      if (signal?.aborted) return undefined;
      return this.reportFailure(error as Error);
    } finally {
      this.isPreparing = false;
    }
  }

  /** @throws {Error} see {@link tune} */
  private async prepareIfDue(plan: Plan): Promise<void> {
    const isSameInstallation = plan.identity === this.identity;
    if (!isSameInstallation) this.startAnew(plan.identity);

    const isDue = performance.now() >= this.due;
    if (!isDue) return;

    await this.tune(plan);
    this.due = Infinity;
    const hasArchive = this.archive !== undefined;
    this.options.log.info({ archive: hasArchive }, 'JVM tuning is complete');
  }

  /** Forgets the attempts on another installation. */
  private startAnew(identity: string): void {
    this.identity = identity;
    this.usedOptions = this.heapBound;
    this.archive = undefined;
    this.due = 0;
    this.reported = undefined;
  }

  /** Plans the next attempt, and logs the reason unless it is the last one again. */
  private reportFailure({ message: reason }: Error): string {
    const { retryMs = 0, log } = this.options;
    this.due = performance.now() + retryMs;
    if (reason !== this.reported) {
      log.warn({ reason }, 'JVM tuning is incomplete: ring decodes, but starts more slowly');
    }
    this.reported = reason;
    return reason;
  }

  /** @throws {Error} when a trial fails or no archive can be made */
  private async tune(plan: Plan): Promise<void> {
    const { identity, options, method } = plan;
    // Archives of different installations lie side by side.
    const archiveName = `${identity}.jsa`;

    const builtIn = join(BUILT_IN_CACHE, archiveName);
    const hasBuiltIn = existsSync(builtIn) && !this.distrusted.has(builtIn);
    if (method && hasBuiltIn) {
      // The build has tried it on the same installation, so even the first decode starts from it.
      this.usedOptions = options;
      this.archive = builtIn;
      return;
    }

    await this.tryStart(plan, options);
    this.usedOptions = options;
    if (!method) return;

    const cache = await this.options.openCache();
    const archive = join(cache, archiveName);
    // Another user may have put it there while the directory was open to others.
    const problem = await this.whyUntrusted(archive);
    const mustGo = problem !== undefined || this.distrusted.has(archive);
    if (mustGo) await rm(archive, { force: true });
    this.distrusted.delete(archive);

    if (!existsSync(archive)) await this.makeArchive(plan, method, archive);
    await this.tryArchive(plan, archive);
    this.archive = archive;
  }

  private async makeArchive(plan: Plan, method: ArchiveMethod, archive: string): Promise<void> {
    const { dumpMs = 120_000 } = this.options;
    await makeArchive(archive, method, plan.module, (args, moreOptions, directory) =>
      this.runInSlot(plan, args, {
        directory,
        jvmOptions: [...plan.options, ...moreOptions],
        timeoutMs: dumpMs,
      }),
    );
  }

  /** Starts ring from an archive, and removes the archive if ring does not start from it. */
  private async tryArchive(plan: Plan, archive: string): Promise<void> {
    // A damaged archive can crash the JVM, which would write a report to its working directory.
    const noReport = '-XX:ErrorFile=/dev/null';
    const jvmOptions = [...plan.options, ...archiveOptions(archive, 'on'), noReport];
    try {
      await this.tryStart(plan, jvmOptions);
    } catch (error) {
      // A trial that took too long or was aborted says nothing about the archive.
      const isBroken = !(error instanceof RingError) || error.reason === 'killed';
      if (isBroken) await rm(archive, { force: true });
      throw error;
    }
  }

  /** @throws {Error} when ring does not start with these options */
  private async tryStart(plan: Plan, jvmOptions: string[]): Promise<void> {
    const ended = await this.runInSlot(plan, ['--version'], {
      jvmOptions,
      timeoutMs: START_TIMEOUT_MS,
    });

    const version = parseRingVersion(ended.stdout);
    const hasStarted = ended.exitCode === 0 && version !== undefined;
    if (!hasStarted) throw new Error(`ring does not start with ${jvmOptions.join(' ')}`);
  }

  private runInSlot({ launcher, signal }: Plan, args: string[], trial: Trial): Promise<RunResult> {
    const { env, language, runInSlot } = this.options;
    const options: RunOptions = {
      launcher,
      language,
      env,
      signal,
      ...trial,
    };
    return runInSlot(() => run(args, options), signal);
  }
}

/** What differs between the runs of an attempt. */
type Trial = Pick<RunOptions, 'directory' | 'jvmOptions' | 'timeoutMs'>;

/** An attempt to tune one installation. */
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
  /** Ends the attempt. */
  signal: AbortSignal | undefined;
}

/** @returns undefined when there is nothing to tune */
async function planFor(
  installation: Installation,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<Plan | undefined> {
  const { jre, ring, module } = installation;
  const launcher = ring.path;
  if (launcher === undefined || !jre.version || !ring.version || !module) return undefined;

  const { JAVA_HOME, RING_OPTS = '' } = env;
  const [major = 0] = jre.version.numbers;
  const options = jvmOptions(major, RING_OPTS);

  // All that the archive depends on. The JVM itself checks its own build and the times of the jars.
  const versions = [jre.version.text, ring.version.text, module.name];
  const installedAtMs = await modifiedAt(launcher);
  // In whole seconds, because image layers keep no fractions.
  const installedAt = Math.floor(installedAtMs / 1000);
  const identity = shortHash([versions, JAVA_HOME, launcher, installedAt, options, RING_OPTS]);

  return {
    launcher,
    module: module.name,
    identity,
    options,
    method: archiveMethod(major, RING_OPTS),
    signal,
  };
}

function shortHash(parts: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(parts));
  return hash.digest('hex').slice(0, 32);
}
