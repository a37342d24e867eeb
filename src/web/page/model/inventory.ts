import { batch, computed, signal, untracked } from '@preact/signals';
import { Arrivals, withArrivals, type Arrival, type Rows } from './arrivals.js';
import type { Source } from './facts.js';
import type { ChosenFile, License } from './license.js';
import { readFile } from './read-file.js';
import { rowsOf } from './sheet-rows.js';
import type { Comparison, Sheet } from './sheet.js';

/** Files that are read at a time, before those that are read become visible. */
const BATCH = 200;

/** What is in the list. */
interface Held {
  rows: Rows;
  sheet: Sheet | undefined;
}

/** What happened to the list, for the user to know and perhaps to undo. */
interface Event {
  removed: number;
  /** Files at paths that the list had already, with other bytes and with the same ones. */
  updated: number;
  unchanged: number;
  before: Held;
  /** Files that had not arrived before. */
  missing: readonly ChosenFile[];
}

const NOTHING: Held = { rows: new Map(), sheet: undefined };
const UNCHANGED: Comparison = { changes: new Map(), matched: new Map() };

/** The licenses that the user gave, and those of a list of another day. */
export class Inventory {
  private readonly held = signal(NOTHING);
  /** As it was when an addition, a removal or a reading had ended: what has not arrived yet is not gone. */
  private readonly settled = signal(NOTHING);
  readonly sheet = computed(() => this.held.value.sheet);
  private readonly rows = computed(() => [...this.held.value.rows.keys()]);
  private readonly given = computed(() => this.rows.value.filter(({ isGiven }) => isGiven));
  /** What has changed since the day of the sheet; nothing while there is nothing to compare. */
  readonly comparison = computed(() => {
    const { rows, sheet } = this.settled.value;
    if (!sheet || sheet !== this.sheet.value) return UNCHANGED;
    const [given, ofSheet] = [true, false].map((is) =>
      [...rows.keys()].filter(({ isGiven }) => isGiven === is),
    );
    if (!given?.length || !ofSheet) return UNCHANGED;
    // What one answer says is compared when all have come.
    return untracked(() => sheet.compare(given, ofSheet, sheet.isPartial));
  });
  readonly isCompared = computed(() => this.sheet.value !== undefined && this.given.value.length > 0);
  /** The rows of the page. */
  readonly licenses = computed(() => {
    const { matched } = this.comparison.value;
    const given = new Set(this.given.value.map(({ fingerprint }) => fingerprint));
    return this.rows.value.filter(
      (license) =>
        license.isGiven ||
        // The same bytes are the same row, before they are compared too.
        (!matched.has(license) && (license.fingerprint === null || !given.has(license.fingerprint))),
    );
  });
  /** How many files the user gave. */
  readonly files = computed(() => this.given.value.reduce((sum, { places }) => sum + places.value.length, 0));
  /** What is being read or waits for it. */
  readonly pending = computed<ReadonlySet<License>>(
    () => new Set(this.given.value.filter(({ isPending }) => isPending)),
  );
  /** How many licenses were read or failed. */
  readonly decided = computed(
    () => this.given.value.filter(({ isFailed, state }) => isFailed || state.name === 'done').length,
  );
  /** What happened last, until it is undone, hidden or something else happens. */
  readonly event = signal<Event | undefined>();
  /** Set before, too, while the folders of a drop are searched. */
  readonly isAdding = signal(false);
  private adding: Promise<unknown> = Promise.resolve();
  private additions = 0;
  /** How often the list was cleared, which ends the additions that are under way. */
  private clearings = 0;

  /** @param maxFileBytes the service's limit for one file */
  constructor(private readonly maxFileBytes: number) {
    const isReading = computed(() => this.pending.value.size > 0);
    const settle = () => {
      if (!this.isAdding.value) this.settled.value = { ...this.held.value };
    };
    // Each end of a reading too: it has learned PIN codes.
    for (const cause of [this.held, this.isAdding, isReading]) cause.subscribe(settle);
  }

  /**
   * Reads the clear text of files and adds them, the first ones as soon as they are read. A file at a path that the list
   * has already once takes the place of the old one, or changes nothing when it has the same bytes.
   */
  add(files: readonly ChosenFile[]): Promise<void> {
    const addition = ++this.additions;
    const clearings = this.clearings;
    this.isAdding.value = true;
    // One after the other, because each file is compared with those before it.
    const added = this.adding
      .then(() => this.addNow(files, () => clearings < this.clearings))
      .finally(() => (this.isAdding.value = addition < this.additions));
    // Who added the files is told of a failure; files that come later are added nevertheless.
    this.adding = added.catch(() => undefined);
    return added;
  }

  private async addNow(files: readonly ChosenFile[], isCleared: () => boolean): Promise<void> {
    if (!isCleared()) this.event.value = undefined;
    const before = this.held.value;
    const counts = { updated: 0, unchanged: 0 };
    const known = new Arrivals(before.rows);
    for (let start = 0; start < files.length; start += BATCH) {
      const part = files.slice(start, start + BATCH);
      // Side by side, because each waits for the disk; the ids still follow the order of the files.
      const contents = await Promise.all(part.map(({ file }) => readFile(file, this.maxFileBytes)));
      const { value: event } = this.event;
      if (isCleared()) {
        if (event) this.event.value = { ...event, missing: [...event.missing, ...files.slice(start)] };
        return;
      }
      const arrivals = part.flatMap(({ file, folder }, index): Arrival[] => {
        const content = contents[index];
        const arrival =
          content && known.arrive({ name: file.name, folder, file }, content, this.held.value.rows);
        if (arrival?.old) counts.updated += 1;
        if (!arrival) counts.unchanged += 1;
        return arrival ? [arrival] : [];
      });
      batch(() => {
        this.hold({ ...this.held.value, rows: withArrivals(this.held.value.rows, arrivals) });
        // What was removed meanwhile comes back without taking away what arrived since.
        if (event)
          this.event.value = {
            ...event,
            before: { ...event.before, rows: withArrivals(event.before.rows, arrivals) },
          };
      });
    }
    if (counts.updated + counts.unchanged > 0)
      this.event.value ??= { ...counts, removed: 0, before, missing: [] };
  }

  /** Removes licenses, and the rows of the list of another day that are the same ones. */
  remove(gone: Iterable<License>): void {
    const { held } = this;
    const before = held.value;
    const out = new Set(gone);
    for (const [row, licenses] of this.comparison.value.matched)
      if (licenses.every((license) => out.has(license))) out.add(row);
    const rows = new Map([...before.rows].filter(([license]) => !out.has(license)));
    const isSheetLeft = [...rows.keys()].some(({ isGiven }) => !isGiven);
    const removed = this.licenses.value.filter((license) => out.has(license)).length;
    batch(() => {
      this.hold({ rows, sheet: isSheetLeft ? before.sheet : undefined });
      this.event.value = { removed, updated: 0, unchanged: 0, before, missing: [] };
    });
  }

  /** Removes everything, files too that still arrive. */
  clear(): void {
    this.clearings += 1;
    this.remove(this.rows.value);
  }

  /** Brings back the list as it was before the last event. Nothing of it is sent by itself. */
  undo(): Promise<void> {
    const { value: event } = this.event;
    if (!event) return Promise.resolve();
    batch(() => {
      this.event.value = undefined;
      this.hold(event.before);
    });
    return this.add(event.missing);
  }

  /** Takes the list of another day in the place of the one before. */
  take(sheet: Sheet | undefined): void {
    const given = [...this.held.value.rows].filter(([{ isGiven }]) => isGiven);
    batch(() => {
      this.event.value = undefined;
      this.hold({ rows: new Map([...given, ...rowsOf(sheet)]), sheet });
      this.settled.value = this.held.value;
    });
  }

  /** The one way in which the list changes. */
  private hold(held: Held): void {
    const said = new Map<string | null, Source | undefined>();
    for (const { isGiven, fingerprint, known } of held.rows.keys())
      if (!isGiven && fingerprint !== null) said.set(fingerprint, known.sources[0]);
    this.held.value = held;
    for (const [license, places] of held.rows) {
      license.places.value = places;
      if (license.isGiven) license.ofSheet.value = said.get(license.fingerprint);
    }
  }
}
