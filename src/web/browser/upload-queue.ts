import type { Decoded, Failure, Outcome } from './connection.js';

export type ItemState =
  { name: 'waiting' | 'decoding' | 'canceled' } | { name: 'done'; result: Decoded } | Failure;

/** A file that the user gave, and what has become of it. */
export interface Item {
  readonly id: number;
  readonly file: File;
  state: ItemState;
}

/** Decodes files one after another, in the order in which they came; pauses at the limit. */
export class UploadQueue {
  readonly items: Item[] = [];
  /** The limit is reached; files wait for `resume`. */
  isPaused = false;
  private request: AbortController | undefined;

  constructor(
    private readonly decode: (file: File, signal: AbortSignal) => Promise<Outcome>,
    private readonly onChange: (item: Item) => void,
  ) {}

  add(files: Iterable<File>): void {
    for (const file of files) {
      const item: Item = { id: this.items.length + 1, file, state: { name: 'waiting' } };
      this.items.push(item);
      this.onChange(item);
    }
    void this.run();
  }

  retry(item: Item): void {
    this.set(item, { name: 'waiting' });
    void this.run();
  }

  cancel(item: Item): void {
    const wasDecoding = item.state.name === 'decoding';
    this.set(item, { name: 'canceled' });
    if (wasDecoding) this.request?.abort();
  }

  /** Items that are not decided yet. */
  pending(): Item[] {
    return this.items.filter(({ state }) => state.name === 'waiting' || state.name === 'decoding');
  }

  resume(): void {
    this.isPaused = false;
    void this.run();
  }

  private set(item: Item, state: ItemState): void {
    item.state = state;
    this.onChange(item);
  }

  private async run(): Promise<void> {
    const item = this.items.find(({ state }) => state.name === 'waiting');
    if (!item || this.request || this.isPaused) return;
    this.request = new AbortController();
    this.set(item, { name: 'decoding' });
    const outcome = await this.decode(item.file, this.request.signal);
    this.request = undefined;
    if (outcome.name === 'limited') this.isPaused = true;
    if (item.state.name === 'decoding')
      this.set(item, outcome.name === 'limited' ? { name: 'waiting' } : outcome);
    await this.run();
  }
}
