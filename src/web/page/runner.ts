import type { Language } from '../../errors/catalog.js';
import { Access } from './access.js';
import { checkStatus, decode, type Outcome } from './connection.js';
import type { Inventory } from './inventory.js';
import type { Problem } from './problem.js';

/** Why nothing is sent. `until` is in milliseconds since the epoch. */
export type Pause =
  | { reason: 'limit'; until: number }
  /** The limit is 0, so that no waiting helps. */
  | { reason: 'token' }
  | { reason: 'outage'; problem: Problem; until: number };

/** Uploads at a time with a token; the service has a queue. */
const PARALLEL = 4;
/** Milliseconds between two checks of a service that is out of order, the last one for all further ones. */
const PROBE_MS = [2000, 5000, 10_000, 20_000, 30_000];
/** Attempts at a file during outages, after which the file itself counts as their cause. */
const MAX_ATTEMPTS = 3;

export interface RunnerOptions {
  access: Access;
  inventory: Inventory;
  language: () => Language;
  /** Milliseconds after which an unanswered request is given up. */
  timeoutMs: number;
  onChange: () => void;
}

/** Sends what waits in the inventory, and pauses when the limit is reached or the service is out of order. */
export class Runner {
  pause: Pause | undefined;
  /** Whether to go on by itself when the limit is renewed. */
  goesOnByItself = true;
  private readonly requests = new Map<number, AbortController>();
  private readonly attempts = new Map<number, number>();
  private probes = 0;
  private isProbing = false;
  private lastCanceled = new Set<number>();

  constructor(private readonly options: RunnerOptions) {}

  /** Sends as much as may be sent now. */
  run(): void {
    const { access, inventory } = this.options;
    while (!this.pause && this.requests.size < (access.isUnlimited ? PARALLEL : 1)) {
      const item = inventory.nextWaiting();
      if (!item) return;
      if (access.isUsedUp(Date.now())) this.waitForLimit();
      else void this.send(item.content, item.file);
    }
  }

  /** To be called every second or so: ends a pause whose time has come. */
  tick(): void {
    const { pause } = this;
    if (!pause || pause.reason === 'token' || Date.now() < pause.until) return;
    if (pause.reason === 'outage') void this.probe();
    else if (this.goesOnByItself) this.goOn();
  }

  /** Ends the pause, whatever its reason. */
  goOn(): void {
    const { access } = this.options;
    // What is known of the limit may be out of date.
    if (this.pause?.reason === 'limit') access.quota = { ...access.quota, remaining: 1 };
    this.pause = undefined;
    this.options.onChange();
    this.run();
  }

  useToken(text: string): void {
    const { access } = this.options;
    access.offer(text);
    if (access.candidate !== undefined && this.pause?.reason !== 'outage') this.pause = undefined;
    this.options.onChange();
    this.run();
  }

  forgetToken(): void {
    this.options.access.forget();
    this.options.onChange();
  }

  retry(contents: ReadonlySet<number>): void {
    for (const content of contents) this.attempts.delete(content);
    this.options.inventory.setAll(contents, { name: 'waiting' });
    this.run();
  }

  cancel(contents: ReadonlySet<number>): void {
    this.options.inventory.setAll(contents, { name: 'canceled' });
    for (const content of contents) {
      this.requests.get(content)?.abort();
      this.requests.delete(content);
    }
    this.lastCanceled = new Set(contents);
    this.run();
  }

  /** How many files the last cancellation stopped that are still canceled. */
  canceledCount(): number {
    return this.stillCanceled().size;
  }

  undoCancel(): void {
    this.retry(this.stillCanceled());
  }

  private stillCanceled(): Set<number> {
    const { inventory } = this.options;
    return new Set(
      [...this.lastCanceled].filter((content) => inventory.stateOf(content)?.name === 'canceled'),
    );
  }

  private async send(content: number, file: File): Promise<void> {
    const { access, inventory, language, timeoutMs } = this.options;
    const token = access.current;
    const controller = new AbortController();
    this.requests.set(content, controller);
    inventory.set(content, { name: 'decoding' });
    const { signal } = controller;
    const { outcome, answer } = await decode({ file, token, language: language(), signal, timeoutMs });
    if (answer) access.learn(token, answer, Date.now());
    // Canceled, and perhaps sent again since.
    if (this.requests.get(content) !== controller) return;
    this.requests.delete(content);
    this.settle(content, outcome, token);
    this.run();
  }

  private settle(content: number, outcome: Outcome, sent: string | undefined): void {
    const { access, inventory } = this.options;
    if (outcome.name === 'limited') {
      inventory.set(content, { name: 'waiting' });
      // With another token since, the limit may not apply any more.
      if (access.current === sent || access.current === undefined) this.waitForLimit();
    } else if (outcome.name === 'outage') {
      const attempts = (this.attempts.get(content) ?? 0) + 1;
      this.attempts.set(content, attempts);
      if (attempts < MAX_ATTEMPTS) inventory.set(content, { name: 'waiting' });
      else inventory.set(content, { name: 'failed', problem: outcome.problem, canRetry: true });
      // Of several requests that fail together, the first one pauses.
      if (this.pause?.reason === 'outage') return;
      const wait = Math.max(outcome.retryAfter * 1000, this.nextProbeMs());
      this.pause = { reason: 'outage', problem: outcome.problem, until: Date.now() + wait };
      this.options.onChange();
    } else {
      this.probes = 0;
      inventory.set(content, outcome);
    }
  }

  private waitForLimit(): void {
    const { quota, current } = this.options.access;
    this.pause =
      quota.limit === 0 && current === undefined
        ? { reason: 'token' }
        : { reason: 'limit', until: quota.resetAt };
    this.options.onChange();
  }

  private nextProbeMs(): number {
    const wait = PROBE_MS[Math.min(this.probes, PROBE_MS.length - 1)] ?? 0;
    this.probes += 1;
    return wait;
  }

  private async probe(): Promise<void> {
    if (this.isProbing) return;
    this.isProbing = true;
    const { isReady } = await checkStatus();
    this.isProbing = false;
    const { pause } = this;
    if (pause?.reason !== 'outage') return;
    if (isReady) this.goOn();
    else this.pause = { ...pause, until: Date.now() + this.nextProbeMs() };
    this.options.onChange();
  }
}
