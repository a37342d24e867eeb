import { once } from 'node:events';
import type { RingSettings } from '../environment.js';
import type { JvmTuning } from '../jvm/tuning.js';
import type { RunOptions } from '../run.js';
import { canDecode, findInstallation, type Installation } from './installation.js';
import { findRing } from './locate.js';

/** A ring to run. */
export interface FoundRing extends Pick<RunOptions, 'launcher' | 'language' | 'env' | 'jvmOptions'> {
  /** What ring calls its license module. */
  module: string;
}

export interface MonitorOptions extends RingSettings {
  /** Seconds between two polls. */
  ttlSeconds: number;
  /** Is prepared for what each poll finds. */
  tuning: JvmTuning;
  /** Gets what each poll finds. */
  onPoll: (installation: Installation) => void;
}

/**
 * Knows which Java, ring and license module are installed. Polls them in the background, so that neither a health check
 * nor a decode starts a JVM for it, and a tool that is installed later is noticed.
 */
export class InstallationMonitor {
  private last: Installation | undefined;
  private polling: Promise<void> | undefined;
  private readonly stopped = new AbortController();

  constructor(private readonly options: MonitorOptions) {}

  /** Polls now and then every `ttlSeconds`. */
  start(): void {
    if (this.stopped.signal.aborted) return;
    void this.poll().then(() => setTimeout(() => this.start(), this.options.ttlSeconds * 1000).unref());
  }

  /** Ends readiness, polling and tuning for good, with the runs in progress. */
  stop(): void {
    this.stopped.abort();
  }

  /** True when the last poll found everything, until {@link stop}. */
  get ready(): boolean {
    return this.last !== undefined && canDecode(this.last) && !this.stopped.signal.aborted;
  }

  /** What the last poll found; waits only for the very first one. */
  async installation(): Promise<Installation | undefined> {
    if (!this.last) await this.poll();
    return this.last;
  }

  /**
   * The ring to run, found anew, so that one installed later needs no poll, and its module as last known.
   * @param signal ends the wait for the very first poll
   */
  async findRing(signal: AbortSignal): Promise<FoundRing | undefined> {
    const { command, env, language, module, tuning } = this.options;
    const launcher = await findRing(command, env);
    if (!launcher) return undefined;
    await orAborted(this.installation(), signal);
    const name = this.last?.module?.name ?? module ?? 'license';
    return { launcher, module: name, language, env, jvmOptions: tuning.jvmOptions };
  }

  /**
   * Whether ring has this module: asks once more, unless a problem is known, because ring may have been replaced.
   * @param signal ends the wait
   */
  async confirmModule(name: string, signal: AbortSignal): Promise<boolean> {
    await orAborted(this.askForModule(), signal);
    const module = this.last?.module;
    return this.ready && module?.name === name && module.identity !== '';
  }

  private async askForModule(): Promise<void> {
    // It may have asked before ring was replaced.
    await this.polling;
    const { last } = this;
    if (last?.module && canDecode(last)) {
      await this.poll({ ...last, module: { ...last.module, identity: '' } });
    }
  }

  private poll(last = this.last): Promise<void> {
    this.polling ??= this.find(last).finally(() => (this.polling = undefined));
    return this.polling;
  }

  private async find(last: Installation | undefined): Promise<void> {
    const { signal } = this.stopped;
    const installation = await findInstallation({ ...this.options, signal }, last);
    if (signal.aborted) return;
    this.last = installation;
    this.options.onPoll(installation);
    if (this.ready) void this.options.tuning.prepare(installation, signal);
  }
}

/** Waits for a poll or the signal. The poll goes on, because others may wait for it too. */
async function orAborted(poll: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await Promise.race([poll, signal.aborted || once(signal, 'abort')]);
}
