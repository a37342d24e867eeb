import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Language } from '../../../errors/catalog.js';
import { Access } from './access.js';
import type { Content } from './content.js';
import { dayOf } from './day.js';
import { Inventory } from './inventory.js';
import { isUnread, licenseOf, stateOf, type ChosenFile, type Item } from './item.js';
import { List, type Describe } from './list.js';
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
  readonly inventory: Inventory;
  readonly runner: Runner;
  readonly list: List;
  private readonly changes = computed(() => this.inventory.comparison.value.changes);
  /** Whether to read more by itself when the limit is renewed. */
  readonly goesOnByItself = signal(false);
  /** What is shown and not read for lack of decodes, in the order in which it is to be read. */
  readonly unread = computed<ReadonlySet<Content>>(() => {
    const { filter, search, sort, shown } = this.list;
    const isChosen = filter.value !== 'all' || search.value !== '' || sort.value !== undefined;
    return unreadOf(
      isChosen || this.access.current.value !== undefined ? shown.value : scarceFirst(shown.value),
    );
  });
  /** Whether some rows have a button beside what is known of them that has them read. */
  readonly asks = computed(() =>
    this.list.shown.value.some((item) => isUnread(item) && licenseOf(item).sources.length > 0),
  );
  /** How many more files can be read now. */
  readonly left = computed(() => this.access.left(this.now.value) - this.inventory.pending.value.size);
  readonly canRead = computed(() => this.left.value > 0);
  private readonly today = computed(() => dayOf(this.now.value));

  constructor({ limit, windowSeconds, timeoutMs, maxFileBytes, language, describe }: ModelSettings) {
    this.windowSeconds = windowSeconds;
    this.access = new Access(limit);
    this.inventory = new Inventory(maxFileBytes);
    this.runner = new Runner(this.access, this.inventory, language, timeoutMs + ANSWER_MARGIN_MS);
    this.list = new List(this.inventory.items, this.today, describe, this.runner.readings, this.changes);
  }

  /** Adds files, and has them read when the limit suffices for all that wait. */
  async add(files: readonly ChosenFile[]): Promise<void> {
    await this.inventory.add(files);
    const { pending } = this.inventory;
    const unread = unreadOf(this.inventory.items.value);
    if (unread.size + pending.value.size <= this.access.left(Date.now())) this.readAll();
  }

  /** Has as many files read as the limit allows now, from the top of the table. */
  readNext(): void {
    this.now.value = Date.now();
    this.runner.read(this.unread.value);
  }

  /** Has as many files read as the limit allows now, those first that are shown. */
  readAll(): void {
    this.runner.read([...this.unread.value, ...unreadOf(this.inventory.items.value)]);
  }

  /** Takes a token, and has everything read with it. */
  useToken(text: string): void {
    if (this.access.offer(text)) this.readAll();
  }

  /** To be called every second. */
  tick(): void {
    const { runner, inventory, access } = this;
    const isWaiting = runner.pause.value !== undefined || Date.now() < access.quota.value.resetAt + 2000;
    if (isWaiting || dayOf(Date.now()) !== this.today.value) this.now.value = Date.now();
    runner.tick();
    if (this.goesOnByItself.value && !runner.pause.value && inventory.pending.value.size === 0)
      this.readAll();
  }
}

/** Of what a limit allows files without clear text get most; platforms name files by the time, so the newest first. */
function scarceFirst(items: readonly Item[]): readonly Item[] {
  const timeOf = ({ name }: Item) => /\d{8,}/.exec(name)?.[0] ?? '';
  const [blank, known] = [0, 1].map((sources) =>
    items.filter((item) => Math.min(licenseOf(item).sources.length, 1) === sources),
  ) as [Item[], Item[]];
  const newest = blank.sort((a, b) => Number(timeOf(a) < timeOf(b)) - Number(timeOf(a) > timeOf(b)));
  return [...newest, ...known];
}

/** Those aside that the user canceled. */
const unreadOf = (items: readonly Item[]) =>
  new Set(
    items
      .filter((item) => stateOf(item).name === 'unread' && item.content.canBeAsked)
      .map(({ content }) => content),
  );
