import { RingError } from './ring-error.js';

export interface SlotRequest {
  /** `high` for the further runs of a decode that has begun, `normal` for everything else. */
  priority: 'high' | 'normal';
  /** Whose run it is; the clients take turns. */
  client: string;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
  /** Learns how many seconds the wait has taken, also when the signal has ended it. */
  onWait?: (seconds: number) => void;
}

/** The queue of all runs with high priority, in the map of the clients' queues. */
const HIGH_PRIORITY = Symbol('high priority');

/** Whose turn it is: a client's, or that of all runs with high priority. */
type Turn = string | typeof HIGH_PRIORITY;

/** Waiting runs in the order of arrival, each by the function that starts it. */
type Queue = Set<() => void>;

/**
 * Bounds the concurrent ring processes of decodes and of the JVM's tuning; polls run beside them. High priority goes
 * first, because finishing a decode frees a client sooner than starting another; within normal priority the clients take
 * turns.
 */
export class RingSlots {
  private busy = 0;
  /** The queues that are not empty. A Map keeps the order of insertion, so the first client is the next one. */
  private readonly waiting = new Map<Turn, Queue>();

  constructor(readonly concurrency: number) {}

  get running(): number {
    return this.busy;
  }

  /** Runs with normal priority that wait: decodes before their first run, and the tuning of the JVM. */
  get queued(): number {
    let count = 0;
    for (const [turn, queue] of this.waiting) {
      if (turn !== HIGH_PRIORITY) count += queue.size;
    }
    return count;
  }

  /**
   * Runs the task in a slot, which is freed when the task has ended.
   * @throws {RingError} `aborted`, when the signal aborts during the wait
   */
  async use<T>(request: SlotRequest, task: () => Promise<T>): Promise<T> {
    const waitsSince = performance.now();
    try {
      await this.takeSlot(request);
    } finally {
      const waited = performance.now() - waitsSince;
      request.onWait?.(waited / 1000);
    }

    try {
      return await task();
    } finally {
      // The next runs of the same decode are requested only after this promise has settled. Freeing the slot a little
      // later lets them queue up before another decode gets it.
      setImmediate(() => this.release());
    }
  }

  private async takeSlot(request: SlotRequest): Promise<void> {
    if (this.busy < this.concurrency) {
      this.busy += 1;
      return;
    }
    await this.wait(request);
  }

  /** Resolves when another run has handed its slot over. */
  private async wait({ priority, client, signal }: SlotRequest): Promise<void> {
    const { promise, resolve: start, reject } = Promise.withResolvers<undefined>();
    const begin = () => start(undefined);
    const leave = () => reject(new RingError('aborted', 'aborted while waiting for a slot'));
    const turn = priority === 'high' ? HIGH_PRIORITY : client;
    const queue = this.enqueue(turn, begin);

    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
      queue.delete(begin);
      // The client may have a new queue by now, which must stay.
      const isCurrent = this.waiting.get(turn) === queue;
      if (isCurrent && queue.size === 0) this.waiting.delete(turn);
    }
  }

  private enqueue(turn: Turn, begin: () => void): Queue {
    const queue: Queue = this.waiting.get(turn) ?? new Set();
    queue.add(begin);
    this.waiting.set(turn, queue);
    return queue;
  }

  /** Hands the slot to the next run that waits. It stays taken in between, so that no newcomer can overtake. */
  private release(): void {
    const begin = this.takeNext();
    if (begin) begin();
    else this.busy -= 1;
  }

  /** Removes the next run from its queue, and puts its client behind the others. */
  private takeNext(): (() => void) | undefined {
    const turn = this.nextTurn();
    if (turn === undefined) return undefined;

    const queue: Queue = this.waiting.get(turn) ?? new Set();
    const [begin] = queue;
    if (begin) queue.delete(begin);
    this.waiting.delete(turn);
    if (queue.size > 0) this.waiting.set(turn, queue);
    return begin;
  }

  private nextTurn(): Turn | undefined {
    if (this.waiting.has(HIGH_PRIORITY)) return HIGH_PRIORITY;
    const [firstClient] = this.waiting.keys();
    return firstClient;
  }
}
