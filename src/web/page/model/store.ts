import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Language } from '../../../errors/catalog.js';
import { tokenIn } from './access.js';
import { checkStatus, type ServiceStatus } from './connection.js';
import { minuteOf } from './day.js';
import { isPending, licensesIn, type License } from './license.js';
import { decidedIn, leftToAsk } from './queue.js';
import { recognizeFile, type ChosenFile } from './recognize-file.js';
import { firstState, reduce } from './reduce.js';
import { Runner } from './runner.js';
import type { Action, LeftOut, State } from './state.js';
import { stripOf } from './strip.js';
import { View, type Wording } from './view.js';

/** Files that the page looks into at a time, before these become visible. */
const BATCH = 200;
/** Milliseconds after the service's own limit for a decode in which its answer must have arrived. */
const ANSWER_MARGIN_MS = 30_000;
/** Milliseconds for which nobody asks again just because someone looks at the page. */
const REFRESH_MS = 60_000;

export interface StoreSettings extends Wording {
  /** Files per window without a token. */
  limit: number;
  windowSeconds: number;
  /** Whether the service can accept a token. Otherwise the page does not speak of one. */
  acceptsTokens: boolean;
  /** Milliseconds in which the service decides on a file. */
  timeoutMs: number;
  /** The service's limit for one file. */
  maxFileBytes: number;
  /** The language of the page. */
  language: ReadonlySignal<Language>;
}

/** What the user gives at once. */
export interface Given {
  /** In the order of the list. */
  files: readonly ChosenFile[];
  leftOut: LeftOut;
}

/** Holds the state of the page, what is derived from it, and what the user can do. */
export class Store {
  private readonly current: Signal<State>;
  readonly state: ReadonlySignal<State>;
  /** Milliseconds since the epoch. */
  readonly now = signal(Date.now());
  readonly minute = computed(() => minuteOf(this.now.value));

  readonly files = computed(() => this.state.value.files);
  readonly queue = computed(() => this.state.value.queue);
  readonly pause = computed(() => this.state.value.pause);
  readonly access = computed(() => this.state.value.access);

  /** Whether folders are searched or the page looks into files. */
  readonly isArriving = computed(() => this.state.value.arriving > 0);
  readonly isReading = computed(() => this.queue.value.pending.size > 0);
  /** Whether the service reads, and no pause keeps it from that. */
  readonly isReadingOn = computed(() => this.isReading.value && this.pause.value === undefined);
  /** How many of the files that were asked for are decided. */
  readonly progress = computed(() => {
    const { asked } = this.queue.value;
    return { asked, decided: decidedIn(this.queue.value) };
  });
  /** How many more files can be asked for now. */
  readonly left = computed(() => leftToAsk(this.state.value, this.now.value));
  readonly canRead = computed(() => this.left.value > 0);

  /** The rows of the table, in the order of the list. */
  readonly licenses = computed(() => licensesIn(this.state.value));
  /** What the strip needs to know of the list. In a computed of its own, so that the clock does not recount the list. */
  private readonly listCounts = computed(() => {
    const licenses = this.licenses.value;
    const unlikely = countOf(licenses, ({ status, isUnlikely }) => status === 'unread' && isUnlikely);
    return {
      listed: licenses.length - unlikely,
      unread: countOf(licenses, isUnread),
      unreadShown: countOf(this.view.shown.value, isUnread),
      unlikely,
      failed: countOf(licenses, ({ problem }) => problem !== null),
      retriable: this.retriable.length,
    };
  });
  readonly strip = computed(() => {
    const { pause, isChecking, access, lastStatus } = this.state.value;
    const { quota, problem, wasAccepted } = access;
    return stripOf({
      ...this.progress.value,
      ...this.listCounts.value,
      pause,
      isChecking,
      // An older one may not be true any more.
      fault: this.now.value - lastStatus.sentAt < REFRESH_MS ? lastStatus.fault : undefined,
      isArriving: this.isArriving.value,
      left: this.left.value,
      quota,
      lostToken: wasAccepted ? problem : undefined,
      acceptsTokens: this.acceptsTokens,
      now: this.now.value,
    });
  });

  readonly view: View;
  readonly acceptsTokens: boolean;
  private readonly maxFileBytes: number;
  /** Ends when the drops so far are in the list. */
  private takingDrops: Promise<unknown> = Promise.resolve();
  private stopping = new AbortController();

  constructor(settings: StoreSettings) {
    const { limit, windowSeconds, acceptsTokens, timeoutMs, maxFileBytes, language, ...wording } = settings;
    this.current = signal(firstState(limit, windowSeconds));
    this.state = this.current;
    this.acceptsTokens = acceptsTokens;
    this.maxFileBytes = maxFileBytes;
    // Before the view, so that this follows an answer and the file that is sent next as one change.
    new Runner(this, language, timeoutMs + ANSWER_MARGIN_MS).start();
    this.view = new View(this, wording);
  }

  /** The only way in which the state changes. */
  readonly dispatch = (action: Action): void => {
    batch(() => {
      // So that no wait is counted from a moment that has passed.
      const now = Date.now();
      this.now.value = now;
      this.current.value = reduce(this.current.value, action, now);
    });
  };

  /**
   * Adds files, the first ones as soon as the page has looked into them. If the limit suffices for everything that is unread,
   * the service then reads the new files, the most urgent first.
   * @param find finds the files until the signal says that they are no longer wanted
   */
  async add(find: (signal: AbortSignal) => Given | Promise<Given>): Promise<void> {
    const { signal } = this.stopping;
    this.dispatch({ type: 'dropStarted' });
    try {
      const found = await find(signal);
      // One after the other, because each file is compared with those before it.
      const taken = this.takingDrops.then(() => this.takeDrop(found, signal));
      // What goes wrong with these files must not keep those from coming that are added later.
      this.takingDrops = taken.catch(() => undefined);
      await taken;
    } finally {
      this.dispatch({ type: 'dropEnded' });
    }
  }

  private async takeDrop({ files, leftOut }: Given, signal: AbortSignal): Promise<void> {
    // A function, because TypeScript takes a property for unchanged after `await`.
    const isStopped = () => signal.aborted;
    if (isStopped()) return;

    const knownBefore = new Set(this.state.value.contents.keys());
    this.dispatch({ type: 'dropFound', leftOut });

    for (let start = 0; start < files.length; start += BATCH) {
      const some = files.slice(start, start + BATCH);
      // Side by side, because each waits for the disk; they keep their order.
      const recognized = await Promise.all(some.map((file) => recognizeFile(file, this.maxFileBytes)));
      if (isStopped()) return;
      this.dispatch({ type: 'filesRecognized', files: recognized });
    }
    this.readNew(knownBefore);
  }

  /** @param knownBefore the fingerprints that the page knew already */
  private readNew(knownBefore: ReadonlySet<string>): void {
    if (countOf(this.licenses.value, isUnread) > this.left.value) return;

    const isNew = ({ fingerprint }: License) => !knownBefore.has(fingerprint);
    this.read(this.unreadInOrder.filter(isNew));
  }

  /** What is shown and not read yet, the most urgent first. What there may be twice, or what has a newer one, comes last. */
  get unreadShown(): readonly License[] {
    const unread = this.view.byUrgency(this.view.shown.value.filter(isUnread));
    const first: License[] = [];
    const last: License[] = [];
    for (const license of unread) {
      const { newer, whyNotCounted, addedSeats } = this.view.assessmentOf(license);
      const addsNothing = whyNotCounted === undefined && addedSeats === 0;
      if (newer || addsNothing) last.push(license);
      else first.push(license);
    }
    return [...first, ...last];
  }

  /** What is not read yet, in the order in which it is read: what is shown comes first. What is there twice is read once. */
  private get unreadInOrder(): readonly License[] {
    return [...this.unreadShown, ...this.licenses.value.filter(isUnread)];
  }

  /** What failed and may work another time. */
  get retriable(): readonly License[] {
    return this.licenses.value.filter(({ status }) => status === 'failed');
  }

  /** Has licenses read in this order, as many as the limit allows now. */
  read(licenses: readonly License[]): void {
    this.dispatch({ type: 'asked', fingerprints: fingerprintsOf(licenses) });
  }

  /** Cancels what is not decided yet; it is read only when the user asks again. */
  cancel(licenses: readonly License[]): void {
    this.dispatch({ type: 'canceled', fingerprints: fingerprintsOf(licenses) });
    this.recount();
  }

  remove(licenses: readonly License[]): void {
    this.dispatch({ type: 'rowsRemoved', fingerprints: new Set(fingerprintsOf(licenses)) });
    if (licenses.some(isPending)) this.recount();
  }

  /** The service may have counted a request whose answer nobody waits for any more. */
  private recount(): void {
    void this.checkService();
  }

  /** Removes everything, and stops what still arrives. */
  clear(): void {
    this.stopping.abort();
    this.stopping = new AbortController();
    this.dispatch({ type: 'cleared' });
    this.view.showAll();
  }

  /** Takes a token, and asks the service whether it accepts it. Nothing is read until the user asks for it. */
  async useToken(text: string): Promise<void> {
    const token = tokenIn(text);
    this.dispatch({ type: 'tokenOffered', token });
    if (token !== undefined) await this.checkService(token);
  }

  /** Asks the service what is left of the limit, and whether it accepts a token: the one in use unless told otherwise. */
  async checkService(token = this.access.value.token): Promise<ServiceStatus> {
    const status = await checkStatus(token);
    this.dispatch({ type: 'statusLearned', status });
    return status;
  }

  /** Asks the service, when someone looks at the page again: it may have restarted, or others may have used the limit. */
  async refresh(): Promise<void> {
    const age = Date.now() - this.state.value.lastStatus.sentAt;
    if (age >= REFRESH_MS) await this.checkService();
  }

  /** To be called every second. */
  tick(): void {
    this.now.value = Date.now();
  }
}

const fingerprintsOf = (licenses: readonly License[]) => licenses.map(({ fingerprint }) => fingerprint);

/** Whether the service is to read it. What is probably no license is read only when the user asks for that one. */
const isUnread = ({ status, isUnlikely }: License) => status === 'unread' && !isUnlikely;

function countOf(licenses: readonly License[], isCounted: (license: License) => boolean): number {
  let count = 0;
  for (const license of licenses) {
    if (isCounted(license)) count += 1;
  }
  return count;
}
