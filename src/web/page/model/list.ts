import { batch, computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import type { License } from './license.js';
import { byChange, byColumn, byUrgency, sortedBy, type Column, type Describe, type Sort } from './order.js';
import { matches, searchOf } from './search.js';
import type { Change } from './sheet.js';
import { standingsOf, type Standing } from './standing.js';
import { TILES, tilesOf, totalOf, type Tile } from './tiles.js';

/** Days before its end in which a license can be said to expire soon. */
export const HORIZONS = [30, 60, 90, 180];

/** What the user looks at: a tile, a search, an order and the license whose details are open. */
export class List {
  readonly tile = signal<Tile>('all');
  readonly search = signal('');
  readonly sort = signal<Sort | undefined>();
  /** Days. */
  readonly horizon = signal(90);
  /** Of a license that has left the list nothing is shown. */
  readonly open = computed(() => this.licenses.value.find(({ id }) => id === this.chosen.value));
  /** The id of a license. */
  readonly chosen = signal<number | undefined>();
  /** The id of a license that has come back and takes the focus. */
  readonly toFocus = signal<number | undefined>();

  private readonly present = computed(() => this.licenses.value.filter((license) => !this.isGone(license)));
  readonly standings = computed(() => standingsOf(this.present.value, this.today.value));
  private readonly rules = computed(() => {
    const [standings, changes] = [this.standings.value, this.changes.value];
    return { standings, changes, horizon: this.horizon.value, today: this.today.value };
  });
  private readonly tiles = computed(
    () => new Map(this.licenses.value.map((license) => [license, tilesOf(license, this.rules.value)])),
  );
  private readonly found = computed(() => {
    const search = searchOf(this.search.value);
    const isAll = 'words' in search && search.words.length === 0;
    return this.licenses.value.filter((license) => isAll || matches(search, license, this.describe(license)));
  });
  /** What the search leaves comes to. */
  readonly totals = computed(() => totalOf(this.found.value, this.tiles.value, this.rules.value));
  /** The tiles that show something of the whole list. */
  readonly offered = stable(() => {
    const { counts } = totalOf(this.licenses.value, this.tiles.value, this.rules.value);
    return TILES.filter((tile) => tile === this.tile.value || counts[tile] > 0);
  });
  /** The licenses that the table shows, in its order. */
  readonly shown = stable(() => {
    const found = new Set(this.found.value);
    return this.order.value.filter((license) => found.has(license) && this.passes(this.tile.value, license));
  });
  /** Whether some licenses of today are not shown. */
  readonly isPart = computed(() => {
    const shown = new Set(this.shown.value);
    return this.present.value.some((license) => !shown.has(license));
  });

  /** What the user chose, the last reading and the last comparison decide on the order. */
  private readonly reasons = computed(() => [
    this.tile.value,
    this.search.value,
    this.sort.value,
    this.horizon.value,
    this.readings.value,
    this.changes.value,
  ]);
  /** The order as it was when there was the last reason for one, or a new row: no row moves while it is read. */
  private readonly order = computed<readonly License[]>((): readonly License[] => {
    const reasons = this.reasons.value;
    const licenses = this.licenses.value;
    const { made } = this;
    if (made.reasons !== reasons || licenses.some((license) => !made.places.has(license))) {
      const arranged = untracked(() => this.arrange(licenses));
      this.made = { reasons, places: new WeakMap(arranged.map((license, place) => [license, place])) };
      return arranged;
    }
    return sortedBy(licenses, (license) => made.places.get(license) ?? 0);
  });
  private made: { reasons?: unknown; places: WeakMap<License, number> } = { places: new WeakMap() };

  /**
   * @param licenses all of them
   * @param today YYYY-MM-DD
   * @param describe what is searched, and sorted where it is no number
   * @param readings how many readings of several files have ended or paused
   * @param changes what became of licenses since a day with which they are compared
   */
  constructor(
    readonly licenses: ReadonlySignal<readonly License[]>,
    readonly today: ReadonlySignal<string>,
    private readonly describe: Describe,
    private readonly readings: ReadonlySignal<number> = signal(0),
    readonly changes: ReadonlySignal<ReadonlyMap<License, Change>> = signal(new Map()),
  ) {
    // Nobody looks at an empty list, and what was computed last would keep what has left it.
    effect(() => {
      if (licenses.value.length === 0) [this.shown, this.totals].forEach((part) => part.peek());
    });
  }

  /** Whether a license was in the list of another day and is not there today. It counts in no sum. */
  isGone(license: License): boolean {
    return this.changes.value.get(license)?.name === 'gone';
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
    const descending = value?.column === column;
    this.sort.value = descending && value.descending ? undefined : { column, descending };
  }

  /** Opens a license, and shows it. */
  goTo(license: License): void {
    batch(() => {
      if (!this.shown.value.includes(license)) this.showAll();
      this.chosen.value = license.id;
    });
  }

  private arrange(licenses: readonly License[]): readonly License[] {
    if (this.sort.value) return byColumn(licenses, this.sort.value, this.describe);
    if (this.tile.value === 'expired')
      return byColumn(licenses, { column: 'validUntil', descending: true }, this.describe);
    const standings = this.standings.value.of;
    const urgent = byUrgency(licenses, { today: this.today.value, horizon: this.horizon.value, standings });
    return this.tile.value === 'changes' ? byChange(urgent, this.changes.value) : urgent;
  }
}

/** A computed list that stays the same one while it has the same elements, so that nothing is drawn anew. */
function stable<Element>(compute: () => readonly Element[]): ReadonlySignal<readonly Element[]> {
  let last: readonly Element[] | undefined;
  return computed(() => {
    const next = compute();
    if (last?.length === next.length && next.every((element, index) => element === last?.[index]))
      return last;
    return (last = next);
  });
}
