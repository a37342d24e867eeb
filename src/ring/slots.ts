import { RunError } from './run.js';

/** All slots are taken and as many decodes wait as may. */
export class QueueFullError extends Error {}

interface Waiter {
  start: () => void;
}

/**
 * Bounds how many runs of ring go on at a time. Runs of decodes already begun go before new decodes:
 * finishing what is half done frees a client sooner than starting one more.
 */
export class RingSlots {
  private busy = 0;
  private readonly waiting: Record<'begun' | 'new', Set<Waiter>> = { begun: new Set(), new: new Set() };

  constructor(
    private readonly concurrency: number,
    private readonly queueLimit: number,
    /** Told the seconds that each task waited. */
    private readonly onStart: (waitedSeconds: number) => void = () => undefined,
  ) {}

  /** True when a new decode would be refused. */
  get full(): boolean {
    return this.busy >= this.concurrency && this.waiting.new.size >= this.queueLimit;
  }

  /** Slots that are taken. */
  get running(): number {
    return this.busy;
  }

  /** Decodes that wait for their first run. */
  get queued(): number {
    return this.waiting.new.size;
  }

  /**
   * Runs the task in a slot, which is free again only when the task has ended.
   * @throws {QueueFullError} at once when the task is its decode's first and too many wait already
   * @throws {RunError} `aborted`, when the signal aborts while the task waits
   */
  async use<T>(stage: 'begun' | 'new', signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const since = performance.now();
    if (this.busy < this.concurrency) this.busy++;
    else await this.wait(stage, signal);
    this.onStart((performance.now() - since) / 1000);
    try {
      return await task();
    } finally {
      // Not at once: a decode's next runs must be able to queue up before a new decode gets the slot.
      setImmediate(() => {
        this.release();
      });
    }
  }

  private async wait(stage: 'begun' | 'new', signal: AbortSignal): Promise<void> {
    if (stage === 'new' && this.full) throw new QueueFullError();
    const queue = this.waiting[stage];
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiter = {
      start: () => {
        resolve(undefined);
      },
    };
    const leave = () => {
      reject(new RunError('aborted', 'aborted while it waited for a slot'));
    };
    queue.add(waiter);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      await promise;
    } finally {
      queue.delete(waiter);
      signal.removeEventListener('abort', leave);
    }
  }

  /** Hands the slot to the next waiter, so that no newcomer can take it in between. */
  private release(): void {
    const next = this.take(this.waiting.begun) ?? this.take(this.waiting.new);
    if (next) next.start();
    else this.busy--;
  }

  private take(queue: Set<Waiter>): Waiter | undefined {
    const [first] = queue;
    if (first) queue.delete(first);
    return first;
  }
}
