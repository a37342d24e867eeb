import { once } from 'node:events';
import type { RingSettings, RunOptions } from '../environment.js';
import type { JvmTuning } from '../jvm/tuning.js';
import { canDecode, findInstallation, type Installation } from './installation.js';
import { findRing } from './locate.js';

/** A ring to run. */
export interface RingToRun extends Pick<RunOptions, 'launcher' | 'language' | 'env' | 'jvmOptions'> {
  /** What ring calls its license module. */
  module: string;
}

export interface MonitorOptions extends RingSettings {
  /** Seconds from a poll to the next one while something is missing or has not answered; {@link WHEN_READY} else. */
  ttlSeconds: number;
  /** Is prepared for what each poll finds. */
  tuning: JvmTuning;
  /** Gets what each poll finds. */
  onPoll: (installation: Installation) => void;
}

/** Times that many when all is well: a poll starts four JVMs, and a decode that finds a fault is followed by one. */
const WHEN_READY = 10;

/**
 * Knows which Java, ring and license module are installed. Polls them in the background, so that neither a health check
 * nor a decode starts a JVM for it, and a tool that is installed later is noticed.
 */
export class InstallationMonitor {
  /** What was found so far. */
  last: Installation | undefined;
  private isPolled = false;
  private polling: Promise<void> | undefined;
  private next: NodeJS.Timeout | undefined;
  private readonly stopped = new AbortController();

  constructor(private readonly options: MonitorOptions) {}

  /** Polls now, unless a poll is under way, and from then on by itself. */
  poll(): Promise<void> {
    clearTimeout(this.next);
    this.polling ??= this.find().finally(() => (this.polling = undefined));
    return this.polling;
  }

  /** Polls now, or after the poll that is under way, since a decode found ring unavailable or got no answer. */
  recheck(): void {
    void Promise.resolve(this.polling).then(() => this.poll());
  }

  /** Ends readiness, polling and tuning for good, with the runs in progress. */
  stop(): void {
    this.stopped.abort();
  }

  /** True when everything was found, until {@link stop}. */
  get ready(): boolean {
    return this.last !== undefined && canDecode(this.last) && !this.stopped.signal.aborted;
  }

  /** Waits for the very first poll; the signal ends the wait, not the poll. */
  async firstPoll(signal: AbortSignal): Promise<void> {
    if (!this.isPolled) await Promise.race([this.poll(), signal.aborted || once(signal, 'abort')]);
  }

  /**
   * The ring to run, found anew, so that one installed later needs no poll, and its module as last known.
   * @param signal ends the wait for the very first poll
   */
  async ringToRun(signal: AbortSignal): Promise<RingToRun | undefined> {
    const { command, env, language, module, tuning } = this.options;
    const launcher = await findRing(command, env);
    if (!launcher) return undefined;
    await this.firstPoll(signal);
    const name = this.last?.module?.name ?? module ?? 'license';
    return { launcher, module: name, language, env, jvmOptions: tuning.jvmOptions };
  }

  private async find(): Promise<void> {
    const { signal } = this.stopped;
    const { ttlSeconds, tuning, onPoll } = this.options;
    const jvmOptions = tuning.heapBound;
    const publish = (found: Installation) => (this.last = found);
    const installation = await findInstallation({ ...this.options, jvmOptions, signal }, this.last, publish);
    if (signal.aborted) return;
    publish(installation);
    this.isPolled = true;
    onPoll(installation);
    const { jre, ring, module } = installation;
    const isCertain = this.ready && jre.timeouts + ring.timeouts + (module?.timeouts ?? 0) === 0;
    const seconds = isCertain ? ttlSeconds * WHEN_READY : ttlSeconds;
    this.next = setTimeout(() => void this.poll(), seconds * 1000).unref();
    if (this.ready) void tuning.prepare(installation, signal);
  }
}
