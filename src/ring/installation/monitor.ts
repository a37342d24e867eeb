import { once } from 'node:events';
import type { Logger } from 'pino';
import type { RingSettings, RunOptions } from '../environment.js';
import { canDecode, findInstallation, hasAnswered, type Installation } from './installation.js';
import { findRing } from './locate.js';

/** A ring to run. */
export interface RingToRun extends Pick<RunOptions, 'launcher' | 'language' | 'env' | 'jvmOptions'> {
  /** Name of ring's license module. */
  module: string;
}

export interface MonitorOptions extends RingSettings {
  /** Seconds between polls while something is missing or has not answered; see {@link READY_FACTOR}. */
  ttlSeconds: number;
  /** {@link RECHECK_MS} unless a test is in a hurry. */
  recheckMs?: number;
  /** Options of the JVM for the runs of a poll. */
  jvmOptions: readonly string[];
  /** Gets the installation that each poll finds, and a signal that aborts with {@link InstallationMonitor.stop}. */
  onPoll: (installation: Installation, signal: AbortSignal) => void;
  log: Logger;
}

/**
 * While all is well, polls are this many times as far apart. They can be rare then, because a decode that meets a fault
 * asks for a poll at once. They should be rare, because each poll starts several JVMs.
 */
const READY_FACTOR = 10;
/** Polls in a row without an answer that change nothing: a machine that is busy for a moment has not lost its tools. */
const MAX_UNANSWERED = 2;
/**
 * Milliseconds between two polls that decodes have asked for. Polls run outside the slots, so without this rest a flood
 * of files on which ring hangs or crashes would keep a core busy with polls.
 */
const RECHECK_MS = 5_000;

/**
 * Knows which Java, ring and license module are installed. Polls them in the background, so that a health check starts
 * no JVM, and a tool that is installed later is noticed.
 *
 * Only polls decide whether the service is ready. A decode that fails for a reason of ring asks for a poll, but does not
 * count by itself, because otherwise clients could make the service not ready by the files that they send.
 */
export class InstallationMonitor {
  /** The tools that polls have found so far. */
  last: Installation | undefined;
  /** Whether the very first poll has ended. */
  isPolled = false;
  /** The name of ring's license module, once a poll has found it. */
  private moduleName: string | undefined;
  /** What the last poll found in which every tool answered; undefined when that is too long ago. */
  private answered: Installation | undefined;
  /** Polls in a row in which a tool did not answer. */
  private unanswered = 0;
  private readonly recheckMs: number;
  private polling: Promise<void> | undefined;
  private readonly stopped = new AbortController();
  private next: NodeJS.Timeout | undefined;
  /** When the next poll begins by itself. This time and the one below are of performance.now(). */
  private nextDue = 0;
  /** The earliest begin of a poll that a decode asks for. */
  private recheckAllowedAt = 0;
  /** Whether a decode has asked for a poll that has not begun. */
  private isRecheckDue = false;

  constructor(private readonly options: MonitorOptions) {
    this.recheckMs = options.recheckMs ?? RECHECK_MS;
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
    this.isRecheckDue = true;
    this.planNextPoll();
  }

  /** Ends readiness and polling for good, with the runs in progress. */
  stop(): void {
    this.stopped.abort();
    clearTimeout(this.next);
  }

  /** True while decodes can be expected to work, until {@link stop}. */
  get ready(): boolean {
    return this.isInstalled && !this.stopped.signal.aborted;
  }

  /** Whether the last poll found everything that a decode needs. */
  get isInstalled(): boolean {
    return this.last !== undefined && canDecode(this.last);
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
    const { command, env, language, module } = this.options;
    const launcher = await findRing(command, env);
    if (launcher === undefined) return undefined;

    await this.firstPoll(signal);
    return {
      launcher,
      module: this.moduleName ?? module ?? 'license',
      language,
      env,
    };
  }

  private async pollOnce(): Promise<void> {
    const isRecheck = this.isRecheckDue;
    this.isRecheckDue = false;

    let isWell = false;
    try {
      isWell = await this.find();
    } catch (error) {
      // Without this an error that nobody has thought of would end the service.
      const message = 'a poll of Java and ring failed unexpectedly; the next one is not affected';
      this.options.log.error({ err: error }, message);
    }
    this.isPolled = true;

    const { ttlSeconds } = this.options;
    const seconds = isWell ? ttlSeconds * READY_FACTOR : ttlSeconds;
    const now = performance.now();
    this.nextDue = now + seconds * 1000;
    if (isRecheck) this.recheckAllowedAt = now + this.recheckMs;
  }

  /** @returns whether the service is ready, and every question was answered in time */
  private async find(): Promise<boolean> {
    const { signal } = this.stopped;
    const { command, module, language, env, jvmOptions, onPoll } = this.options;
    const settings = {
      command,
      module,
      language,
      env,
      jvmOptions,
      signal,
    };
    const found = await findInstallation(settings, (tools) => {
      // So that even the first poll shows Java and ring before the module is asked, which may take long.
      this.last ??= tools;
    });
    if (signal.aborted) return false;

    const installation = this.installationAfter(found);
    this.last = installation;
    onPoll(installation, signal);
    return this.isInstalled && hasAnswered(found);
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
    const recheckDue = this.isRecheckDue ? this.recheckAllowedAt : Infinity;
    const due = Math.min(this.nextDue, recheckDue);
    const delayMs = Math.max(0, due - performance.now());
    const poll = () => void this.poll();
    this.next = setTimeout(poll, delayMs).unref();
  }
}
