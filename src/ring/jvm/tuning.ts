import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { RingLanguage } from '../environment.js';
import type { Installation } from '../installation/installation.js';
import { modifiedAt } from '../installation/locate.js';
import { parseRingVersion } from '../installation/versions.js';
import { runRing } from '../ring-command.js';
import { RunError } from '../run.js';
import { archiveMethod, archiveOptions, findArchive, makeArchive, type ArchiveMethod } from './archive.js';
import { heapBound, jvmOptions } from './options.js';

/** Where the image build puts its archive. It is as trusted as the code beside it. */
export const BUILT_IN_CACHE = join(import.meta.dirname, '../../cache');

/** Milliseconds for a trial start, even on a very busy machine. */
const TRIAL_TIMEOUT_MS = 20_000;
/** Milliseconds for a run that makes an archive. */
const ARCHIVE_TIMEOUT_MS = 120_000;
/** Most polls between two attempts after repeated failures: half an hour with the default interval. */
const MAX_SKIPPED_POLLS = 63;

export interface JvmTuningOptions {
  enabled: boolean;
  /** Creates the directory of the archives, which replicas may share. Rejects when others can write to it. */
  openCache: () => Promise<string>;
  language: RingLanguage;
  env: NodeJS.ProcessEnv;
  log: Logger;
  /** Runs a task when a slot is free, so that trials and decodes together stay within RING_CONCURRENCY. */
  runInSlot: <T>(task: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
}

/** What to tune and how far that has come. */
interface Target {
  launcher: string;
  /** What ring calls its license module. */
  module: string;
  /** Hash of everything that the archive depends on. */
  identity: string;
  options: string[];
  archive: ArchiveMethod | undefined;
  isDone: boolean;
  failures: number;
  /** Polls to let pass before the next attempt. */
  skip: number;
}

/**
 * Makes ring's JVM start faster: by options for short runs and by an archive of ring's classes. Both are used
 * only after a trial start with them. A failure costs speed but never a decode, and is retried at later polls.
 */
export class JvmTuning {
  private current: readonly string[];
  private target: Target | undefined;
  private preparing = false;
  private reported: string | undefined;

  constructor(private readonly options: JvmTuningOptions) {
    this.current = this.untried();
  }

  get enabled(): boolean {
    return this.options.enabled;
  }

  /** The JVM options to run ring with now. */
  get jvmOptions(): readonly string[] {
    return this.current;
  }

  /**
   * Tries what has not been tried on this installation. Call it after each status poll; it never rejects.
   * @param signal ends the run in progress, for good
   * @returns what is wrong, if this attempt failed
   */
  async prepare(installation: Installation, signal?: AbortSignal): Promise<string | undefined> {
    if (!this.options.enabled || this.preparing) return undefined;
    this.preparing = true;
    try {
      const target = await this.targetFor(installation);
      if (!target || target.isDone) return undefined;
      if (target.skip === 0) return await this.attempt(target, signal);
      target.skip -= 1;
      return undefined;
    } finally {
      this.preparing = false;
    }
  }

  private async attempt(target: Target, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { log } = this.options;
    try {
      await this.tune(target, signal);
      target.isDone = true;
      log.info({ archive: target.archive !== undefined }, 'JVM tuning is complete');
      this.reported = undefined;
      return undefined;
    } catch (error) {
      if (signal?.aborted) return undefined;
      target.failures += 1;
      target.skip = Math.min(2 ** (target.failures - 1) - 1, MAX_SKIPPED_POLLS);
      const reason = (error as Error).message;
      if (reason !== this.reported) {
        log.warn({ reason }, 'JVM tuning is incomplete: ring decodes, but starts more slowly');
      }
      this.reported = reason;
      return reason;
    }
  }

  /** @throws {Error} when a trial fails or no archive can be made */
  private async tune(
    { launcher, module, identity, options, archive: method }: Target,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { env, language, runInSlot } = this.options;
    const start = (args: string[], jvmOptions: string[], directory: string, timeoutMs: number) =>
      runInSlot(
        () => runRing(args, { launcher, language, env, directory, jvmOptions, timeoutMs, signal }),
        signal,
      );
    const trial = async (jvmOptions: string[]) => {
      const { exitCode, stdout } = await start(['--version'], jvmOptions, tmpdir(), TRIAL_TIMEOUT_MS);
      if (exitCode !== 0 || !parseRingVersion(stdout)) {
        throw new Error(`ring does not start with ${jvmOptions.join(' ')}`);
      }
    };

    // The build has tried it on the same installation, so even the first decode starts from it.
    const builtIn = method && findArchive(BUILT_IN_CACHE, identity);
    if (builtIn) {
      this.current = [...options, ...archiveOptions(builtIn)];
      return;
    }
    await trial(options);
    this.current = options;
    if (!method) return;

    const cache = await this.options.openCache();
    const archive =
      findArchive(cache, identity) ??
      (await makeArchive(cache, identity, method, module, (args, more, directory) =>
        start(args, [...options, ...more], directory, ARCHIVE_TIMEOUT_MS),
      ));
    try {
      // A damaged archive can crash the JVM, which would write a report to its working directory.
      await trial([...options, ...archiveOptions(archive, 'on'), '-XX:ErrorFile=/dev/null']);
    } catch (error) {
      // A trial that took too long or was aborted says nothing about the archive.
      const isBroken = !(error instanceof RunError) || error.reason === 'killed';
      if (isBroken) await rm(archive, { force: true });
      throw error;
    }
    this.current = [...options, ...archiveOptions(archive)];
  }

  /** @returns undefined when there is nothing to tune */
  private async targetFor({ jre, ring, module }: Installation): Promise<Target | undefined> {
    const { path: launcher } = ring;
    if (launcher === undefined || !jre.version || !ring.version || !module) return undefined;
    const { JAVA_HOME, RING_OPTS = '' } = this.options.env;
    const major = jre.version.numbers[0] ?? 0;
    const options = jvmOptions(major, RING_OPTS);
    // In whole seconds: image layers keep no fractions.
    const seconds = Math.floor((await modifiedAt(launcher)) / 1000);
    // The JVM itself checks its own build and the times of the jars.
    const versions = [jre.version.text, ring.version.text, module.name];
    const parts = [versions, JAVA_HOME, launcher, seconds, options, RING_OPTS];
    const identity = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
    if (this.target?.identity === identity) return this.target;

    this.current = this.untried();
    const archive = archiveMethod(major, RING_OPTS);
    this.target = {
      launcher,
      module: module.name,
      identity,
      options,
      archive,
      isDone: false,
      failures: 0,
      skip: 0,
    };
    return this.target;
  }

  /** Every JVM takes a heap bound, so it needs no trial. Memory is planned on it. */
  private untried(): readonly string[] {
    return this.options.enabled ? heapBound(this.options.env['RING_OPTS'] ?? '') : [];
  }
}
