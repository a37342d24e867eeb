import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import { compared, licensesOf, stillIn, UNCHANGED } from './compared.js';
import { changed, isOfFile, type Diff } from './copies.js';
import type { Copy, License } from './license.js';
import type { Comparison, Sheet } from './sheet.js';

/** The licenses that the user gave, and those of a list of another day. */
export class Inventory {
  readonly copies = signal<readonly Copy[]>([]);
  readonly sheet = signal<Sheet | undefined>();
  /** The rows of the sheet by their bytes. */
  readonly listed = signal<ReadonlyMap<string, License>>(new Map());
  readonly all = computed(() => licensesOf(this.copies.value));
  readonly given = computed(() => this.all.value.filter(({ isGiven }) => isGiven));
  /** What is being read or waits for it. */
  readonly pending = computed<ReadonlySet<License>>(
    () => new Set(this.given.value.filter(({ isPending }) => isPending)),
  );
  private readonly isReading = computed(() => this.pending.value.size > 0);
  private last: Comparison & { sheet?: Sheet | undefined } = UNCHANGED;
  /** What has changed since the day of the sheet; nothing while there is nothing to compare. */
  readonly comparison = computed((): Comparison => {
    const { last } = this;
    // What one answer says is compared when all have come: the end of a reading counts too.
    const [all, sheet] = [this.all.value, this.sheet.value, this.isReading.value];
    // What has not arrived yet is not gone.
    if (this.isAdding.value) this.last = last.sheet === sheet ? stillIn(all, last) : UNCHANGED;
    else this.last = { ...compared(all, sheet), sheet };
    return this.last;
  });
  readonly isCompared = computed(() => this.comparison.value.changes !== UNCHANGED.changes);
  /** The rows of the page. */
  readonly licenses = computed(() => {
    const { matched } = this.comparison.value;
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
  change(diff: Diff, sheet: Sheet | undefined): void {
    const copies = changed(this.copies.value, diff);
    const touched = licensesOf([...diff.out, ...diff.into]);
    const places = new Map(touched.map((license): [License, Copy[]] => [license, []]));
    for (const copy of copies) places.get(copy.license)?.push(copy);
    batch(() => {
      this.copies.value = copies;
      this.sheet.value = sheet;
      for (const [license, its] of places) license.places.value = its;
      if (touched.every(({ isGiven }) => isGiven)) return;
      const rows = this.all.value.filter(({ isGiven }) => !isGiven);
      this.listed.value = new Map(rows.map((row) => [row.fingerprint ?? '', row]));
    });
  }
}
