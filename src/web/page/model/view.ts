import { batch, computed, signal, untracked, type ReadonlySignal } from '@preact/signals';
import { dayIn } from './day.js';
import { isSecret } from './facts.js';
import { countsOf, filtersOf, FILTERS, usersOf, type Filter } from './filters.js';
import { areSame, type License } from './license.js';
import { byColumn, sortedBy, type Sort, type SortColumn } from './order.js';
import { matches, wordsOf, type Describe } from './search.js';
import { daysLeft, replacementsIn, VALIDITIES, validityOf, type Validity } from './validity.js';

/** More than there are between any two days of four-digit years. */
const MAX_DAYS = 10_000_000;

/** What the rows and the filters were like when there was a reason to arrange them. */
interface Arrangement {
  reasons: unknown;
  /** The places of the rows, by their ids. */
  places: ReadonlyMap<number, number>;
  offered: readonly Filter[];
}

/** What a view needs to know. */
interface ViewInput {
  /** All rows. */
  readonly licenses: ReadonlySignal<readonly License[]>;
  /** YYYY-MM-DDTHH:MM */
  readonly minute: ReadonlySignal<string>;
  readonly isArriving: ReadonlySignal<boolean>;
  /** Whether the service reads more than one file. */
  readonly isReadingSeveral: ReadonlySignal<boolean>;
}

/** What the user looks at: a filter, a search, an order and the licenses whose details are open. */
export class View {
  readonly filter = signal<Filter>('all');
  readonly search = signal('');
  readonly sort = signal<Sort | undefined>();
  /** The ids of the licenses whose details are open. */
  readonly opened = signal<ReadonlySet<number>>(new Set());

  readonly licenses: ViewInput['licenses'];
  private readonly minute: ViewInput['minute'];
  readonly today = computed(() => dayIn(this.minute.value));

  readonly replacements = computed(() => replacementsIn(this.licenses.value, this.minute.value));

  private readonly filters = computed(() => {
    const filters = new Map<License, ReadonlySet<Filter>>();
    for (const license of this.licenses.value) {
      filters.set(license, filtersOf(license, this.validityOf(license)));
    }
    return filters;
  });
  private readonly found = computed(() => {
    const words = wordsOf(this.search.value);
    if (words.length === 0) return this.licenses.value;
    return this.licenses.value.filter((license) => matches(words, license, this.describe(license)));
  });
  /** How many of the licenses that the search leaves each filter shows. */
  readonly counts = computed(() => countsOf(this.found.value, this.filters.value));

  /**
   * Why rows get another order: what the user chose or added, and the begin and the end of a reading of several
   * files. A single answer moves nothing.
   */
  private readonly reasons = computed(() => [
    this.filter.value,
    this.search.value,
    this.sort.value,
    this.isArriving.value,
    this.isReadingSeveral.value,
  ]);
  private readonly isArriving: ViewInput['isArriving'];
  private readonly isReadingSeveral: ViewInput['isReadingSeveral'];
  private lastArrangement: Arrangement = { reasons: undefined, places: new Map(), offered: [] };
  /**
   * Where the rows stand, and which filters are offered. An answer of the service changes neither, so that nothing moves
   * under the pointer, unless a filter or a search no longer shows its license. Both are decided anew for a reason or when
   * a row has come. `reasons` is computed, so it stays the same object until one of its parts changes. The last
   * arrangement is kept in a field, because a computed value does not know what it was before.
   */
  private readonly arrangement = computed(() => {
    const reasons = this.reasons.value;
    const { reasons: reasonsBefore, places } = this.lastArrangement;
    const hasNew = this.licenses.value.some(({ id }) => !places.has(id));
    if (hasNew || reasons !== reasonsBefore) {
      this.lastArrangement = untracked(() => this.arrange(reasons));
    }
    return this.lastArrangement;
  });
  private readonly ordered = computed(() => {
    const { places } = this.arrangement.value;
    return sortedBy(this.licenses.value, ({ id }) => places.get(id) ?? 0);
  });
  /** The filters that show something of the whole list, and the chosen one. */
  readonly offered = computed(() => this.arrangement.value.offered);
  /** The licenses that the table shows, in its order. */
  readonly shown = stable(() => {
    const found = new Set(this.found.value);
    const filter = this.filter.value;
    const filters = this.filters.value;
    return this.ordered.value.filter((license) => found.has(license) && filters.get(license)?.has(filter));
  });
  /** For how many users the shown licenses are good. */
  readonly users = computed(() => usersOf(this.shown.value, (license) => this.validityOf(license)));
  /** Whether a shown license has something that must not get into everybody's hands. */
  readonly hasSecrets = computed(() => this.shown.value.some(({ known }) => isSecret(known)));
  readonly isSearch = computed(() => this.search.value.trim() !== '');
  /** Whether some licenses are not shown. */
  readonly isPart = computed(() => this.shown.value.length < this.licenses.value.length);

  /** @param describe what is searched */
  constructor(
    { licenses, minute, isArriving, isReadingSeveral }: ViewInput,
    private readonly describe: Describe,
  ) {
    this.licenses = licenses;
    this.minute = minute;
    this.isArriving = isArriving;
    this.isReadingSeveral = isReadingSeveral;
  }

  validityOf(license: License): Validity {
    return validityOf(license, {
      replacements: this.replacements.value,
      now: this.minute.value,
    });
  }

  /** Days from today to the last day of a license; null when that is not known, or the license has none. */
  daysLeft(license: License): number | null {
    return daysLeft(license, this.today.value);
  }

  /** Chooses a filter; the chosen one gives way to all. The default order takes the place of the user's. */
  choose(filter: Filter): void {
    batch(() => {
      this.filter.value = filter === this.filter.value ? 'all' : filter;
      this.sort.value = undefined;
    });
  }

  /** The order in which someone should look at licenses: that of the table, and that in which they are read. */
  byUrgency(licenses: readonly License[]): readonly License[] {
    return sortedBy(licenses, (license) => this.urgencyOf(license));
  }

  /** Shows all rows that a search leaves. */
  showAll(search = ''): void {
    batch(() => {
      this.filter.value = 'all';
      this.search.value = search;
    });
  }

  /** Sorts by a column, then the other way round, then in the default order. */
  sortBy(column: SortColumn): void {
    const sort = this.sort.value;
    const isSame = sort?.column.id === column.id;
    const isDefault = column.sortValue === 'urgency' || (isSame && sort.descending);
    this.sort.value = isDefault ? undefined : { column, descending: isSame };
  }

  /** Opens or closes the details of a license. */
  toggle({ id }: License): void {
    const opened = new Set(this.opened.value);
    if (!opened.delete(id)) opened.add(id);
    this.opened.value = opened;
  }

  /** Opens a license, and shows it. */
  goTo(license: License): void {
    batch(() => {
      if (!this.shown.value.includes(license)) this.showAll();
      this.opened.value = new Set(this.opened.value).add(license.id);
    });
  }

  private arrange(reasons: unknown): Arrangement {
    const licenses = this.licenses.value;
    const ordered = this.inOrder(licenses);
    const places = new Map(ordered.map(({ id }, place) => [id, place]));

    const counts = countsOf(licenses, this.filters.value);
    const chosen = this.filter.value;
    const offered = FILTERS.filter((filter) => filter === chosen || counts[filter] > 0);
    return { reasons, places, offered };
  }

  private inOrder(licenses: readonly License[]): readonly License[] {
    const sort = this.sort.value;
    return sort ? byColumn(licenses, sort) : this.byUrgency(licenses);
  }

  /** The smaller, the earlier someone should look at a license. Within a rank, the date nearest to today comes first. */
  private urgencyOf(license: License): number {
    const rank = VALIDITIES.indexOf(this.validityOf(license));
    const days = this.daysLeft(license) ?? 0;
    return rank * MAX_DAYS + Math.abs(days);
  }
}

/**
 * A computed list that stays the same array while it has the same elements, so that nothing is drawn anew. Computing has a
 * side effect: the array is kept in `last`, to be compared with the next time.
 */
function stable<Element>(compute: () => readonly Element[]): ReadonlySignal<readonly Element[]> {
  let last: readonly Element[] | undefined;
  return computed(() => {
    const next = compute();
    if (last && areSame(next, last)) return last;

    last = next;
    return next;
  });
}
