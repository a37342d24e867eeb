import { batch, computed, signal, untracked, type ReadonlySignal } from '@preact/signals';
import type { StateName } from './content.js';
import { daysBetween } from './day.js';
import { isFailed, licenseOf, stateOf, type Item } from './item.js';
import { isExpired } from './facts.js';
import type { Change } from './sheet.js';
import { matches, wordsOf } from './search.js';
import { countedOf, groupsOf, isReplaced, licenseKey, replacedPins } from './standing.js';
import { sumUp } from './sums.js';

/** The columns of the table, in its order. */
export const COLUMNS = [
  'validUntil',
  'owner',
  'product',
  'users',
  'computer',
  'pin',
  'file',
  'state',
] as const;
export type Column = (typeof COLUMNS)[number];

/** What a row says in a language. */
export type RowTexts = Record<Column | 'type' | 'registrationNumber', string>;
export type Describe = (item: Item) => RowTexts;

/** Days before its end in which a license can be said to expire soon. */
export const HORIZONS = [30, 60, 90, 180];

export type Filter = keyof List['filters'];
export type Mark = 'replacedMark' | 'duplicate' | 'duplicated';

/** What the user looks at: a filter, a search, an order and the license whose details are open. */
export class List {
  readonly filter = signal<Filter>('all');
  readonly search = signal('');
  readonly sort = signal<{ column: Column; descending: boolean } | undefined>();
  /** Days. */
  readonly horizon = signal(90);
  /** Of a license that has left the list nothing is shown. */
  readonly open = computed(() => this.items.value.find(({ id }) => id === this.chosen.value));
  /** The id of an item, whose file may be replaced meanwhile. */
  readonly chosen = signal<number | undefined>();

  /** What each filter leaves, in the order in which they are offered; its name is the key of its text. */
  private readonly filters = {
    all: () => true,
    expired: (item) => this.isCurrent(item) && isExpired(licenseOf(item), this.today.value),
    expiring: (item) => {
      const days = this.daysLeft(item);
      return days >= 0 && days <= this.horizon.value && this.isCurrent(item);
    },
    clients: (item) => licenseOf(item).kind === 'client',
    servers: (item) => licenseOf(item).kind === 'server',
    noData: (item) => licenseOf(item).sources.length === 0 && !isFailed(item),
    // Takes the place of the duplicates while there is something to compare with.
    changes: (item) => this.changes.value.has(item),
    duplicates: (item) =>
      this.changes.value.size === 0 && (this.groups.value.get(licenseKey(item))?.length ?? 0) > 1,
    replaced: (item) => !this.isCurrent(item),
    errors: isFailed,
  } satisfies Record<string, (item: Item) => boolean>;
  /** The filters that leave something of the whole list. */
  readonly offered = stable(() =>
    (Object.keys(this.filters) as Filter[]).filter(
      (name) => name === this.filter.value || this.items.value.some((item) => this.passes(name, item)),
    ),
  );
  /** What the search leaves. */
  readonly found = stable(() => {
    const words = wordsOf(this.search.value);
    return this.items.value.filter((item) => words.length === 0 || matches(words, item, this.describe(item)));
  });
  /** The items that the table shows, in its order. */
  readonly shown = stable(() => this.select());
  /** Those of them that are there today. */
  readonly listed = computed(() => this.shown.value.filter((item) => !this.isGone(item)));
  /** What the search leaves comes to. */
  readonly sums = computed(() =>
    sumUp(
      this.found.value.filter((item) => !this.isGone(item)),
      this.replaced.value,
      this.today.value,
    ),
  );

  private readonly present = computed(() => this.items.value.filter((item) => !this.isGone(item)));
  readonly replaced = stable(() => replacedPins(this.present.value));
  private readonly groups = computed(() => groupsOf(this.present.value));
  private readonly successors = computed(
    () => new Map(this.present.value.map((item) => [licenseOf(item).previousPin, item])),
  );
  private readonly repeated = computed(() =>
    [...this.groups.value.values()].filter((group) => group.length > 1),
  );
  /** Items whose license others have too: those that count, and the others. */
  private readonly duplicated = stable(
    () => new Set(this.repeated.value.map((group) => countedOf(group, this.today.value))),
  );
  private readonly duplicates = stable(
    () => new Set(this.repeated.value.flat().filter((item) => !this.duplicated.value.has(item))),
  );

  /** What the user chose and the last reading decide on the order. */
  private readonly reasons = computed(() => [
    this.filter.value,
    this.search.value,
    this.sort.value,
    this.horizon.value,
    this.readings.value,
  ]);
  /** The order as it was when there was the last reason for one, or a new item: no row moves while it is read. */
  private readonly order = computed<readonly Item[]>((): readonly Item[] => {
    const reasons = this.reasons.value;
    const items = this.items.value;
    const { made } = this;
    if (made?.reasons !== reasons || items.some((item) => !made.places.has(item)))
      this.made = { reasons, places: new Set(untracked(() => this.arrange(items))) };
    return [...(this.made?.places ?? [])];
  });
  private made: { reasons: unknown; places: ReadonlySet<Item> } | undefined;
  /** What was without data since that filter was chosen. */
  private readonly hadNoData = new Set<Item>();

  /**
   * @param items all of them
   * @param today YYYY-MM-DD
   * @param describe what is searched, and sorted where it is no number
   * @param readings how many readings of several files have ended or paused
   * @param changes what became of licenses since a day with which they are compared
   */
  constructor(
    readonly items: ReadonlySignal<readonly Item[]>,
    readonly today: ReadonlySignal<string>,
    private readonly describe: Describe,
    private readonly readings: ReadonlySignal<number> = signal(0),
    readonly changes: ReadonlySignal<ReadonlyMap<Item, Change>> = signal(new Map()),
  ) {}

  /** Whether an item was in the list of another day and is not there today. It counts in no sum. */
  isGone(item: Item): boolean {
    return this.changes.value.get(item)?.name === 'gone';
  }

  /** Whether a filter leaves an item. */
  passes(filter: Filter, item: Item): boolean {
    return this.isGone(item) ? filter === 'all' || filter === 'changes' : this.filters[filter](item);
  }

  /** Chooses a filter; the chosen one gives way to all. The default order takes the place of the user's. */
  choose(filter: Filter): void {
    batch(() => {
      this.filter.value = filter === this.filter.value ? 'all' : filter;
      this.sort.value = undefined;
    });
  }

  showAll(): void {
    batch(() => {
      this.filter.value = 'all';
      this.search.value = '';
    });
  }

  /** Sorts by a column, then the other way round, then not at all. */
  sortBy(column: Column): void {
    const { value } = this.sort;
    const descending = value?.column === column;
    this.sort.value = descending && value.descending ? undefined : { column, descending };
  }

  /** Opens a license, and shows it. */
  goTo(item: Item): void {
    batch(() => {
      if (!this.shown.value.includes(item)) this.showAll();
      this.chosen.value = item.id;
    });
  }

  /** What an item is among the others, if that is worth a word. */
  markOf(item: Item): Mark | undefined {
    if (!this.isCurrent(item)) return 'replacedMark';
    if (this.duplicates.value.has(item)) return 'duplicate';
    return this.duplicated.value.has(item) ? 'duplicated' : undefined;
  }

  /** The license that replaced this one, and the one that this one replaced, as far as the list has them. */
  relativesOf(item: Item): { successor: Item | undefined; predecessor: Item | undefined } {
    const pin = licenseKey(item);
    return {
      successor: typeof pin === 'string' ? this.successors.value.get(pin) : undefined,
      predecessor: this.groups.value.get(licenseOf(item).previousPin ?? '')?.[0],
    };
  }

  /** Whether nothing has replaced it. */
  private isCurrent(item: Item): boolean {
    return !isReplaced(item, this.replaced.value);
  }

  /** NaN when it does not end. */
  private daysLeft(item: Item): number {
    return daysBetween(this.today.value, licenseOf(item).validUntil ?? '');
  }

  private select(): readonly Item[] {
    const filter = this.filter.value;
    const found = new Set(this.found.value);
    if (filter !== 'noData') this.hadNoData.clear();
    return this.order.value.filter((item) => {
      if (!found.has(item)) return false;
      const passes = this.passes(filter, item);
      if (filter === 'noData' && passes) this.hadNoData.add(item);
      return passes || this.hadNoData.has(item);
    });
  }

  private arrange(items: readonly Item[]): readonly Item[] {
    const { value: sort } = this.sort;
    if (sort) return this.sorted(items, sort.column, sort.descending);
    if (this.filter.value === 'duplicates') return [...groupsOf(items).values()].flat();
    const keyed = items.map((item) => ({ item, key: this.urgencyOf(item) }));
    keyed.sort(({ key: a }, { key: b }) => Number(a > b) - Number(a < b));
    return keyed.map(({ item }) => item);
  }

  /** What needs attention comes first: what ends or ended just now. Long ended and replaced licenses come last. */
  private urgencyOf(item: Item): string {
    const { validUntil, unlimited, sources } = licenseOf(item);
    const days = this.daysLeft(item);
    const horizon = this.horizon.value;
    if (!this.isCurrent(item)) return '6';
    if (validUntil !== null) return `${days < -horizon ? 5 : days <= horizon ? 0 : 1} ${validUntil}`;
    return unlimited ? '2' : sources.length > 0 ? '3' : '4';
  }

  /** Sorts by a column; items without a value come last in either direction. */
  private sorted(items: readonly Item[], column: Column, descending: boolean): Item[] {
    const { compare } = new Intl.Collator('ru', { numeric: true });
    const keyed = items.map((item) => ({ item, key: this.sortKey(item, column) }));
    const direction = descending ? -1 : 1;
    keyed.sort(({ key: a }, { key: b }) => {
      if (a === '' || b === '') return Number(a === '') - Number(b === '');
      const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
      return direction * order;
    });
    return keyed.map(({ item }) => item);
  }

  private sortKey(item: Item, column: Column): string | number {
    const { users, validUntil, unlimited } = licenseOf(item);
    if (column === 'users') return users ?? '';
    if (column === 'validUntil') return validUntil ?? (unlimited ? '9999' : '');
    if (column === 'state') return STATES.indexOf(stateOf(item).name);
    return this.describe(item)[column];
  }
}

/** A computed collection that stays the same one while it has the same elements, so that nothing is drawn anew. */
function stable<Elements extends Iterable<unknown>>(compute: () => Elements): ReadonlySignal<Elements> {
  let last: Elements | undefined;
  return computed(() => {
    const next = compute();
    const [before, after] = [[...(last ?? [])], [...next]];
    if (last && before.length === after.length && before.every((element, index) => element === after[index]))
      return last;
    return (last = next);
  });
}

/** What needs attention comes first. */
const STATES: StateName[] = ['failed', 'unfit', 'canceled', 'decoding', 'waiting', 'unread', 'done'];
