import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import { stateOf, type Item, type ItemState } from './item.js';
import { daysBetween } from '../texts/format.js';
import { cellTexts, matches, wordsOf, type Column } from './cells.js';
import { isExpired, rowOf } from './row.js';
import { countedOf, groupsOf, isReplaced, licenseKey, replacedPins } from './standing.js';
import { sumUp } from './sums.js';

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
  readonly open = computed(() => this.items.value.find((item) => item === this.chosen.value));
  readonly chosen = signal<Item | undefined>();

  readonly replaced = stable(() => replacedPins(this.items.value));
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
  /** What the shown items come to. */
  readonly sums = computed(() => sumUp(this.shown.value, this.replaced.value, this.today.value));

  private readonly groups = computed(() => groupsOf(this.items.value));
  private readonly repeated = computed(() =>
    [...this.groups.value.values()].filter((group) => group.length > 1),
  );
  /** Items whose license others have too: those that count, and the others. */
  private readonly duplicated = stable(() => new Set(this.repeated.value.map(countedOf)));
  private readonly duplicates = stable(
    () => new Set(this.repeated.value.flat().filter((item) => !this.duplicated.value.has(item))),
  );

  /**
   * @param items all of them
   * @param today YYYY-MM-DD
   */
  constructor(
    readonly items: ReadonlySignal<readonly Item[]>,
    readonly today: ReadonlySignal<string>,
  ) {}

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
    const today = this.today.value;
    const row = rowOf(item);
    const { name } = stateOf(item);
    switch (filter) {
      case 'all':
        return true;
      case 'expired':
        return isExpired(row, today);
      case 'expiring':
        return (
          row.validUntil !== null &&
          !isExpired(row, today) &&
          daysBetween(today, row.validUntil) <= this.horizon.value
        );
      case 'duplicates':
        return (this.groups.value.get(licenseKey(item))?.length ?? 0) > 1;
      case 'replaced':
        return isReplaced(item, this.replaced.value);
      case 'noClearText':
        return item.content.clearText === null && name !== 'done' && name !== 'failed';
      case 'failed':
        return name === 'failed';
      case 'problems':
        return name === 'failed' || isExpired(row, today);
      case 'client':
      case 'server':
        return row.kind === filter;
    }
  }

  private select(): readonly Item[] {
    const filter = this.filter.value;
    const words = wordsOf(this.search.value);
    const shown = this.items.value.filter(
      (item) => this.passes(filter, item) && (words.length === 0 || matches(words, item)),
    );
    const { value: sort } = this.sort;
    if (sort) return sortBy(shown, sort.column, sort.descending);
    if (filter === 'duplicates') return [...groupsOf(shown).values()].flat();
    return ['expired', 'expiring', 'problems'].includes(filter) ? sortBy(shown, 'validUntil', false) : shown;
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
const STATES: ItemState['name'][] = ['failed', 'canceled', 'decoding', 'waiting', 'unread', 'done'];

/** Sorts by a column; items without a value come last in either direction. */
function sortBy(items: readonly Item[], column: Column, descending: boolean): Item[] {
  const { compare } = new Intl.Collator('ru', { numeric: true });
  const keyed = items.map((item) => ({ item, key: sortKey(item, column) }));
  const direction = descending ? -1 : 1;
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === '' || b === '') return Number(a === '') - Number(b === '');
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
    return direction * order;
  });
  return keyed.map(({ item }) => item);
}

function sortKey(item: Item, column: Column): string | number {
  const row = rowOf(item);
  if (column === 'users') return row.users ?? '';
  if (column === 'validUntil') return row.validUntil ?? (row.unlimited ? '9999' : '');
  if (column === 'state') return STATES.indexOf(stateOf(item).name);
  return cellTexts(item)[column];
}
