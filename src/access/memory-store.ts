import type { LimitStore, Usage } from './limit-store.js';

/** Clients that are remembered, in about 20 MB of the 128 MB of heap that `npm start` allows. */
const MAX_CLIENTS = 100_000;

interface Window {
  hits: number;
  /** In milliseconds of `performance.now()`, which goes on evenly when somebody sets the clock. */
  endsAt: number;
}

/** Counts in this process. A request that a proxy repeats at another replica counts in each of them. */
export class MemoryStore implements LimitStore {
  /** All windows are of one length and are added as they begin. So the first one of the map ends first. */
  private readonly windows = new Map<string, Window>();

  constructor(private readonly windowMs: number) {}

  // eslint-disable-next-line @typescript-eslint/require-await -- Redis makes the interface asynchronous.
  async count(client: string): Promise<Usage> {
    this.forgetEnded();
    const window = this.windows.get(client) ?? this.begin(client);
    window.hits += 1;
    return usageOf(window);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- Redis makes the interface asynchronous.
  async peek(client: string): Promise<Usage> {
    this.forgetEnded();
    const window = this.windows.get(client);
    return window ? usageOf(window) : { hits: 0, leftMs: this.windowMs };
  }

  private begin(client: string): Window {
    const [oldest] = this.windows.keys();
    const isFull = this.windows.size >= MAX_CLIENTS;
    if (isFull && oldest !== undefined) this.windows.delete(oldest);

    const window = { hits: 0, endsAt: performance.now() + this.windowMs };
    this.windows.set(client, window);
    return window;
  }

  private forgetEnded(): void {
    const now = performance.now();
    for (const [client, { endsAt }] of this.windows) {
      if (endsAt > now) return;
      this.windows.delete(client);
    }
  }
}

function usageOf({ hits, endsAt }: Window): Usage {
  return { hits, leftMs: endsAt - performance.now() };
}
