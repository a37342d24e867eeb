import { computed, signal, type Signal } from '@preact/signals';
import { combine, ofAnswer, type Decoded, type Known, type Source } from './facts.js';
import type { Problem } from './problem.js';

/** A file as the user gave it. */
export interface ChosenFile {
  file: File;
  /** The folders above the file, from the one that was chosen; empty for a file that was chosen by itself. */
  folder: string;
}

/** Where a license lies: a file that the user gave, or one that a list names. */
export interface Place {
  /** The name of the file. */
  readonly name: string;
  readonly folder: string;
  readonly file?: File;
}

/** The path of a file as far as the user gave it. */
export const pathOf = ({ name, folder }: Place) => (folder === '' ? name : `${folder}/${name}`);

/** Why the service did not read it. */
export interface Failure {
  problem: Problem;
  /** Whether it may work another time; false when the file is no license or ring refused it. */
  canRetry: boolean;
}

/** `unread` is sent only when the user asks for it, `unfit` never. What is asked again keeps its last failure. */
export type State =
  | { name: 'unread' | 'waiting' | 'decoding' | 'done'; failure?: Failure | undefined }
  | { name: 'failed' | 'unfit'; failure: Failure };
export type StateName = State['name'];

interface Transition {
  from: readonly StateName[];
  to: StateName;
}

/** All that can happen to a license. */
const TRANSITIONS = {
  asked: { from: ['unread', 'failed'], to: 'waiting' },
  /** Canceled, or the limit does not suffice for it. After a failure it is failed again. */
  released: { from: ['waiting', 'decoding'], to: 'unread' },
  sent: { from: ['waiting'], to: 'decoding' },
  /** The limit or an outage stopped it. */
  postponed: { from: ['decoding'], to: 'waiting' },
  done: { from: ['decoding'], to: 'done' },
  failed: { from: ['decoding'], to: 'failed' },
} satisfies Record<string, Transition>;
type Event = keyof typeof TRANSITIONS;

let lastId = 0;

interface LicenseParts {
  /** What is known, the most reliable first. */
  sources?: readonly Source[] | undefined;
  /** Why it cannot be sent. */
  failure?: Failure | undefined;
  /** The same for the same bytes; null when it is not known. */
  fingerprint?: string | null;
  /** YYYY-MM-DD, the day of the list that has it; undefined when the user gave its file. */
  day?: string | undefined;
  /** That of a license in whose place it comes, so that its details stay open. */
  id?: number | undefined;
}

/** A row of the list: distinct bytes, found at one path or several, or known from an exported list only. */
export class License {
  readonly id: number;
  readonly fingerprint: string | null;
  readonly day: string | undefined;
  /** Set by the inventory. */
  readonly places = signal<readonly Place[]>([]);
  /** What a list of another day says of these bytes. */
  readonly ofSheet = signal<Source | undefined>();
  private readonly current = signal<State>({ name: 'unread' });
  private readonly sources: Signal<readonly Source[]>;
  private readonly combined = computed(() =>
    combine([...this.sources.value, ...(this.ofSheet.value ? [this.ofSheet.value] : [])]),
  );
  // Signals of their own, so that no other step of a license counts the whole list anew.
  private readonly failed = computed(() => this.state.name === 'failed' || this.state.name === 'unfit');
  private readonly refused = computed(() => this.failed.value && this.state.failure?.canRetry === false);

  constructor({ sources = [], failure, fingerprint = null, day, id = ++lastId }: LicenseParts = {}) {
    this.id = id;
    this.sources = signal(sources);
    this.fingerprint = fingerprint;
    this.day = day;
    if (failure) this.current.value = { name: failure.canRetry ? 'failed' : 'unfit', failure };
  }

  get state(): State {
    return this.current.value;
  }

  /** What is known of it. */
  get known(): Known {
    return this.combined.value;
  }

  /** Whether the user gave it, and not a list of another day. */
  get isGiven(): boolean {
    return this.day === undefined;
  }

  /** The file to send; null when there is none. */
  get file(): File | null {
    return this.places.value[0]?.file ?? null;
  }

  /** The name of its first file. */
  get name(): string {
    return this.places.value[0]?.name ?? '';
  }

  get isFailed(): boolean {
    return this.failed.value;
  }

  /** Whether it is no license, or ring refused it. */
  get isRefused(): boolean {
    return this.refused.value;
  }

  /** Whether it is being read or waits for it. */
  get isPending(): boolean {
    return this.state.name === 'waiting' || this.state.name === 'decoding';
  }

  /** Whether the service can be asked to read it. */
  get canBeAsked(): boolean {
    return this.file !== null && allows('asked', this.state.name) && !this.isRefused;
  }

  /** Whether it is read only when the user asks for it. */
  get isUnread(): boolean {
    return this.state.name === 'unread' && this.canBeAsked;
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
