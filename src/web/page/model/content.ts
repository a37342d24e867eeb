import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { combine, ofAnswer, type Decoded, type License, type Source } from './license.js';
import type { Problem } from './problem.js';

/** Why the service did not read it. */
export interface Failure {
  problem: Problem;
  canRetry: boolean;
}

/** `unread` and `canceled` are sent only when the user asks for them. */
export type State =
  | { name: 'unread' | 'canceled' | 'decoding' | 'done' }
  /** With the reason why an earlier attempt failed. */
  | { name: 'waiting'; failure?: Failure }
  | ({ name: 'failed' } & Failure);
export type StateName = State['name'];

/** What can happen to a content, and in which states. */
const EVENTS = {
  asked: ['unread', 'canceled', 'failed'],
  /** The limit does not suffice for it. */
  released: ['waiting'],
  sent: ['waiting'],
  /** The limit or an outage stopped it. */
  postponed: ['decoding'],
  canceled: ['waiting', 'decoding'],
  done: ['decoding'],
  failed: ['decoding'],
} as const satisfies Record<string, readonly StateName[]>;

/**
 * Bytes that the user gave, in one file or several, or that only a list knows: what is learned of them holds for all
 * rows that have them.
 */
export class Content {
  readonly state: ReadonlySignal<State>;
  /** What is known of the license. */
  readonly license: ReadonlySignal<License>;
  /** The whole answer of the service. */
  readonly answer: ReadonlySignal<Decoded | undefined>;
  private readonly current = signal<State>({ name: 'unread' });
  private readonly sources;
  private readonly answered = signal<Decoded | undefined>();

  /**
   * @param file null when there is nothing to send
   * @param failure why the file cannot be sent
   */
  constructor(
    readonly file: File | null,
    sources: readonly Source[] = [],
    failure?: Failure,
  ) {
    if (failure) this.current.value = { name: 'failed', ...failure };
    this.state = this.current;
    this.answer = this.answered;
    this.sources = signal(sources);
    this.license = computed(() => combine(this.sources.value));
  }

  /** Whether the service can be asked to read it. */
  get canBeAsked(): boolean {
    const state = this.state.value;
    return this.file !== null && allows('asked', state) && (state.name !== 'failed' || state.canRetry);
  }

  /** The user wants it read. */
  ask(): void {
    const state = this.state.value;
    if (this.canBeAsked)
      this.enter('asked', { name: 'waiting', ...(state.name === 'failed' && { failure: state }) });
  }

  release(): void {
    const state = this.state.value;
    const failure = state.name === 'waiting' ? state.failure : undefined;
    this.enter('released', failure ? { name: 'failed', ...failure } : { name: 'unread' });
  }

  send(): void {
    this.enter('sent', { name: 'decoding' });
  }

  postpone(): void {
    this.enter('postponed', { name: 'waiting' });
  }

  /** @returns whether there was something to cancel */
  cancel(): boolean {
    return this.enter('canceled', { name: 'canceled' });
  }

  finish(answer: Decoded): void {
    if (!this.enter('done', { name: 'done' })) return;
    this.answered.value = answer;
    this.sources.value = [...this.sources.value, ofAnswer(answer)];
  }

  fail(failure: Failure): void {
    this.enter('failed', { name: 'failed', ...failure });
  }

  private enter(event: keyof typeof EVENTS, next: State): boolean {
    if (!allows(event, this.state.value)) return false;
    this.current.value = next;
    return true;
  }
}

const allows = (event: keyof typeof EVENTS, { name }: State) =>
  (EVENTS[event] as readonly StateName[]).includes(name);
