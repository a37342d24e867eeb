import { effect, type ReadonlySignal } from '@preact/signals';
import type { Language } from '../../../errors/catalog.js';
import { decode } from './connection.js';
import { isCheckDue, nextToSend } from './queue.js';
import type { Action, State } from './state.js';

/** What the runner follows, and where it tells how its requests ended. */
interface Followed {
  readonly state: ReadonlySignal<State>;
  /** Milliseconds since the epoch. */
  readonly now: ReadonlySignal<number>;
  readonly dispatch: (action: Action) => void;
  /** Asks the service for its status. */
  readonly checkService: () => Promise<unknown>;
}

/** Sends what the queue in the state says, and tells the state how that ended. It decides nothing itself. */
export class Runner {
  private readonly requests = new Map<string, AbortController>();

  /** @param timeoutMs milliseconds after which an unanswered request is given up */
  constructor(
    private readonly store: Followed,
    private readonly language: ReadonlySignal<Language>,
    private readonly timeoutMs: number,
  ) {}

  /** Follows the state and the clock from now on. */
  start(): void {
    effect(() => {
      const state = this.store.state.value;
      const now = this.store.now.value;
      this.abortCanceled(state);
      if (isCheckDue(state, now)) {
        this.store.dispatch({ type: 'checkStarted' });
        void this.store.checkService();
      }

      // Sending changes the state, so this runs again until no more may be sent at a time.
      const next = nextToSend(state, now);
      if (next !== undefined) void this.send(next, state);
    });
  }

  private abortCanceled({ queue }: State): void {
    for (const [fingerprint, controller] of this.requests) {
      const isSent = queue.pending.get(fingerprint)?.status === 'reading';
      if (isSent) continue;

      this.requests.delete(fingerprint);
      controller.abort();
    }
  }

  private async send(fingerprint: string, { contents, access }: State): Promise<void> {
    const content = contents.get(fingerprint);
    if (!content) return;

    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.timeoutMs);
    this.requests.set(fingerprint, controller);
    this.store.dispatch({ type: 'sent', fingerprint });

    const { outcome, answer } = await decode({
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
    this.store.dispatch({ type: 'answered', fingerprint, outcome, answer });
  }
}
