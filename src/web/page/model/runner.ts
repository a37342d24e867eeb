import { batch, signal, type ReadonlySignal } from '@preact/signals';
import type { Language } from '../../../errors/catalog.js';
import type { Access } from './access.js';
import { checkStatus, decode, type Outcome } from './connection.js';
import type { Inventory } from './inventory.js';
import type { License } from './license.js';
import type { Problem } from './problem.js';

/** Why nothing is sent, and until when, in milliseconds since the epoch. */
export interface Pause {
  problem: Problem;
  until: number;
}

/** Uploads at a time with a token; the service has a queue. */
const PARALLEL = 4;
/** Milliseconds between two checks of a service that is out of order, the last one for all further ones. */
const PROBE_MS = [2000, 5000, 10_000, 20_000, 30_000];
/** Attempts at a file during outages, after which the file itself counts as their cause. */
const MAX_ATTEMPTS = 3;

/** Sends what waits in the inventory, within the limit, and pauses when the service is out of order. */
export class Runner {
  readonly pause = signal<Pause | undefined>();
  /** How many readings of several files have ended or paused. */
  readonly readings = signal(0);
  private isSeveral = false;
  /** What was asked for and is not decided, in this order. */
  private readonly queue = new Set<License>();
  private readonly requests = new Map<License, AbortController>();
  private readonly attempts = new WeakMap<License, number>();
  private hadToken = false;
  private probes = 0;
  private isProbing = false;

  /** @param timeoutMs milliseconds after which an unanswered request is given up */
  constructor(
    private readonly access: Access,
    private readonly inventory: Inventory,
    private readonly language: ReadonlySignal<Language>,
    private readonly timeoutMs: number,
  ) {}

  /** Has these licenses read in their order, as many as the limit suffices for; the others stay as they are. */
  read(licenses: Iterable<License>): void {
    // First what a lost token leaves behind.
    this.releaseSurplus();
    const left = this.access.left(Date.now()) - this.inventory.pending.value.size;
    const asked = [...new Set(licenses)].filter(({ canBeAsked }) => canBeAsked).slice(0, Math.max(0, left));
    if (asked.length > 1) this.isSeveral = true;
    batch(() => {
      for (const license of asked) {
        license.wait();
        this.attempts.delete(license);
        this.queue.add(license);
      }
    });
    this.run();
  }

  /** Cancels those of these licenses that are not decided yet. */
  cancel(licenses: Iterable<License>): void {
    batch(() => {
      for (const license of licenses) this.forget(license);
    });
    this.run();
  }

  private forget(license: License): void {
    this.queue.delete(license);
    this.requests.get(license)?.abort();
    this.requests.delete(license);
    license.release();
  }

  /** Ends the pause. */
  goOn(): void {
    this.pause.value = undefined;
    this.isSeveral = this.inventory.pending.value.size > 1;
    this.run();
  }

  /** To be called every second or so: looks after the service when a pause is over, and for what has left the list. */
  tick(): void {
    if (!this.pause.value) this.run();
    else if (Date.now() >= this.pause.value.until) void this.probe();
  }

  /** Sends as much as may be sent now. */
  private run(): void {
    const waiting = this.releaseSurplus();
    if (this.isSeveral && (this.pause.value || this.inventory.pending.value.size === 0)) {
      this.isSeveral = false;
      this.readings.value += 1;
    }
    while (!this.pause.value && this.requests.size < (this.access.isUnlimited.value ? PARALLEL : 1)) {
      const license = waiting.shift();
      if (!license?.file) return;
      void this.send(license, license.file);
    }
  }

  /**
   * Releases what the limit no longer suffices for, the last first: it waits until the user chooses. All of it when
   * the token is gone with which it was asked for.
   * @returns what still waits
   */
  private releaseSurplus(): License[] {
    const pending = this.inventory.pending.value;
    // What is decided, and what has left the list.
    for (const license of this.queue) if (!pending.has(license)) this.forget(license);
    const waiting = [...this.queue].filter(({ state }) => state.name === 'waiting');
    const surplus = pending.size - this.access.left(Date.now());
    const hasToken = this.access.current.value !== undefined;
    const kept = this.hadToken && !hasToken ? 0 : Math.max(0, waiting.length - surplus);
    this.hadToken = hasToken;
    batch(() => {
      for (const license of surplus > 0 ? waiting.splice(kept) : []) license.release();
    });
    return waiting;
  }

  private async send(license: License, file: File): Promise<void> {
    const { access } = this;
    const token = access.current.value;
    const language = this.language.value;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.timeoutMs);
    this.requests.set(license, controller);
    license.send();
    const { outcome, answer } = await decode({ file, language, token, signal: controller.signal });
    clearTimeout(timer);
    batch(() => {
      if (answer) access.learn(token, answer, Date.now());
      // Else canceled, and perhaps sent again since.
      if (this.requests.get(license) !== controller) return;
      this.requests.delete(license);
      this.settle(license, outcome, token);
    });
    this.run();
  }

  private settle(license: License, outcome: Outcome, sent: string | undefined): void {
    if (outcome.name === 'limited') {
      license.wait();
      // A proxy before the service may have a limit that no token lifts.
      if (sent !== undefined && sent === this.access.current.value) {
        this.pause.value = { problem: { key: 'limitReached' }, until: this.access.quota.value.resetAt };
      }
    } else if (outcome.name === 'outage') {
      const { problem, retryAfter, mayBeFile } = outcome;
      const attempts = (this.attempts.get(license) ?? 0) + Number(mayBeFile);
      this.attempts.set(license, attempts);
      if (attempts < MAX_ATTEMPTS) license.wait();
      else license.fail({ problem, canRetry: true });
      // Of several requests that fail together, the first one pauses.
      if (this.pause.value) return;
      this.pause.value = { problem, until: Date.now() + Math.max(retryAfter * 1000, this.nextProbeMs()) };
    } else {
      this.probes = 0;
      if (outcome.name === 'done') license.finish(outcome.result);
      else license.fail(outcome.failure);
    }
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
    if (!this.pause.value) return;
    if (isReady) this.goOn();
    else this.pause.value = { ...this.pause.value, until: Date.now() + this.nextProbeMs() };
  }
}
