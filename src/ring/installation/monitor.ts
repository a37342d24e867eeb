import { once } from 'node:events';
import type { Logger } from 'pino';
import type { RingSettings, RunOptions } from '../environment.js';
import { findInstallation } from './installation.js';
import { basicOptions } from '../jvm-options.js';
import { RingError } from '../ring-error.js';
import { findRing } from './locate.js';
import { canDecode, hasAnswered, type PollResult } from './poll-result.js';

/** A ring to run. */
export interface RingToRun extends Pick<RunOptions, 'launcher' | 'language' | 'env'> {
  /** Name of ring's license module. */
  module: string;
  jvmOptions: readonly string[];
}

export interface MonitorOptions extends RingSettings {
  /** Seconds between polls while something is missing or has not answered; see {@link READY_FACTOR}. */
  ttlSeconds: number;
  /** Writes a file in each directory of the service. @returns why that is not possible */
  findStorageProblem: () => Promise<string | undefined>;
  /**
   * Gets what counts after each poll, what this poll has found, which is the same unless it got no answer, and a signal that
   * aborts with {@link InstallationMonitor.stop}.
   */
  onPoll: (result: PollResult, found: PollResult, signal: AbortSignal) => void;
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
 * Milliseconds from the end of a poll to one that a decode has asked for. Polls run outside the slots, so without this rest
 * a flood of files on which ring hangs or crashes would keep a core busy with polls.
 */
const REST_MS = 5_000;

/**
 * Knows which Java, ring and license module are installed, and whether files can be written. Polls them in the background,
 * so that a health check starts no JVM, and a tool that is installed later is noticed.
 *
 * Only polls decide whether the service is ready. A decode that fails for a reason of ring asks for a poll, but does not
 * count by itself, because otherwise clients could make the service not ready by the files that they send.
 */
export class InstallationMonitor {
  /** What polls have found so far. */
  last: PollResult | undefined;
  /** Whether the very first poll has ended. */
  isPolled = false;
  /** The name of ring's license module, once a poll has found it. */
  private moduleName: string | undefined;
  /** What the last answered poll has found; undefined when that is too long ago. */
  private answered: PollResult | undefined;
  /** Unanswered polls in a row. */
  private unanswered = 0;
  private polling: Promise<void> | undefined;
  /** Whether a decode has asked for a poll while one was under way, which may have looked before the fault. */
  private isAskedAgain = false;
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

  /**
   * Asks for a poll, since a decode has failed because of ring or of a directory. It begins at once, but no sooner than
   * {@link REST_MS} after the last one.
   */
  recheck(): void {
    if (this.polling) this.isAskedAgain = true;
    else this.pollAt(this.endedAt + this.restMs);
  }

  private get restMs(): number {
    return Math.min(REST_MS, this.options.ttlSeconds * 1000);
  }

  /** Ends readiness and polling for good, with the runs in progress. */
  stop(): void {
    this.stopped.abort();
    clearTimeout(this.next);
  }

  /** True while decodes can be expected to work, until {@link stop}. */
  get ready(): boolean {
    return this.last !== undefined && canDecode(this.last) && !this.stopped.signal.aborted;
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
   * @throws {RingError} when there is no launcher, or while polls get no answer. All else that polls find missing is tried.
   */
  async ringToRun(signal: AbortSignal): Promise<RingToRun> {
    const { command, env, language, module } = this.options;
    const launcher = await findRing(command, env);
    if (launcher === undefined) {
      throw new RingError('not_started', 'no ring found: install ring, or set or correct RING_CMD');
    }

    await this.firstPoll(signal);
    // A ring that hangs would take its whole time-out, and keep its slot from others for so long.
    const isSilent = this.last !== undefined && !hasAnswered(this.last);
    if (isSilent) throw new RingError('not_started', 'the last polls got no answer from Java or ring');

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
    const { ttlSeconds } = this.options;
    const seconds = isWell ? ttlSeconds * READY_FACTOR : ttlSeconds;
    this.pollAt(this.endedAt + (this.isAskedAgain ? this.restMs : seconds * 1000));
    this.isAskedAgain = false;
  }

  /** Plans the next poll, by performance.now(). */
  private pollAt(time: number): void {
    clearTimeout(this.next);
    if (this.stopped.signal.aborted) return;

    const poll = () => void this.poll();
    this.next = setTimeout(poll, Math.max(0, time - performance.now())).unref();
  }

  /** @returns whether the service is ready, and every question was answered */
  private async find(): Promise<boolean> {
    const { signal } = this.stopped;
    const { findStorageProblem, onPoll } = this.options;
    const storageProblem = await findStorageProblem();
    const tools = await findInstallation({ ...this.options, signal }, (early) => {
      // So that even the first poll shows Java and ring before the module is asked, which may take long.
      this.last ??= { ...early, storageProblem };
    });
    if (signal.aborted) return false;

    const found = { ...tools, storageProblem };
    const isAnswered = hasAnswered(found) && storageProblem === undefined;
    this.last = this.resultAfter(found, isAnswered);
    onPoll(this.last, found, signal);
    return isAnswered && canDecode(found);
  }

  /** What counts after a poll: what it has found, or for some polls without an answer what was known before. */
  private resultAfter(found: PollResult, isAnswered: boolean): PollResult {
    if (isAnswered) {
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
