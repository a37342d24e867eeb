import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { RingSettings, RunOptions } from '../environment.js';
import type { Installation } from '../installation/installation.js';
import { modifiedAt } from '../installation/locate.js';
import { parseRingVersion } from '../installation/versions.js';
import { run, START_TIMEOUT_MS, type RunResult } from '../run.js';
import { archiveMethod, archiveOptions, makeArchive, type ArchiveMethod } from './archive.js';
import { firstOptions, jvmOptions } from './options.js';

/** Milliseconds from a failed attempt to the next one, because decodes can ask for a poll every few seconds. */
const RETRY_MS = 60_000;
/** Milliseconds between attempts that follow a crash of the JVM. If the archive is not the cause, a new one is no help. */
const RETRY_AFTER_CRASH_MS = 3_600_000;

export interface JvmTuningOptions extends Pick<RingSettings, 'language' | 'env'> {
  enabled: boolean;
  /** Creates a private directory for an archive. */
  newArchiveDirectory: () => Promise<string>;
  log: Logger;
  /** Milliseconds for a run that makes an archive; decodes may wait for its slot. */
  dumpMs?: number;
  /** Runs a task when a slot is free, so that trials and decodes together stay within RING_CONCURRENCY. */
  runInSlot: <T>(task: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
}

/**
 * Makes ring's JVM start faster: by options for short runs and by an archive of ring's classes. Both are used only after
 * a trial start with them. A trial that fails costs speed but no decode, and is repeated later. An archive that is damaged
 * after its trial can fail decodes until {@link jvmCrashed} gives it up.
 *
 * Each process makes an archive of its own, which it removes when it ends.
 */
export class JvmTuning {
  readonly enabled: boolean;
  /**
   * {@link firstOptions}, which need no trial and apply from the first run on. The memory limits of the deployments rely on
   * them.
   */
  readonly firstOptions: readonly string[];
  /** The options for short runs, once ring was seen to start with them; until then only the first ones. */
  private usedOptions: readonly string[];
  /** The archive to start from; undefined while there is none that can be used. */
  private archive: string | undefined;
  private isPreparing = false;
  /** The installation that the rest is about. */
  private identity = '';
  /** When the next attempt is due, by performance.now(). After a success it is Infinity: no attempt has to follow. */
  private due = 0;
  /** When the next attempt may follow a crash of the JVM. */
  private nextAfterCrash = 0;
  private reported: string | undefined;

  constructor(private readonly options: JvmTuningOptions) {
    const { enabled, env } = options;
    this.enabled = enabled;
    this.firstOptions = enabled ? firstOptions(env['RING_OPTS'] ?? '') : [];
    this.usedOptions = this.firstOptions;
  }

  /** The JVM options to run ring with now. */
  get jvmOptions(): readonly string[] {
    const { archive } = this;
    // A cleaner of /tmp may have removed it. The next poll makes another one.
    if (archive === undefined || !existsSync(archive)) return this.usedOptions;
    return [...this.usedOptions, ...archiveOptions(archive)];
  }

  /**
   * To be called when the JVM has crashed in a decode. A damaged archive crashes it whenever code is loaded from the
   * damaged part, which the trial may not do. So the archive is given up even if the crash had another cause.
   */
  jvmCrashed(): void {
    const { archive } = this;
    // Of decodes that crash side by side, the first one has given it up.
    if (archive === undefined) return;

    this.archive = undefined;
    this.due = Math.max(performance.now(), this.nextAfterCrash);
    this.nextAfterCrash = this.due + RETRY_AFTER_CRASH_MS;
    this.options.log.warn(
      { archive },
      'the JVM crashed: ring starts without its class archive, so more slowly',
    );
    void removeArchive(archive);
  }

  /**
   * Tries the options and makes the archive, unless that was done on this installation. To be called after each good poll.
   * Never rejects.
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
    if (!isSameInstallation) await this.startAnew(plan.identity);

    const isArchiveGone = this.archive !== undefined && !existsSync(this.archive);
    if (isArchiveGone) {
      this.archive = undefined;
      this.due = 0;
    }

    const isDue = performance.now() >= this.due;
    if (!isDue) return;

    await this.tune(plan);
    this.due = Infinity;
    const hasArchive = this.archive !== undefined;
    this.options.log.info({ archive: hasArchive }, 'JVM tuning is complete');
  }

  /** Forgets the attempts on another installation. */
  private async startAnew(identity: string): Promise<void> {
    const { archive } = this;
    this.identity = identity;
    this.usedOptions = this.firstOptions;
    this.archive = undefined;
    this.due = 0;
    this.reported = undefined;
    if (archive !== undefined) await removeArchive(archive);
  }

  /** Plans the next attempt, and logs the reason unless it is the last one again. */
  private reportFailure({ message: reason }: Error): string {
    this.due = performance.now() + RETRY_MS;
    if (reason !== this.reported) {
      this.options.log.warn({ reason }, 'JVM tuning is incomplete: ring decodes, but starts more slowly');
    }
    this.reported = reason;
    return reason;
  }

  /** @throws {Error} when a trial fails or no archive can be made */
  private async tune(plan: Plan): Promise<void> {
    const { options, method } = plan;
    await this.tryStart(plan, options);
    this.usedOptions = options;
    if (method) this.archive = await this.makeArchive(plan, method);
  }

  /** Makes an archive and starts ring from it. Leaves nothing behind when that fails. */
  private async makeArchive(plan: Plan, method: ArchiveMethod): Promise<string> {
    const { dumpMs = 120_000, newArchiveDirectory } = this.options;
    const directory = await newArchiveDirectory();
    const runInSlot = (args: string[], moreOptions: string[]) =>
      this.runInSlot(plan, args, {
        directory,
        jvmOptions: [...plan.options, ...moreOptions],
        timeoutMs: dumpMs,
      });
    try {
      const archive = await makeArchive(directory, method, plan.module, runInSlot);
      // A damaged archive can crash the JVM, which would write a report to its working directory.
      const noReport = '-XX:ErrorFile=/dev/null';
      await this.tryStart(plan, [...plan.options, ...archiveOptions(archive, 'on'), noReport]);
      return archive;
    } catch (error) {
      await removeDirectory(directory);
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

/** Removes an archive with its directory. */
function removeArchive(archive: string): Promise<void> {
  return removeDirectory(dirname(archive));
}

/** Never rejects: what stays is removed with the other files of this process. */
async function removeDirectory(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Nobody uses it any more.
  }
}

/** What differs between the runs of an attempt. */
type Trial = Pick<RunOptions, 'directory' | 'jvmOptions' | 'timeoutMs'>;

/** An attempt to tune one installation. */
interface Plan {
  launcher: string;
  /** Name of ring's license module. */
  module: string;
  /** Tells apart all that an archive depends on. The JVM itself checks its own build and the times of the jars. */
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

  const { RING_OPTS = '' } = env;
  const [major = 0] = jre.version.numbers;
  const installedAt = await modifiedAt(launcher);
  const identity = [jre.version.text, ring.version.text, module.name, launcher, installedAt].join(' ');
  return {
    launcher,
    module: module.name,
    identity,
    options: jvmOptions(major, RING_OPTS),
    method: archiveMethod(major, RING_OPTS),
    signal,
  };
}
