import { batch, computed, signal } from '@preact/signals';
import {
  arrive,
  changed,
  isOfFile,
  joined,
  licensesOf,
  rowsOf,
  type Arrival,
  type Copy,
  type Diff,
  type ReadFile,
} from './copies.js';
import { compared, Inventory } from './inventory.js';
import { License, type ChosenFile } from './license.js';
import { readFile } from './read-file.js';
import type { Sheet } from './sheet.js';

/** Files that are read at a time, before those that are read become visible. */
const BATCH = 200;

/** What the user gives at once. */
export interface Given {
  files: readonly ChosenFile[];
  sheet?: Sheet | undefined;
}

/** What happened to the list, for the user to know and perhaps to undo: the difference that it made. */
export interface ListEvent extends Diff {
  removed: number;
  /** Files at paths that the list had already, with other bytes and with the same ones. */
  updated: number;
  unchanged: number;
}

const NO_EVENT: ListEvent = { out: [], into: [], removed: 0, updated: 0, unchanged: 0 };

/** Files that are on their way, and where they go: after Clear to what Undo brings back, and without that nowhere. */
interface Addition {
  goesTo: 'list' | 'event' | 'nowhere';
  wasCleared: boolean;
  /** The paths that have arrived. */
  readonly seen: Set<string>;
  /** The licenses that are new. Holds nothing that leaves the list meanwhile. */
  readonly made: WeakSet<License>;
}

/** What the user does to the list, and the way back. */
export class Edits {
  private readonly additions = signal<readonly Addition[]>([]);
  /** Whether folders are searched, files are read, or a sheet is. */
  readonly isAdding = computed(() => this.additions.value.length > 0);
  readonly inventory = new Inventory(this.isAdding);
  /** What happened last, until it is undone, hidden or something else happens. */
  readonly event = signal<ListEvent | undefined>();
  private queue = Promise.resolve();

  /** @param maxFileBytes the service's limit for one file */
  constructor(private readonly maxFileBytes: number) {}

  /**
   * Reads the clear text of files and adds them, the first ones as soon as they are read. A file at a path that the list
   * has already once takes the place of the old one, or changes nothing when it has the same bytes.
   * @returns the licenses that are new in the list
   */
  async add(given: Given | Promise<Given>): Promise<readonly License[]> {
    const addition: Addition = { goesTo: 'list', wasCleared: false, seen: new Set(), made: new WeakSet() };
    this.additions.value = [...this.additions.value, addition];
    try {
      const found = await given;
      // One after the other, because each file is compared with those before it.
      const added = this.queue.then(() => this.addNow(addition, found));
      // Who added the files is told of a failure; files that come later are added nevertheless.
      this.queue = added.catch(() => undefined);
      await added;
    } finally {
      this.additions.value = this.additions.value.filter((other) => other !== addition);
    }
    return addition.wasCleared
      ? []
      : this.inventory.given.value.filter((license) => addition.made.has(license));
  }

  private async addNow(addition: Addition, { files, sheet }: Given): Promise<void> {
    if (addition.goesTo === 'list' && files.length > 0) this.hide();
    if (sheet) this.take(sheet, addition.goesTo);
    for (let start = 0; start < files.length && addition.goesTo !== 'nowhere'; start += BATCH) {
      // Side by side, because each waits for the disk; they keep their order.
      const read = await Promise.all(
        files
          .slice(start, start + BATCH)
          .map(async (chosen) => ({ ...chosen, content: await readFile(chosen.file, this.maxFileBytes) })),
      );
      batch(() => this.arrive(addition, read));
    }
  }

  private arrive({ goesTo, seen, made }: Addition, files: readonly ReadFile[]): void {
    if (goesTo === 'nowhere') return;
    const { value: event = NO_EVENT } = this.event;
    const [list, left] = goesTo === 'event' ? [event.out, []] : [this.inventory.copies.value, event.out];
    const arrival = arrive(files, list.filter(isOfFile), left.filter(isOfFile), seen, (content) => {
      const license = new License({ ...content, listed: this.inventory.listed });
      made.add(license);
      return license;
    });
    this.put(arrival.diff, goesTo);
    const isTold = arrival.updated + arrival.unchanged > 0 || left.length > 0;
    if (goesTo === 'list' && isTold) this.tell(event, arrival);
  }

  /** Changes the list, or what Undo brings back. */
  private put(diff: Diff, goesTo: Addition['goesTo']): void {
    const { value: event = NO_EVENT } = this.event;
    if (goesTo === 'list') this.inventory.change(diff);
    else {
      const out = changed(event.out, diff);
      const removed = event.removed + licensesOf(out).length - licensesOf(event.out).length;
      this.event.value = { ...event, out, removed };
    }
  }

  /** Has the last event tell of files at known paths, and forget what has come back. */
  private tell(event: ListEvent, { diff, told, updated, unchanged }: Arrival): void {
    const arrived = new Set(diff.into.map(({ license }) => license));
    const back = licensesOf(event.out.filter(isOfFile)).filter((license) => arrived.has(license));
    // With it come the rows of the sheet that went along.
    const { rowsOf } = compared(back.length > 0 ? event.out : []);
    const their = new Set(back.flatMap((license) => rowsOf.get(license) ?? []));
    const rows = event.out.filter(({ license }) => their.has(license));
    if (rows.length > 0) this.inventory.change({ out: [], into: rows });
    this.event.value = {
      ...joined(event, { out: told.out, into: [...told.into, ...rows] }),
      removed: Math.max(0, event.removed - back.length),
      updated: event.updated + updated,
      unchanged: event.unchanged + unchanged,
    };
  }

  /** Removes licenses, and the rows of the list of another day that are the same ones. */
  remove(gone: readonly License[]): void {
    const out = new Set(gone);
    // Found now, also while files arrive: to find them later would mean to keep what was removed.
    const { rowsOf } = compared(this.inventory.copies.value);
    const kept = new Set([...rowsOf].flatMap(([license, rows]) => (out.has(license) ? [] : rows)));
    for (const row of gone.flatMap((license) => rowsOf.get(license) ?? [])) if (!kept.has(row)) out.add(row);
    this.leave(out, gone.length);
  }

  /** Removes everything. What still arrives waits for Undo. */
  clear(): void {
    this.leave(new Set(this.inventory.all.value), this.inventory.licenses.value.length);
    for (const addition of this.additions.value)
      if (addition.goesTo === 'list') [addition.goesTo, addition.wasCleared] = ['event', true];
  }

  private leave(gone: ReadonlySet<License>, removed: number): void {
    const out = this.inventory.copies.value.filter(({ license }) => gone.has(license));
    this.hide();
    this.inventory.change({ out, into: [] });
    this.event.value = { ...NO_EVENT, out, removed };
  }

  /** Reverses the last event. */
  undo(): void {
    const { value: event } = this.event;
    if (!event) return;
    for (const addition of this.additions.value) if (addition.goesTo === 'event') addition.goesTo = 'list';
    this.hide();
    this.inventory.change({ out: event.into, into: event.out });
  }

  /** Forgets the last event, with what still arrives for it. */
  hide(): void {
    for (const addition of this.additions.value) if (addition.goesTo === 'event') addition.goesTo = 'nowhere';
    this.event.value = undefined;
  }

  /** Takes the list of another day in the place of the one before, also in what Undo brings back. */
  take(sheet: Sheet | undefined, goesTo: Addition['goesTo'] = 'list'): void {
    if (goesTo === 'nowhere') return;
    const { value: event = NO_EVENT } = this.event;
    const [list, left] = goesTo === 'event' ? [event.out, []] : [this.inventory.copies.value, event.out];
    const isRow = (copy: Copy) => !isOfFile(copy);
    const files = left.filter(isOfFile);
    if (files.length < left.length)
      this.event.value = files.length > 0 ? { ...event, out: files } : undefined;
    this.put({ out: list.filter(isRow), into: sheet ? rowsOf(sheet) : [] }, goesTo);
  }
}
