import { batch, computed, signal, untracked, type ReadonlySignal } from '@preact/signals';
import type { Change } from './comparison.js';
import type { License } from './license.js';
import { byChange, byColumn, byUrgency, sortedBy, type Column, type Describe, type Sort } from './order.js';
import { matches, searchOf } from './search.js';
import { standingsOf, type Standing } from './standing.js';
import type { State } from './state.js';
import { TILES, tilesOf, totalOf, type Tile } from './tiles.js';

/** Days before its end in which a license can be said to expire soon. */
export const HORIZONS = [30, 60, 90, 180];

/** What a view needs to know. */
interface Shown {
  /** All rows, and what became of them since the day of the sheet, by their ids. */
  readonly licenses: ReadonlySignal<readonly License[]>;
  readonly changes: ReadonlySignal<ReadonlyMap<number, Change>>;
  /** YYYY-MM-DD */
  readonly today: ReadonlySignal<string>;
  readonly state: ReadonlySignal<Pick<State, 'arrangements'>>;
}

/** What the user looks at: a tile, a search, an order and the license whose details are open. */
export class View {
  readonly tile = signal<Tile>('all');
  readonly search = signal('');
  readonly sort = signal<Sort | undefined>();
  /** Days. */
  readonly horizon = signal(90);
  /** The id of a license. */
  readonly chosen = signal<number | undefined>();
  /** The id of a license that has come back and takes the focus. */
  readonly toFocus = signal<number | undefined>();
  /** What screen readers are told; another count has them say the same text again. */
  readonly announcement = signal({ text: '', count: 0 });

  readonly licenses: Shown['licenses'];
  readonly changes: Shown['changes'];
  readonly today: Shown['today'];

  /** Of a license that has left the list nothing is shown. */
  readonly open = computed(() => this.licenses.value.find(({ id }) => id === this.chosen.value));
  /** All but those that were in the sheet and are not there today. */
  readonly present = computed(() => this.licenses.value.filter((license) => !this.isGone(license)));
  readonly standings = computed(() => standingsOf(this.present.value, this.today.value));

  private readonly tiles = computed(() => {
    const rules = {
      standings: this.standings.value,
      changes: this.changes.value,
      horizon: this.horizon.value,
      today: this.today.value,
    };
    return new Map(this.licenses.value.map((license) => [license, tilesOf(license, rules)]));
  });
  private readonly found = computed(() => {
    const search = searchOf(this.search.value);
    const isAll = 'words' in search && search.words.length === 0;
    if (isAll) return this.licenses.value;
    return this.licenses.value.filter((license) => matches(search, license, this.describe(license)));
  });
  /** What the search leaves comes to. */
  readonly totals = computed(() => totalOf(this.found.value, this.tiles.value, this.today.value));
  /** The tiles that show something of the whole list. */
  readonly offered = stable(() => {
    const { counts } = totalOf(this.licenses.value, this.tiles.value, this.today.value);
    return TILES.filter((tile) => tile === this.tile.value || counts[tile] > 0);
  });

  /** Why rows get another order: what the user chose, and what several answers have told. */
  private readonly reasons = computed(() => [
    this.tile.value,
    this.search.value,
    this.sort.value,
    this.horizon.value,
    this.arrangements.value,
  ]);
  private readonly arrangements: ReadonlySignal<number>;
  /** The places that the rows were given, by their ids, and the reasons that there were then. */
  private arranged: { reasons?: unknown; places: ReadonlyMap<number, number> } = { places: new Map() };
  /**
   * The rows in their order. While others are read, no row moves: they keep their places until there is a reason for a new
   * order or a new row. `reasons` is computed, so it is another object exactly when one of its parts has changed.
   */
  private readonly ordered = computed(() => {
    const reasons = this.reasons.value;
    const licenses = this.licenses.value;
    const { places } = this.arranged;
    const hasNew = licenses.some(({ id }) => !places.has(id));
    if (!hasNew && this.arranged.reasons === reasons) {
      return sortedBy(licenses, ({ id }) => places.get(id) ?? 0);
    }

    const ordered = untracked(() => this.arrange(licenses));
    this.arranged = { reasons, places: new Map(ordered.map(({ id }, place) => [id, place])) };
    return ordered;
  });
  /** The licenses that the table shows, in its order. */
  readonly shown = stable(() => {
    const found = new Set(this.found.value);
    const tile = this.tile.value;
    return this.ordered.value.filter((license) => found.has(license) && this.passes(tile, license));
  });
  /** Whether some licenses of today are not shown. */
  readonly isPart = computed(() => {
    const shown = new Set(this.shown.value);
    return this.present.value.some((license) => !shown.has(license));
  });

  /** @param describe what is searched, and sorted where it is no number */
  constructor(
    { licenses, changes, today, state }: Shown,
    private readonly describe: Describe,
  ) {
    this.licenses = licenses;
    this.changes = changes;
    this.today = today;
    this.arrangements = computed(() => state.value.arrangements);
  }

  /** Whether a license was in the sheet and is not there today. It counts in no sum. */
  isGone({ id }: License): boolean {
    return this.changes.value.get(id)?.name === 'gone';
  }

  /** Whether a tile shows a license. */
  passes(tile: Tile, license: License): boolean {
    return this.tiles.value.get(license)?.has(tile) ?? false;
  }

  standingOf(license: License): Standing | undefined {
    return this.standings.value.of.get(license);
  }

  /** Chooses a tile; the chosen one gives way to all. The default order takes the place of the user's. */
  choose(tile: Tile): void {
    batch(() => {
      this.tile.value = tile === this.tile.value ? 'all' : tile;
      this.sort.value = undefined;
    });
  }

  /** Shows all rows that a search leaves. */
  showAll(search = ''): void {
    batch(() => {
      this.tile.value = 'all';
      this.search.value = search;
    });
  }

  /** Sorts by a column, then the other way round, then not at all. */
  sortBy(column: Column): void {
    const { value } = this.sort;
    if (value?.column !== column) this.sort.value = { column, descending: false };
    else this.sort.value = value.descending ? undefined : { column, descending: true };
  }

  /** Opens a license, and shows it. */
  goTo(license: License): void {
    batch(() => {
      if (!this.shown.value.includes(license)) this.showAll();
      this.chosen.value = license.id;
    });
  }

  /** Has screen readers say a text, also the same one again. */
  announce(text: string): void {
    this.announcement.value = { text, count: this.announcement.peek().count + 1 };
  }

  private arrange(licenses: readonly License[]): readonly License[] {
    if (this.sort.value) return byColumn(licenses, this.sort.value, this.describe);
    if (this.tile.value === 'expired')
      return byColumn(licenses, { column: 'validUntil', descending: true }, this.describe);
    const urgency = {
      today: this.today.value,
      horizon: this.horizon.value,
      standings: this.standings.value.of,
    };
    const urgent = byUrgency(licenses, urgency);
    return this.tile.value === 'changes' ? byChange(urgent, this.changes.value) : urgent;
  }
}

/** A computed list that stays the same one while it has the same elements, so that nothing is drawn anew. */
function stable<Element>(compute: () => readonly Element[]): ReadonlySignal<readonly Element[]> {
  let last: readonly Element[] | undefined;
  return computed(() => {
    const next = compute();
    const before = last;
    const isSame =
      before?.length === next.length && next.every((element, index) => element === before[index]);
    if (!isSame) last = next;
    return isSame ? before : next;
  });
}
