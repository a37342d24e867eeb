import { batch, computed, signal } from '@preact/signals';
import type { Access } from './access.js';
import { checkStatus, decode, type Outcome } from './connection.js';
import type { Inventory } from './inventory.js';
import type { Content } from './item.js';
import { problem, type Problem } from './problem.js';

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
  /** What the last cancellation stopped and nobody has asked for since. */
  readonly canceled = computed(() =>
    this.lastCanceled.value.filter((content) => content.state.value.name === 'canceled'),
  );
  private readonly lastCanceled = signal<readonly Content[]>([]);
  private readonly requests = new Map<Content, AbortController>();
  private readonly attempts = new WeakMap<Content, number>();
  private probes = 0;
  private isProbing = false;

  /** @param timeoutMs milliseconds after which an unanswered request is given up */
  constructor(
    private readonly access: Access,
    private readonly inventory: Inventory,
    private readonly timeoutMs: number,
  ) {}

  /** Has these contents read: all of them when the limit suffices for that, else none. */
  read(contents: Iterable<Content>): void {
    batch(() => {
      for (const content of contents) {
        this.attempts.delete(content);
        content.state.value = { name: 'waiting' };
      }
    });
    this.run();
  }

  cancel(contents: ReadonlySet<Content>): void {
    batch(() => {
      for (const content of contents) {
        content.state.value = { name: 'canceled' };
        this.requests.get(content)?.abort();
        this.requests.delete(content);
      }
      this.lastCanceled.value = [...contents];
    });
    this.run();
  }

  /** Ends the pause. */
  goOn(): void {
    this.pause.value = undefined;
    this.run();
  }

  /** To be called every second or so: looks after the service when a pause is over, and for what came back to the list. */
  tick(): void {
    if (!this.pause.value) this.run();
    else if (Date.now() >= this.pause.value.until) void this.probe();
  }

  /** Sends as much as may be sent now. What the limit does not suffice for waits until the user chooses. */
  private run(): void {
    const { access, inventory, requests } = this;
    const pending = inventory.pending.value;
    if (pending.size > access.left(Date.now())) {
      batch(() => {
        for (const content of pending) {
          if (!requests.has(content)) content.state.value = { name: 'unread' };
        }
      });
    }
    while (!this.pause.value && requests.size < (access.isUnlimited.value ? PARALLEL : 1)) {
      const content = inventory.nextWaiting();
      if (!content) return;
      void this.send(content);
    }
  }

  private async send(content: Content): Promise<void> {
    const { access, timeoutMs } = this;
    const token = access.current.value;
    const controller = new AbortController();
    this.requests.set(content, controller);
    content.state.value = { name: 'decoding' };
    const { signal } = controller;
    const { outcome, answer } = await decode({ file: content.file, token, signal, timeoutMs });
    batch(() => {
      if (answer) access.learn(token, answer, Date.now());
      // Else canceled, and perhaps sent again since.
      if (this.requests.get(content) !== controller) return;
      this.requests.delete(content);
      this.settle(content, outcome, token);
    });
    this.run();
  }

  private settle(content: Content, outcome: Outcome, sent: string | undefined): void {
    if (outcome.name === 'limited') {
      content.state.value = { name: 'waiting' };
      // A proxy before the service may have a limit that no token lifts.
      if (sent !== undefined && sent === this.access.current.value) {
        this.pause.value = { problem: problem('limitReached'), until: this.access.quota.value.resetAt };
      }
    } else if (outcome.name === 'outage') {
      const attempts = (this.attempts.get(content) ?? 0) + 1;
      this.attempts.set(content, attempts);
      content.state.value =
        attempts < MAX_ATTEMPTS
          ? { name: 'waiting' }
          : { name: 'failed', problem: outcome.problem, canRetry: true };
      // Of several requests that fail together, the first one pauses.
      if (this.pause.value) return;
      const wait = Math.max(outcome.retryAfter * 1000, this.nextProbeMs());
      this.pause.value = { problem: outcome.problem, until: Date.now() + wait };
    } else {
      this.probes = 0;
      content.state.value = outcome;
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
