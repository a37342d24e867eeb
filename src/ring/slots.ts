import { RunError } from './run.js';

export interface SlotRequest {
  /** `high` for the further runs of a decode that has begun, `normal` for everything else. */
  priority: 'high' | 'normal';
  /** Whose run it is; the clients take turns. */
  client: string;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/** Starts a run that waits. */
type Start = () => void;

/**
 * Bounds the concurrent ring processes. High priority goes first, because finishing a decode frees a client sooner
 * than starting another; within normal priority the clients take turns.
 */
export class RingSlots {
  private busy = 0;
  private readonly high = new Set<Start>();
  /** The waiting runs of each client, the client whose turn is next first. */
  private readonly normal = new Map<string, Set<Start>>();

  constructor(private readonly concurrency: number) {}

  /** Slots in use. */
  get running(): number {
    return this.busy;
  }

  /** Runs with normal priority that wait: decodes before their first run, and the tuning of the JVM. */
  get queued(): number {
    return [...this.normal.values()].reduce((sum, waiters) => sum + waiters.size, 0);
  }

  /**
   * Runs the task in a slot, which is freed when the task has ended.
   * @throws {RunError} `aborted`, when the signal aborts during the wait
   */
  async use<T>(request: SlotRequest, task: () => Promise<T>): Promise<T> {
    if (this.busy < this.concurrency) this.busy++;
    else await this.wait(request);
    try {
      return await task();
    } finally {
      // Later, so that the next runs of the same decode can queue up before another decode gets the slot.
      setImmediate(() => this.release());
    }
  }

  private async wait({ priority, client, signal }: SlotRequest): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const start: Start = () => resolve(undefined);
    const leave = () => reject(new RunError('aborted', 'aborted while waiting for a slot'));
    const queue = priority === 'high' ? this.high : (this.normal.get(client) ?? new Set());
    queue.add(start);
    if (priority === 'normal') this.normal.set(client, queue);
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
    try {
      await promise;
    } finally {
      queue.delete(start);
      if (queue.size === 0 && this.normal.get(client) === queue) this.normal.delete(client);
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Hands the slot to the next waiter, so that nobody can take it in between. */
  private release(): void {
    const start = this.takeHigh() ?? this.takeNormal();
    if (start) start();
    else this.busy--;
  }

  private takeHigh(): Start | undefined {
    const [first] = this.high;
    if (first) this.high.delete(first);
    return first;
  }

  private takeNormal(): Start | undefined {
    for (const [client, waiters] of this.normal) {
      const [first] = waiters;
      this.normal.delete(client);
      if (!first) continue;
      waiters.delete(first);
      // To the end of the line.
      if (waiters.size > 0) this.normal.set(client, waiters);
      return first;
    }
    return undefined;
  }
}
