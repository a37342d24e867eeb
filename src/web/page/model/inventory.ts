import { batch, computed, signal, untracked, type ReadonlySignal } from '@preact/signals';
import { changed, isOfFile, licensesOf, sheetOf, type Copy, type Diff } from './copies.js';
import { compare } from './comparison.js';
import type { License } from './license.js';
import type { Matches, Sheet } from './sheet.js';

/** What has changed since the day of a sheet. */
interface Comparison extends Matches {
  sheet?: Sheet;
  /** Whether the sheet is a part of a list, or lacks so much that it looks like one: then nothing is called new. */
  isPart: boolean;
}

const NOT_COMPARED: Comparison = { changes: new Map(), rowsOf: new Map(), isPart: false };

/** Compares what the user gave with the rows of a sheet, once both are there. */
export function compared(copies: readonly Copy[]): Comparison {
  const [licenses, sheet] = [licensesOf(copies), sheetOf(copies)];
  const given = licenses.filter(({ isGiven }) => isGiven);
  const rows = licenses.filter(({ isGiven }) => !isGiven);
  if (!sheet || given.length === 0) return NOT_COMPARED;
  const { changes, rowsOf } = untracked(() => compare(given, rows));
  const isPart = sheet.isPart || given.length > 2 * rowsOf.size;
  const told = [...changes].filter(([, { name }]) => !isPart || name !== 'new');
  return { sheet, changes: new Map(told), rowsOf, isPart };
}

/** A comparison without what has left the list, of which nothing may be kept. */
function stillIn(licenses: readonly License[], comparison: Comparison): Comparison {
  const there = new Set(licenses);
  const isThere = ([license]: readonly [License, unknown]) => there.has(license);
  const changes = new Map([...comparison.changes].filter(isThere));
  return { ...comparison, changes, rowsOf: new Map([...comparison.rowsOf].filter(isThere)) };
}

/** The licenses that the user gave, and those of a list of another day. */
export class Inventory {
  readonly copies = signal<readonly Copy[]>([]);
  readonly sheet = computed(() => sheetOf(this.copies.value));
  /** The rows of the sheet by their bytes. */
  readonly listed = signal<ReadonlyMap<string, License>>(new Map());
  readonly all = computed(() => licensesOf(this.copies.value));
  readonly given = computed(() => this.all.value.filter(({ isGiven }) => isGiven));
  /** What is being read or waits for it. */
  readonly pending = computed<ReadonlySet<License>>(
    () => new Set(this.given.value.filter(({ isPending }) => isPending)),
  );
  private readonly isReading = computed(() => this.pending.value.size > 0);
  private last = NOT_COMPARED;
  readonly comparison = computed((): Comparison => {
    // What one answer says is compared when all have come: the end of a reading counts too.
    const [copies] = [this.copies.value, this.isReading.value];
    // What has not arrived yet is not gone.
    if (!this.isAdding.value) this.last = compared(copies);
    else this.last = this.last.sheet === this.sheet.value ? stillIn(this.all.value, this.last) : NOT_COMPARED;
    return this.last;
  });
  readonly isCompared = computed(() => this.comparison.value.sheet !== undefined);
  /** The rows of the sheet that are licenses of today. */
  readonly matched = computed<ReadonlySet<License>>(
    // Licenses of one key share their rows.
    () => new Set([...new Set(this.comparison.value.rowsOf.values())].flat()),
  );
  /** The rows of the page. */
  readonly licenses = computed(() => {
    const { value: matched } = this.matched;
    const given = new Set(this.given.value.map(({ fingerprint }) => fingerprint));
    return this.all.value.filter(
      (license) =>
        license.isGiven ||
        // The same bytes are the same row, before they are compared too.
        (!matched.has(license) && (license.fingerprint === null || !given.has(license.fingerprint))),
    );
  });
  /** How many files the user gave. */
  readonly files = computed(() => this.copies.value.filter(isOfFile).length);
  /** How many licenses were read or failed. */
  readonly decided = computed(
    () => this.given.value.filter(({ isFailed, state }) => isFailed || state.name === 'done').length,
  );

  /** @param isAdding whether more is on its way */
  constructor(private readonly isAdding: ReadonlySignal<boolean>) {}

  /** The one way in which the list changes. */
  change(diff: Diff): void {
    const copies = changed(this.copies.value, diff);
    const touched = licensesOf([...diff.out, ...diff.into]);
    const places = new Map(touched.map((license): [License, Copy[]] => [license, []]));
    for (const copy of copies) places.get(copy.license)?.push(copy);
    batch(() => {
      this.copies.value = copies;
      for (const [license, its] of places) license.places.value = its;
      const rows = this.all.value.filter(({ isGiven }) => !isGiven);
      this.listed.value = new Map(rows.map((row) => [row.fingerprint ?? '', row]));
    });
  }
}
