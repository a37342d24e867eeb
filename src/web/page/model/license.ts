import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { combine, ofAnswer, type Decoded, type Known, type Source } from './facts.js';
import type { Place as FilePlace } from './place.js';
import type { Failure } from './problem.js';

/** A file as the user gave it. */
export interface ChosenFile {
  file: File;
  /** The folders above the file, from the one that was chosen; empty for a file that was chosen by itself. */
  folder: string;
}

/** Where a license lies: a file that the user gave, or one that a list names. */
export interface Place extends FilePlace {
  readonly file?: File;
  /** Where in the list it is, as what takes its place will be; no other place in the list has it. */
  readonly order: number;
}

/** `unread` is sent only when the user asks for it, `unfit` never. What is asked again keeps its last failure. */
export type State =
  | { name: 'unread' | 'waiting' | 'decoding' | 'done'; failure?: Failure | undefined }
  | { name: 'failed' | 'unfit'; failure: Failure };
export type StateName = State['name'];

/** What the page has read of a file, or a list of another day says of one. */
export interface Content {
  /** What is known, the most reliable first. */
  sources: readonly Source[];
  /** Why it cannot be sent, or was not read that day. */
  failure?: Failure | undefined;
  /** The same for the same bytes, and of files that are too large for the same size; null when it is not known. */
  fingerprint: string | null;
}

interface LicenseParts extends Partial<Content> {
  /** YYYY-MM-DD, the day of the list that has it; undefined when the user gave its file. */
  day?: string | undefined;
  /** The rows of a list of another day, by their bytes. */
  listed?: ReadonlySignal<ReadonlyMap<string, License>>;
}

const NONE = signal(new Map<string, License>());

/** A row of the list: distinct bytes, found at one path or several, or known from an exported list only. */
export class License {
  readonly fingerprint: string | null;
  readonly day: string | undefined;
  /** Set by the inventory. */
  readonly places = signal<readonly Place[]>([]);
  /** The row of these bytes in a list of another day. */
  private readonly listed: ReadonlySignal<License | undefined>;
  private readonly current = signal<State>({ name: 'unread' });
  private readonly sources: Signal<readonly Source[]>;
  private readonly combined = computed(() =>
    combine([...this.sources.value, ...(this.listed.value?.sources.value ?? [])]),
  );
  // Signals of their own, so that no other step of a license counts the whole list anew.
  private readonly failed = computed(() => this.state.name === 'failed' || this.state.name === 'unfit');
  private readonly refused = computed(() => this.failed.value && this.state.failure?.canRetry === false);

  constructor({ sources = [], failure, fingerprint = null, day, listed = NONE }: LicenseParts = {}) {
    this.listed = computed(() => (fingerprint === null ? undefined : listed.value.get(fingerprint)));
    this.sources = signal(sources);
    this.fingerprint = fingerprint;
    this.day = day;
    const isTried = day !== undefined || failure?.canRetry;
    if (failure) this.current.value = { name: isTried ? 'failed' : 'unfit', failure };
  }

  /** That of its first place, so that the details stay open when its file is updated. */
  get id(): number {
    return this.places.peek()[0]?.order ?? 0;
  }

  get state(): State {
    const { value } = this.current;
    const listed = this.listed.value;
    // The service would refuse the same bytes again.
    return value.name === 'unread' && listed?.isRefused ? listed.state : value;
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
    const { value } = this.current;
    return this.file !== null && (value.name === 'failed' ? value.failure.canRetry : value.name === 'unread');
  }

  /** Whether it was not read, and its PIN code is not known from a list of another day either. */
  get isUnread(): boolean {
    return this.state.name === 'unread' && this.canBeAsked && !this.isListed;
  }

  /** Whether a list of another day has the PIN code of the same bytes. */
  get isListed(): boolean {
    return this.state.name === 'unread' && this.listed.value?.known.pin != null;
  }

  /** Is asked for, or stopped by the limit or an outage. While it waits and is read it keeps its last failure. */
  wait(): void {
    this.current.value = { name: 'waiting', failure: this.current.value.failure };
  }

  send(): void {
    this.current.value = { name: 'decoding', failure: this.current.value.failure };
  }

  /** Canceled, or the limit does not suffice for it. After a failure it is failed again. */
  release(): void {
    const { failure } = this.state;
    if (this.isPending) this.current.value = failure ? { name: 'failed', failure } : { name: 'unread' };
  }

  finish(answer: Decoded): void {
    this.current.value = { name: 'done' };
    this.sources.value = [ofAnswer(answer), ...this.sources.value];
  }

  fail(failure: Failure): void {
    this.current.value = { name: 'failed', failure };
  }
}
