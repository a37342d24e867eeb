import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import {
  arrange,
  NOTHING_ARRANGED,
  sortedBy,
  type Heading,
  type Order,
  type SortColumn,
} from './arrangement.js';
import { assess, type Assessment } from './assessment.js';
import { dayIn } from './day.js';
import { countsOf, filtersOf, OFFERED_FILTERS, type Filter } from './filters.js';
import { groupBy } from './group-by.js';
import { computerKey, isUnknownFile, type License } from './license.js';
import { isNamed, matches, meaningsOf, wordsOf, type Words } from './search.js';
import { seatsOf, type Seats } from './seats.js';
import { daysLeft, VALIDITIES } from './validity.js';
import { addsLicense } from './why-not-counted.js';

/** More than there are between any two days of four-digit years. */
const MAX_DAYS = 10_000_000;

/** What the page makes of a license that is in the list no more. */
const UNLISTED: Assessment = {
  validity: 'unknown',
  replacement: undefined,
  predecessor: undefined,
  newer: undefined,
  maybeReplaced: false,
  addedSeats: 0,
  whyNotCounted: 'noLicense',
  isPreviousCopy: false,
};

/** A heading, and what the table shows below it. */
export interface Group {
  readonly heading: Heading;
  readonly licenses: readonly License[];
  readonly seats: Seats;
}

/** What a view needs to know. */
interface ViewInput {
  /** All rows. */
  readonly licenses: ReadonlySignal<readonly License[]>;
  /** YYYY-MM-DDTHH:MM */
  readonly minute: ReadonlySignal<string>;
  /** Whether the service reads, and no pause keeps it from that. */
  readonly isReadingOn: ReadonlySignal<boolean>;
}

/** What the page says of a license, which the model does not know. */
export interface Wording {
  /** What is searched. */
  words: Words;
  /** By what the table can be sorted. */
  columns: readonly SortColumn[];
}

/** What the user looks at: a filter, a search, an order and the licenses whose details are open. */
export class View {
  readonly filter = signal<Filter>('all');
  readonly search = signal('');
  readonly order = signal<Order>('term');
  /** The ids of the licenses whose details are open. */
  readonly opened = signal<ReadonlySet<number>>(new Set());

  readonly licenses: ViewInput['licenses'];
  private readonly minute: ViewInput['minute'];
  readonly today = computed(() => dayIn(this.minute.value));

  private readonly assessments = computed(() => assess(this.licenses.value, this.minute.value));

  private readonly filters = computed(() => {
    const filters = new Map<License, ReadonlySet<Filter>>();
    for (const [license, assessment] of this.assessments.value) {
      filters.set(license, filtersOf(license, assessment));
    }
    return filters;
  });
  /** The licenses that the search leaves. */
  private readonly found = computed(() => {
    const licenses = this.licenses.value;
    if (!this.isSearch.value) return licenses;

    const search = this.search.value;
    const named = licenses.filter((license) => isNamed(license, search));
    if (named.length > 0) return named;

    for (const meaning of meaningsOf(search)) {
      const found = this.find(meaning);
      if (found.length > 0) return found;
    }
    return [];
  });
  /** How many of the licenses that the search leaves each filter shows. */
  readonly counts = computed(() => countsOf(this.found.value, this.filters.value));
  /** Those of them that the filter leaves. */
  private readonly matching = computed(() => {
    const filter = this.filter.value;
    return this.found.value.filter((license) => this.filters.value.get(license)?.has(filter));
  });
  /** The filters that show something, and the chosen one. */
  readonly offered = computed(() => {
    const counts = this.counts.value;
    return OFFERED_FILTERS.filter((filter) => filter === this.filter.value || counts[filter] > 0);
  });

  private readonly arrangement = signal(NOTHING_ARRANGED);
  /** The licenses that the table shows, in its order. */
  readonly shown = computed((): readonly License[] => {
    const { headings, shown } = this.arrangement.value;
    const byId = new Map(this.licenses.value.map((license) => [license.id, license]));
    const licenses: License[] = [];
    for (const id of headings.keys()) {
      const license = byId.get(id);
      if (license && shown.has(id)) licenses.push(license);
    }
    return licenses;
  });
  /** The same, below their headings; a single one, without a text, if the list is flat. */
  readonly groups = computed(() => {
    const { headings } = this.arrangement.value;
    const groups = groupBy(this.shown.value, ({ id }) => headings.get(id) ?? '');
    return [...groups].map(([heading, licenses]): Group => ({
      heading,
      licenses,
      seats: this.seatsOf(licenses),
    }));
  });
  /** For how many users the shown licenses are good. */
  readonly seats = computed(() => this.seatsOf(this.shown.value));
  /** On how many computers the shown licenses are, as far as their computers are known. */
  readonly computerCount = computed(() => groupBy(this.shown.value, computerKey).size);
  /** Whether there may be more computers: a license for a hardware key has none. */
  readonly hasUnknownComputers = computed(() =>
    this.shown.value.some((license) => {
      const { computer, binding } = license.facts;
      return computer === null && binding !== 'hardwareKey' && !isUnknownFile(license);
    }),
  );
  /** Of how many licenses of the list the owner and the PIN code are known, and of how many that are shown. */
  readonly known = computed(() => this.knownIn(this.licenses.value));
  readonly knownShown = computed(() => this.knownIn(this.shown.value));
  readonly isSearch = computed(() => this.search.value.trim() !== '');
  /** Whether some licenses are not shown. */
  readonly isPart = computed(() => this.shown.value.length < this.licenses.value.length);

  constructor(
    { licenses, minute, isReadingOn }: ViewInput,
    private readonly wording: Wording,
  ) {
    this.licenses = licenses;
    this.minute = minute;

    effect(() => {
      this.arrangement.value = arrange(this.arrangement.peek(), {
        licenses: licenses.value,
        matching: this.matching.value,
        filter: this.filter.value,
        search: this.search.value,
        order: this.order.value,
        isReadingOn: isReadingOn.value,
        headingOf: (license) => (this.order.value === 'term' ? this.assessmentOf(license).validity : ''),
        sortValue: this.sortValue(),
      });
    });

    const onlyId = computed(() => {
      const [only, other] = licenses.value;
      return other ? undefined : only?.id;
    });
    effect(() => {
      // Who gives a single file wants to see all that is in it.
      if (onlyId.value !== undefined) this.opened.value = new Set([onlyId.value]);
    });
    // What nobody follows keeps its last value, with the PIN codes and owners of licenses that were removed.
    const { assessments, filters, found, groups } = this;
    effect(() => {
      [assessments, filters, found, groups].forEach(({ value }) => value);
    });
  }

  readonly assessmentOf = (license: License): Assessment => this.assessments.value.get(license) ?? UNLISTED;

  /** The rows that are licenses; the others are copies of these, or something else. */
  licensesIn(rows: readonly License[]): readonly License[] {
    return rows.filter((row) => addsLicense(this.assessmentOf(row).whyNotCounted));
  }

  /** Chooses a filter; the chosen one gives way to all. */
  choose(filter: Filter): void {
    this.filter.value = filter === this.filter.value ? 'all' : filter;
  }

  /** The order in which someone should look at licenses: that of the table by term, and that in which they are read. */
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

  /** Sorts by a column, then the other way round, then by term. */
  sortBy(column: string): void {
    const order = this.order.value;
    const isSame = order !== 'term' && order.column === column;
    this.order.value = isSame && order.descending ? 'term' : { column, descending: isSame };
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

  private seatsOf(licenses: readonly License[]): Seats {
    return seatsOf(licenses, this.assessmentOf);
  }

  private knownIn(rows: readonly License[]) {
    const licenses = rows.filter((row) => !isUnknownFile(row));
    const owners = licenses.filter(({ facts }) => facts.owner !== null).length;
    const pins = licenses.filter(({ facts }) => facts.pin !== null).length;
    return { owners, pins, count: licenses.length };
  }

  private find(search: string): readonly License[] {
    const words = wordsOf(search);
    if (words.length === 0) return this.licenses.value;

    return this.licenses.value.filter((license) => matches(words, license, this.wording.words(license)));
  }

  private sortValue(): SortColumn['sortValue'] {
    const order = this.order.value;
    const column = order !== 'term' && this.wording.columns.find(({ id }) => id === order.column);
    return column ? column.sortValue : (license) => this.urgencyOf(license);
  }

  /** The smaller, the earlier someone should look at a license. Within a term, the date nearest to today comes first. */
  private urgencyOf(license: License): number {
    const rank = VALIDITIES.indexOf(this.assessmentOf(license).validity);
    const days = daysLeft(license, this.today.value) ?? 0;
    return rank * MAX_DAYS + Math.abs(days);
  }
}
