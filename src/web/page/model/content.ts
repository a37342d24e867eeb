import { computed, signal, type Signal } from '@preact/signals';
import { combine, ofAnswer, type Decoded, type Known, type Source } from './facts.js';
import type { Problem } from './problem.js';

/** Why the service did not read it. */
export interface Failure {
  problem: Problem;
  canRetry: boolean;
}

/** `unread` and `canceled` are sent only when the user asks for them, `unfit` never. What is asked again keeps its last failure. */
export type State =
  | { name: 'unread' | 'waiting' | 'decoding' | 'canceled' | 'done'; failure?: Failure | undefined }
  | { name: 'failed' | 'unfit'; failure: Failure };
export type StateName = State['name'];

interface Transition {
  from: readonly StateName[];
  to: StateName;
}

/** All that can happen to a content. */
const TRANSITIONS = {
  asked: { from: ['unread', 'canceled', 'failed'], to: 'waiting' },
  /** The limit does not suffice for it. After a failure it is failed again. */
  released: { from: ['waiting'], to: 'unread' },
  sent: { from: ['waiting'], to: 'decoding' },
  /** The limit or an outage stopped it. */
  postponed: { from: ['decoding'], to: 'waiting' },
  canceled: { from: ['waiting', 'decoding'], to: 'canceled' },
  done: { from: ['decoding'], to: 'done' },
  failed: { from: ['decoding'], to: 'failed' },
} satisfies Record<string, Transition>;
type Event = keyof typeof TRANSITIONS;

/**
 * Bytes that the user gave, in one file or several, or that only a list knows: what is learned of them holds for all
 * rows that have them.
 */
export class Content {
  private readonly current = signal<State>({ name: 'unread' });
  private readonly sources: Signal<readonly Source[]>;
  /** What a list of another day says of these bytes. */
  readonly listed = signal<Source | undefined>();
  private readonly combined = computed(() =>
    combine([...this.sources.value, ...(this.listed.value ? [this.listed.value] : [])]),
  );

  /**
   * @param file null when there is nothing to send
   * @param sources what is known, the most reliable first
   * @param failure why the file cannot be sent
   * @param fingerprint the same for the same bytes; null when it is not known
   */
  constructor(
    readonly file: File | null,
    sources: readonly Source[] = [],
    failure?: Failure,
    readonly fingerprint: string | null = null,
  ) {
    this.sources = signal(sources);
    if (failure) this.current.value = { name: failure.canRetry ? 'failed' : 'unfit', failure };
  }

  get state(): State {
    return this.current.value;
  }

  /** What is known of the license. */
  get license(): Known {
    return this.combined.value;
  }

  /** Whether the service can be asked to read it. */
  get canBeAsked(): boolean {
    const { name, failure } = this.state;
    return this.file !== null && allows('asked', name) && (name !== 'failed' || failure.canRetry);
  }

  /** @returns whether that could happen now; if not, nothing changes */
  happens(event: Exclude<Event, 'done' | 'failed'>): boolean {
    const { name, failure } = this.state;
    if (event === 'asked' ? !this.canBeAsked : !allows(event, name)) return false;
    const wasFailed = event === 'released' && failure !== undefined;
    this.current.value = wasFailed ? { name: 'failed', failure } : { name: TRANSITIONS[event].to, failure };
    return true;
  }

  finish(answer: Decoded): void {
    if (!allows('done', this.state.name)) return;
    this.current.value = { name: 'done' };
    this.sources.value = [ofAnswer(answer), ...this.sources.value];
  }

  fail(failure: Failure): void {
    if (allows('failed', this.state.name)) this.current.value = { name: 'failed', failure };
  }
}

const allows = (event: Event, name: StateName) =>
  (TRANSITIONS[event].from as readonly StateName[]).includes(name);
