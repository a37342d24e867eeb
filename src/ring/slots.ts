import { RingError } from './ring-error.js';

export interface SlotRequest {
  /** `high` for the further runs of a decode that has begun, `normal` for everything else. */
  priority: 'high' | 'normal';
  /** Whose run it is; the clients take turns. */
  client: string;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/** Stands for all clients whose runs have high priority. */
const HIGH = Symbol('high');

/**
 * Bounds the concurrent ring processes. High priority goes first, because finishing a decode frees a client sooner
 * than starting another; within normal priority the clients take turns.
 */
export class RingSlots {
  private busy = 0;
  /** Starts the waiting runs of each client; the next client comes first. */
  private readonly waiting = new Map<string | typeof HIGH, Set<(value: undefined) => void>>();

  constructor(readonly concurrency: number) {}

  get running(): number {
    return this.busy;
  }

  /** Runs with normal priority that wait: decodes before their first run, and the tuning of the JVM. */
  get queued(): number {
    return [...this.waiting].reduce((sum, [client, runs]) => (client === HIGH ? sum : sum + runs.size), 0);
  }

  /**
   * Runs the task in a slot, which is freed when the task has ended.
   * @throws {RingError} `aborted`, when the signal aborts during the wait
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
    const { promise, resolve: start, reject } = Promise.withResolvers<undefined>();
    const leave = () => reject(new RingError('aborted', 'aborted while waiting for a slot'));
    const turn = priority === 'high' ? HIGH : client;
    const queue = this.waiting.get(turn) ?? new Set();
    queue.add(start);
    this.waiting.set(turn, queue);
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
    try {
      await promise;
    } finally {
      queue.delete(start);
      if (queue.size === 0 && this.waiting.get(turn) === queue) this.waiting.delete(turn);
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Hands the slot to the next waiter, so that nobody can take it in between. */
  private release(): void {
    const [turn = HIGH] = this.waiting.has(HIGH) ? [HIGH] : this.waiting.keys();
    const queue = this.waiting.get(turn) ?? new Set();
    const [start] = queue;
    if (!start) {
      this.busy--;
      return;
    }
    queue.delete(start);
    this.waiting.delete(turn);
    // To the end of the queue.
    if (queue.size > 0) this.waiting.set(turn, queue);
    start(undefined);
  }
}
