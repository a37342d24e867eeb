import { once } from 'node:events';
import type { Logger } from 'pino';
import type { RingSettings, RunOptions } from '../environment.js';
import { canDecode, findInstallation, hasAnswered, type Installation } from './installation.js';
import { basicOptions } from '../jvm-options.js';
import { findRing } from './locate.js';

/** A ring to run. */
export interface RingToRun extends Pick<RunOptions, 'launcher' | 'language' | 'env'> {
  /** Name of ring's license module. */
  module: string;
  jvmOptions: readonly string[];
}

export interface MonitorOptions extends RingSettings {
  /** Seconds between polls while something is missing or has not answered; see {@link READY_FACTOR}. */
  ttlSeconds: number;
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
 * Milliseconds after the end of a poll in which decodes cannot ask for another one. Polls run outside the slots, so without
 * this rest a flood of files on which ring hangs or crashes would keep a core busy with polls.
 */
const REST_MS = 5_000;

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
  private polling: Promise<void> | undefined;
  private readonly stopped = new AbortController();
  private next: NodeJS.Timeout | undefined;
  /** When the last poll has ended, by performance.now(). */
  private endedAt = -Infinity;

  constructor(private readonly options: MonitorOptions) {}

  /** Polls now, unless a poll is under way, and from then on by itself. Never rejects. */
  poll(): Promise<void> {
    clearTimeout(this.next);
    this.polling ??= this.pollOnce().finally(() => {
      this.polling = undefined;
    });
    return this.polling;
  }

  /** Polls, since a decode found ring unavailable or got no answer, unless a poll has ended just now. */
  recheck(): void {
    const isResting = performance.now() - this.endedAt < REST_MS;
    if (isResting || this.stopped.signal.aborted) return;
    void this.poll();
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
   * The ring to run. The launcher is looked up each time, so an upgrade that moves it counts at once. Its module is the
   * one that the last polls have found.
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
      jvmOptions: this.last?.jvmOptions ?? basicOptions(env['RING_OPTS'] ?? ''),
    };
  }

  private async pollOnce(): Promise<void> {
    let isWell = false;
    try {
      isWell = await this.find();
    } catch (error) {
      // Without this an error that nobody has thought of would end the service.
      const message = 'a poll of Java and ring failed unexpectedly; the next one is not affected';
      this.options.log.error({ err: error }, message);
    }
    this.isPolled = true;

    this.endedAt = performance.now();
    if (this.stopped.signal.aborted) return;

    const { ttlSeconds } = this.options;
    const seconds = isWell ? ttlSeconds * READY_FACTOR : ttlSeconds;
    const poll = () => void this.poll();
    this.next = setTimeout(poll, seconds * 1000).unref();
  }

  /** @returns whether the service is ready, and every question was answered in time */
  private async find(): Promise<boolean> {
    const { signal } = this.stopped;
    const { onPoll } = this.options;
    const found = await findInstallation({ ...this.options, signal }, (tools) => {
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
}
