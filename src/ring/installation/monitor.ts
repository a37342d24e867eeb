import { once } from 'node:events';
import type { Logger } from 'pino';
import type { RingSettings, RunOptions } from '../environment.js';
import type { JvmTuning } from '../jvm/tuning.js';
import { canDecode, findInstallation, hasAnswered, type Installation } from './installation.js';
import { findRing } from './locate.js';
import { Readiness, type InstallationFault } from './readiness.js';

/** A ring to run. */
export interface RingToRun extends Pick<RunOptions, 'launcher' | 'language' | 'env' | 'jvmOptions'> {
  /** Name of ring's license module. */
  module: string;
}

export interface MonitorOptions extends RingSettings {
  /** Seconds between polls while something is missing or has not answered; see {@link READY_FACTOR}. */
  ttlSeconds: number;
  /** Milliseconds between two polls that decodes have asked for; {@link RECHECK_MS} unless a test is in a hurry. */
  recheckMs?: number;
  /** Is prepared after each poll that finds the service ready. */
  tuning: JvmTuning;
  /** Gets the installation that each poll finds, except during a pause if nothing is missing. */
  onPoll: (installation: Installation) => void;
  log: Logger;
}

/**
 * While all is well, polls are this many times as far apart. They can be rare then, because a decode that meets a fault
 * asks for a poll at once. They should be rare, because each poll starts several JVMs.
 */
export const READY_FACTOR = 10;
/** Polls in a row without an answer that change nothing: a machine that is busy for a moment has not lost its tools. */
const MAX_UNANSWERED = 2;
/** Polls run outside the slots. Without this limit, files on which ring hangs or crashes could keep several cores busy. */
const RECHECK_MS = 5_000;

/**
 * Knows which Java, ring and license module are installed. Polls them in the background, so that a health check starts
 * no JVM, and a tool that is installed later is noticed.
 */
export class InstallationMonitor {
  /** The tools that polls have found so far. */
  last: Installation | undefined;
  /** The name of ring's license module, once a poll has found it. */
  private moduleName: string | undefined;
  /** What the last poll found in which every tool answered; undefined when that is too long ago. */
  private answered: Installation | undefined;
  /** Polls in a row in which a tool did not answer. */
  private unanswered = 0;
  private readonly readiness: Readiness;
  private readonly recheckMs: number;
  private isPolled = false;
  private polling: Promise<void> | undefined;
  private readonly stopped = new AbortController();
  private next: NodeJS.Timeout | undefined;
  /** When the next poll begins by itself. This time and those below are of performance.now(). */
  private nextDue = 0;
  /** When the poll is due that a decode has asked for; undefined when none has. */
  private recheckDue: number | undefined;
  private lastRecheck = -Infinity;

  constructor(private readonly options: MonitorOptions) {
    const pauseMs = options.ttlSeconds * 1000;
    const maxPauseMs = pauseMs * READY_FACTOR;
    this.recheckMs = options.recheckMs ?? RECHECK_MS;
    this.readiness = new Readiness({ pauseMs, maxPauseMs });
  }

  /** Polls now, unless a poll is under way, and from then on by itself. Never rejects. */
  poll(): Promise<void> {
    this.polling ??= this.pollOnce().finally(() => {
      this.polling = undefined;
      this.planNextPoll();
    });
    return this.polling;
  }

  /**
   * Polls soon, since a decode found ring unavailable or got no answer. A poll that is under way may have asked ring
   * before that, so another one follows it.
   */
  recheck(): void {
    const earliest = this.lastRecheck + this.recheckMs;
    this.recheckDue ??= Math.max(performance.now(), earliest);
    this.planNextPoll();
  }

  /** To be called after a decode that has worked from start to end. It ends a pause and the probation after it. */
  decodeWorked(): void {
    const wasPaused = this.readiness.pauseEnd !== undefined;
    this.readiness.decodeWorked();
    if (wasPaused && this.ready) this.options.log.info('ready to decode again: a decode has worked');
  }

  /** A decode has failed for a reason that no file can cause; see {@link Readiness}. */
  decodeFailed(fault: InstallationFault, reason: string): void {
    const now = performance.now();
    const pauseEnd = this.readiness.decodeFailed(fault, now);
    if (pauseEnd === undefined) return;

    const seconds = Math.round((pauseEnd - now) / 1000);
    this.options.log.warn(
      { reason, seconds },
      'not ready to decode: decodes fail for a reason that no file can cause, though the last poll found no fault',
    );
    this.nextDue = pauseEnd;
    this.planNextPoll();
  }

  /** A run of a decode has ended with a crash of the JVM. */
  jvmCrashed(): void {
    this.options.tuning.jvmCrashed();
  }

  /** Ends readiness, polling and tuning for good, with the runs in progress. */
  stop(): void {
    this.stopped.abort();
    clearTimeout(this.next);
  }

  /** True while decodes can be expected to work, until {@link stop}. */
  get ready(): boolean {
    return this.readiness.isReady && !this.stopped.signal.aborted;
  }

  /** Whether the last poll found everything that a decode needs. */
  get isInstalled(): boolean {
    return this.readiness.isInstalled;
  }

  /** Waits for the very first poll; the signal ends the wait, not the poll. */
  async firstPoll(signal: AbortSignal): Promise<void> {
    if (this.isPolled || signal.aborted) return;
    await Promise.race([this.poll(), once(signal, 'abort')]);
  }

  /**
   * The ring to run. The launcher is looked up each time, so a ring that is installed later needs no poll. Its module is
   * the one that the last polls have found.
   * @param signal ends the wait for the very first poll
   */
  async ringToRun(signal: AbortSignal): Promise<RingToRun | undefined> {
    const { command, env, language, module, tuning } = this.options;
    const launcher = await findRing(command, env);
    if (launcher === undefined) return undefined;

    await this.firstPoll(signal);
    const jvmOptions = await tuning.optionsToRun();
    return {
      launcher,
      module: this.moduleName ?? module ?? 'license',
      language,
      env,
      jvmOptions,
    };
  }

  private async pollOnce(): Promise<void> {
    const startedAt = performance.now();
    if (this.recheckDue !== undefined) {
      this.lastRecheck = startedAt;
      this.recheckDue = undefined;
    }

    let isWell = false;
    try {
      isWell = await this.find(startedAt);
    } catch (error) {
      // Without this an error that nobody has thought of would end the service.
      const message = 'a poll of Java and ring failed unexpectedly; the next one is not affected';
      this.options.log.error({ err: error }, message);
    }
    this.isPolled = true;
    this.nextDue = this.dueAfter(isWell);
  }

  /** When the poll after this one is due. */
  private dueAfter(isWell: boolean): number {
    // During a pause the next poll comes when the pause ends, since no earlier poll can end it. But if this poll has
    // found something missing, the usual time applies, so that its return is noticed soon.
    const { pauseEnd, isInstalled } = this.readiness;
    if (pauseEnd !== undefined && isInstalled) return pauseEnd;

    const { ttlSeconds } = this.options;
    const seconds = isWell ? ttlSeconds * READY_FACTOR : ttlSeconds;
    return performance.now() + seconds * 1000;
  }

  /** @returns whether the service is ready, and every question was answered in time */
  private async find(startedAt: number): Promise<boolean> {
    const { signal } = this.stopped;
    const { command, module, language, env, tuning, onPoll } = this.options;
    const settings = {
      command,
      module,
      language,
      env,
      jvmOptions: tuning.heapBound,
      signal,
    };
    const found = await findInstallation(settings, (tools) => {
      // So that even the first poll shows Java and ring before the module is asked, which may take long.
      this.last ??= tools;
    });
    if (signal.aborted) return false;

    const installation = this.installationAfter(found);
    this.last = installation;
    const wasPaused = this.readiness.pauseEnd !== undefined;
    const isGood = canDecode(installation);
    this.readiness.pollEnded(isGood, startedAt);

    // During a pause a good poll does not make the service ready, so the log must not say that it is.
    if (isGood && !this.ready) return false;

    onPoll(installation);
    if (!isGood) return false;

    if (wasPaused) {
      const message =
        'ready to decode again, until a decode fails once more for a reason that no file can cause';
      this.options.log.info(message);
    }
    void tuning.prepare(installation, signal);
    return hasAnswered(found);
  }

  /** What counts after a poll: what it has found, or for some polls without an answer what was known before. */
  private installationAfter(found: Installation): Installation {
    if (hasAnswered(found)) {
      this.unanswered = 0;
      this.answered = found;
      this.moduleName = found.module?.name ?? this.moduleName;
      return found;
    }

    this.unanswered += 1;
    if (this.unanswered > MAX_UNANSWERED) this.answered = undefined;
    return this.answered ?? found;
  }

  private planNextPoll(): void {
    // A poll that is under way plans the next one when it ends.
    if (this.polling || this.stopped.signal.aborted) return;

    clearTimeout(this.next);
    const recheckDue = this.recheckDue ?? Infinity;
    const due = Math.min(this.nextDue, recheckDue);
    const delayMs = Math.max(0, due - performance.now());
    const poll = () => void this.poll();
    this.next = setTimeout(poll, delayMs).unref();
  }
}
