import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { StateName } from './content.js';
import { daysBetween } from './day.js';
import { licenseOf, stateOf, type Item } from './item.js';
import { isExpired } from './license.js';
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

const FILTERS = [
  'all',
  'expired',
  'expiring',
  'duplicates',
  'replaced',
  'noClearText',
  'failed',
  'client',
  'server',
  'problems',
  'changes',
] as const;
export type Filter = (typeof FILTERS)[number];

/** Days before its end in which a license can be said to expire soon. */
export const HORIZONS = [30, 60, 90, 180];

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

  readonly replaced = stable(() => replacedPins(this.present.value));
  /** How many items each filter has, whatever is searched for. */
  readonly counts = computed(
    () =>
      Object.fromEntries(
        FILTERS.map((filter) => [
          filter,
          this.items.value.filter((item) => this.passes(filter, item)).length,
        ]),
      ) as Record<Filter, number>,
  );
  /** The items that the table shows, in its order. */
  readonly shown = stable(() => this.select());
  /** Those of them that are there today. */
  readonly listed = computed(() => this.shown.value.filter((item) => !this.isGone(item)));
  /** What the shown items come to. */
  readonly sums = computed(() => sumUp(this.listed.value, this.replaced.value, this.today.value));

  private readonly present = computed(() => this.items.value.filter((item) => !this.isGone(item)));
  private readonly groups = computed(() => groupsOf(this.present.value));
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

  /**
   * @param items all of them
   * @param today YYYY-MM-DD
   * @param describe what is searched, and sorted where it is no number
   * @param changes what became of licenses since a day with which they are compared
   */
  constructor(
    readonly items: ReadonlySignal<readonly Item[]>,
    readonly today: ReadonlySignal<string>,
    private readonly describe: Describe,
    readonly changes: ReadonlySignal<ReadonlyMap<Item, Change>> = signal(new Map()),
  ) {}

  /** Whether an item was in the list of another day and is not there today. It counts in no sum. */
  isGone(item: Item): boolean {
    return this.changes.value.get(item)?.name === 'gone';
  }

  /** Chooses a filter; the chosen one gives way to all. Its own order takes the place of the user's. */
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

  /** Sorts by a column; when it is sorted by that already, the other way round. */
  sortBy(column: Column): void {
    const { value } = this.sort;
    this.sort.value = { column, descending: value?.column === column && !value.descending };
  }

  /** What an item is among the others, if that is worth a word. */
  markOf(item: Item): Mark | undefined {
    if (isReplaced(item, this.replaced.value)) return 'replacedMark';
    if (this.duplicates.value.has(item)) return 'duplicate';
    return this.duplicated.value.has(item) ? 'duplicated' : undefined;
  }

  private passes(filter: Filter, item: Item): boolean {
    if (this.isGone(item)) return filter === 'all' || filter === 'changes';
    const today = this.today.value;
    const license = licenseOf(item);
    const { name } = stateOf(item);
    switch (filter) {
      case 'all':
        return true;
      case 'expired':
        return isExpired(license, today);
      case 'expiring':
        return (
          license.validUntil !== null &&
          !isExpired(license, today) &&
          daysBetween(today, license.validUntil) <= this.horizon.value
        );
      case 'duplicates':
        return (this.groups.value.get(licenseKey(item))?.length ?? 0) > 1;
      case 'replaced':
        return isReplaced(item, this.replaced.value);
      case 'noClearText':
        return license.sources.length === 0 && name !== 'failed';
      case 'failed':
        return name === 'failed';
      case 'problems':
        return name === 'failed' || isExpired(license, today);
      case 'changes':
        return this.changes.value.has(item);
      case 'client':
      case 'server':
        return license.kind === filter;
    }
  }

  private select(): readonly Item[] {
    const filter = this.filter.value;
    const words = wordsOf(this.search.value);
    const shown = this.items.value.filter(
      (item) =>
        this.passes(filter, item) && (words.length === 0 || matches(words, item, this.describe(item))),
    );
    const { value: sort } = this.sort;
    if (sort) return this.sorted(shown, sort.column, sort.descending);
    if (filter === 'duplicates') return [...groupsOf(shown).values()].flat();
    return ['expired', 'expiring', 'problems'].includes(filter)
      ? this.sorted(shown, 'validUntil', false)
      : shown;
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
const STATES: StateName[] = ['failed', 'canceled', 'decoding', 'waiting', 'unread', 'done'];
