import { batch, effect, type ReadonlySignal } from '@preact/signals';
import type { Language } from '../../../errors/catalog.js';
import { tokenToSend } from './access.js';
import { decode } from './connection.js';
import { nextToSend } from './queue.js';
import type { Action, State } from './state.js';

/** Sends what the queue in the state says, and tells the state how that ended. It decides nothing itself. */
export class Runner {
  private readonly requests = new Map<string, AbortController>();

  /** @param timeoutMs milliseconds after which an unanswered request is given up */
  constructor(
    private readonly state: ReadonlySignal<State>,
    private readonly dispatch: (action: Action) => void,
    private readonly language: ReadonlySignal<Language>,
    private readonly timeoutMs: number,
  ) {}

  /** Follows the state from now on. */
  start(): void {
    effect(() => {
      const state = this.state.value;
      this.abortCanceled(state);
      const next = nextToSend(state);
      if (next !== undefined) void this.send(next, state);
    });
  }

  private abortCanceled({ queue }: State): void {
    for (const [contentKey, controller] of this.requests) {
      if (queue.sent.includes(contentKey)) continue;
      this.requests.delete(contentKey);
      controller.abort();
    }
  }

  private async send(contentKey: string, state: State): Promise<void> {
    const copies = state.files.filter((file) => file.contentKey === contentKey).map(({ file }) => file);
    const token = tokenToSend(state.access);
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.timeoutMs);
    this.requests.set(contentKey, controller);
    this.dispatch({ type: 'sent', contentKey, now: Date.now() });
    const { signal } = controller;
    const { outcome, answer } = await decode({ copies, language: this.language.value, token, signal });
    clearTimeout(timer);

    const now = Date.now();
    batch(() => {
      if (answer) this.dispatch({ type: 'accessLearned', answer, token, now });
      // Else it was canceled, and perhaps asked for again since.
      const isWanted = this.requests.get(contentKey) === controller;
      if (!isWanted) return;
      this.requests.delete(contentKey);
      this.dispatch({ type: 'answered', contentKey, outcome, token, now });
    });
  }
}
