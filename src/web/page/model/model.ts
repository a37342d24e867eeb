import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Language } from '../../../errors/catalog.js';
import { Access } from './access.js';
import { checkStatus } from './connection.js';
import { dayOf } from './day.js';
import { isExpired } from './facts.js';
import { Edits, type Given } from './edits.js';
import type { Inventory } from './inventory.js';
import type { License } from './license.js';
import { List } from './list.js';
import { sortedBy, type Describe } from './order.js';
import { Runner } from './runner.js';

/** Milliseconds after the service's own limit for a decode in which its answer must have arrived. */
const ANSWER_MARGIN_MS = 30_000;

export interface ModelSettings {
  /** Files per window without a token. */
  limit: number;
  windowSeconds: number;
  /** Milliseconds in which the service decides on a file. */
  timeoutMs: number;
  maxFileBytes: number;
  /** Of the page. */
  language: ReadonlySignal<Language>;
  describe: Describe;
}

/** All that the page knows; it has no part in how that is shown. */
export class Model {
  readonly windowSeconds: number;
  /** Milliseconds since the epoch, by the second while someone waits. */
  readonly now = signal(Date.now());
  readonly access: Access;
  readonly edits: Edits;
  readonly inventory: Inventory;
  readonly runner: Runner;
  readonly list: List;
  private readonly changes = computed(() => this.inventory.comparison.value.changes);
  /** Whether to read more without being asked when the limit is renewed. */
  readonly goesOnByItself = signal(false);
  /** How many more files can be read now. */
  readonly left = computed(() => this.access.left(this.now.value) - this.inventory.pending.value.size);
  readonly canRead = computed(() => this.left.value > 0);
  private readonly today = computed(() => dayOf(this.now.value));

  constructor({ limit, windowSeconds, timeoutMs, maxFileBytes, language, describe }: ModelSettings) {
    this.windowSeconds = windowSeconds;
    this.access = new Access(limit);
    this.edits = new Edits(maxFileBytes);
    this.inventory = this.edits.inventory;
    this.runner = new Runner(this.access, this.inventory, language, timeoutMs + ANSWER_MARGIN_MS);
    this.list = new List(this.inventory.licenses, this.today, describe, this.runner.readings, this.changes);
  }

  /**
   * What is shown and not read yet, what is most worth it first: what has clear text, and has not expired. Not kept:
   * nothing may hold what has left the list.
   */
  get unread(): readonly License[] {
    const unread = this.list.shown.value.filter(({ isUnread }) => isUnread);
    return sortedBy(unread, ({ known }) => {
      const isBlank = known.sources.every(({ origin }) => origin !== 'clearText');
      return isExpired(known, this.today.value) ? 2 : Number(isBlank);
    });
  }

  /** What is shown and of which a sheet has the PIN code; to read it tells what a sheet does not. */
  get listed(): readonly License[] {
    return this.list.shown.value.filter(({ isListed, canBeAsked }) => isListed && canBeAsked);
  }

  /** Adds files, and has those read that are new when the limit suffices for all that wait. */
  async add(given: Given | Promise<Given>): Promise<void> {
    const added = new Set(await this.edits.add(given));
    const { pending, licenses } = this.inventory;
    const unread = licenses.value.filter(({ isUnread }) => isUnread);
    if (unread.length + pending.value.size <= this.access.left(Date.now()))
      this.runner.read([...this.unread, ...unread].filter((license) => added.has(license)));
  }

  /** Has as many of these read as the limit allows now. */
  readNext(licenses = this.unread): void {
    this.now.value = Date.now();
    this.runner.read(licenses);
  }

  /** Has as many files read as the limit allows now, those first that are shown. */
  readAll(): void {
    this.runner.read([...this.unread, ...this.inventory.licenses.value.filter(({ isUnread }) => isUnread)]);
  }

  /** Cancels what is not decided yet; it is read only when the user asks again. */
  cancel(licenses: Iterable<License>): void {
    this.goesOnByItself.value = false;
    this.runner.cancel(licenses);
  }

  /** Removes licenses from the list, and has none of them read. */
  remove(licenses: readonly License[]): void {
    this.runner.cancel(licenses);
    this.edits.remove(licenses);
  }

  /** Removes all licenses, and has none of them read. */
  clear(): void {
    this.cancel(this.inventory.pending.value);
    this.edits.clear();
    this.list.showAll();
  }

  /** Takes a token, and has everything read with it unless the service rejects it. */
  async useToken(text: string): Promise<void> {
    const { access } = this;
    const token = access.offer(text);
    if (token === undefined) return;
    access.learn(token, await checkStatus(token), Date.now());
    if (access.current.value === token) this.readAll();
  }

  /** To be called every second. */
  tick(): void {
    const { runner, inventory, access } = this;
    const isWaiting = runner.pause.value !== undefined || Date.now() < access.quota.value.resetAt + 2000;
    if (isWaiting || dayOf(Date.now()) !== this.today.value) this.now.value = Date.now();
    runner.tick();
    if (this.goesOnByItself.value && inventory.pending.value.size === 0) this.readAll();
  }
}
