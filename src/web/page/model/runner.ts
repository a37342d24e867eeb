import { effect, type ReadonlySignal } from '@preact/signals';
import type { Language } from '../../../errors/catalog.js';
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

      // Sending changes the state, so this runs again until no more may be sent at a time.
      const next = nextToSend(state);
      if (next !== undefined) void this.send(next, state);
    });
  }

  private abortCanceled({ queue }: State): void {
    for (const [fingerprint, controller] of this.requests) {
      const isSent = queue.pending.get(fingerprint) === 'decoding';
      if (isSent) continue;

      this.requests.delete(fingerprint);
      controller.abort();
    }
  }

  private async send(fingerprint: string, { files, contents, access }: State): Promise<void> {
    const file = files.find((file) => file.fingerprint === fingerprint);
    const content = contents.get(fingerprint);
    if (!file || !content) return;

    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.timeoutMs);
    this.requests.set(fingerprint, controller);
    this.dispatch({ type: 'sent', fingerprint });

    const { outcome, answer } = await decode({
      name: file.name,
      bytes: content.bytes,
      language: this.language.value,
      token: access.token,
      signal: controller.signal,
    });
    clearTimeout(timer);

    // Else it was canceled, and perhaps asked for again since.
    const isWanted = this.requests.get(fingerprint) === controller;
    if (!isWanted) return;
    this.requests.delete(fingerprint);
    this.dispatch({ type: 'answered', fingerprint, outcome, answer });
  }
}
