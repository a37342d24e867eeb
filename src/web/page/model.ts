import type { Language } from '../../errors/catalog.js';
import { Access } from './access.js';
import type { ChosenFile } from './dropped-files.js';
import { Inventory } from './inventory.js';
import { Runner } from './runner.js';

/** Milliseconds after the service's own limit for a decode in which its answer must have arrived. */
const ANSWER_MARGIN_MS = 30_000;
/** Milliseconds between two updates of the page while files are read. */
const UPDATE_MS = 100;

export interface ModelSettings {
  language: Language;
  /** Files per window without a token. */
  limit: number;
  windowSeconds: number;
  /** Milliseconds in which the service decides on a file. */
  timeoutMs: number;
}

/** All that the page knows; it has no part in how that is shown. */
export class Model {
  language: Language;
  readonly windowSeconds: number;
  readonly access: Access;
  readonly inventory: Inventory;
  readonly runner: Runner;
  private readonly listeners = new Set<() => void>();
  private hasChanged = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ language, limit, windowSeconds, timeoutMs }: ModelSettings) {
    this.language = language;
    this.windowSeconds = windowSeconds;
    this.access = new Access(limit);
    this.inventory = new Inventory(this.notify);
    this.runner = new Runner({
      access: this.access,
      inventory: this.inventory,
      language: () => this.language,
      timeoutMs: timeoutMs + ANSWER_MARGIN_MS,
      onChange: this.notify,
    });
  }

  /** Adds files; those at hand are sent at once. */
  async add(files: readonly ChosenFile[]): Promise<void> {
    await this.inventory.add(files);
    this.runner.run();
  }

  /** @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Tells the listeners of a change at once, and of those that follow soon after together. */
  readonly notify = (): void => {
    if (this.timer !== undefined) {
      this.hasChanged = true;
      return;
    }
    this.hasChanged = false;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.hasChanged) this.notify();
    }, UPDATE_MS);
    for (const listener of this.listeners) listener();
  };
}
