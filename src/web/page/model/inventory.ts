import { batch, computed, signal } from '@preact/signals';
import { readLicenseFile } from '../../../license/file-fields.js';
import { Content, type Failure } from './content.js';
import { isFailed, isFile, isPending, pathOf, stateOf, type ChosenFile, type Item } from './item.js';
import { ofClearText, type Source } from './facts.js';
import type { Comparison, Sheet } from './sheet.js';

/** Files that are read at a time, before those that are read become visible. */
const BATCH = 100;
const BYTES_PER_MB = 1024 ** 2;

/** Files at paths that the list had already. */
interface Again {
  /** Other bytes than before; the new item has taken the place of the old one. */
  updated: ReadonlyMap<Item, Item>;
  /** The same bytes as before; not in the list. */
  unchanged: readonly Item[];
}

/** All rows, those included that were removed and can come back. */
export class Inventory {
  /** The rows that the list has. */
  readonly items = computed(() => {
    const { found } = this.comparison.value;
    return this.all.value.filter((item) => !this.removed.value.has(item) && !found.has(item));
  });
  /** The list of another day that was given. */
  readonly sheet = signal<Sheet | undefined>();
  /** What has changed since then; empty while there is nothing to compare. */
  readonly comparison = computed(() => this.compare());
  readonly isCompared = computed(() => this.sheet.value !== undefined && this.all.value.some(isFile));
  /** The contents that are being read or wait for it. */
  readonly pending = computed<ReadonlySet<Content>>(
    () => new Set(this.items.value.filter(isPending).map(({ content }) => content)),
  );
  /** How many rows were read or failed. */
  readonly decided = computed(
    () => this.items.value.filter((item) => stateOf(item).name === 'done' || isFailed(item)).length,
  );
  /** What the last files had in common with those before them. */
  readonly again = signal<Again | undefined>();
  /** What was removed last and can come back, until files are added. */
  readonly removed = signal<ReadonlySet<Item>>(new Set());
  private readonly all = signal<readonly Item[]>([]);
  private readonly contents = new Map<string, Content>();
  /** What the list of another day says, by fingerprint. */
  private known: ReadonlyMap<string, Source> = new Map();
  private compared = UNCHANGED;
  private readonly isAdding = signal(false);
  private lastId = 0;
  private adding: Promise<unknown> = Promise.resolve();
  private additions = 0;
  /** Files of the additions up to this one arrive among what was removed. */
  private clearedUpTo = 0;

  /** @param maxFileBytes the service's limit for one file; what is larger would cost a decode in vain */
  constructor(private readonly maxFileBytes: number) {}

  /**
   * Reads the clear text of files and adds them, the first ones as soon as they are read. A file at a path that the list
   * has already takes the place of the old one, or is left out when it has the same bytes.
   */
  add(files: readonly ChosenFile[]): Promise<void> {
    const addition = ++this.additions;
    this.isAdding.value = true;
    // One after the other, because each file is compared with those before it.
    const added = this.adding
      .then(() => this.addNow(files, addition))
      .finally(() => (this.isAdding.value = addition < this.additions));
    // Who added the files is told of a failure; files that come later are added nevertheless.
    this.adding = added.catch(() => undefined);
    return added;
  }

  private async addNow(files: readonly ChosenFile[], addition: number): Promise<void> {
    const isCleared = () => addition <= this.clearedUpTo;
    if (!isCleared()) this.forgetRemoved();
    // Two files of one drop differ even when their paths do not: two servers may have a folder of the same name.
    const before = new Map(this.items.value.filter(isFile).map((item) => [pathOf(item), item]));
    const updated = new Map<Item, Item>();
    const unchanged: Item[] = [];
    for (let start = 0; start < files.length; start += BATCH) {
      const part = files.slice(start, start + BATCH);
      // Side by side, because each waits for the disk; the ids still follow the order of the files.
      const bytes = await Promise.all(part.map(({ file }) => this.bytesOf(file)));
      const fresh: Item[] = [];
      const replaced = new Map<Item, Item>();
      for (const [index, { file, folder }] of part.entries()) {
        const content = this.contentOf(file, bytes[index] ?? GONE);
        const item = { id: ++this.lastId, name: file.name, folder, content };
        const old = before.get(pathOf(item));
        before.delete(pathOf(item));
        if (!old || !this.items.value.includes(old)) fresh.push(item);
        else if (isSame(old.content, content)) unchanged.push(item);
        else replaced.set(old, { ...item, id: old.id });
      }
      for (const [old, item] of replaced) updated.set(item, old);
      batch(() => {
        this.all.value = [...this.all.value.map((item) => replaced.get(item) ?? item), ...fresh];
        if (isCleared()) this.removed.value = new Set([...this.removed.value, ...fresh]);
      });
    }
    this.again.value = updated.size + unchanged.length > 0 ? { updated, unchanged } : undefined;
  }

  /** Keeps the files at paths that were in the list already, each beside the old one. */
  keepBoth(): void {
    const { updated, unchanged } = this.again.value ?? { updated: new Map<Item, Item>(), unchanged: [] };
    const both = (item: Item) => {
      const old = updated.get(item);
      return old ? [{ ...old, id: ++this.lastId }, item] : [item];
    };
    batch(() => {
      this.all.value = [...this.all.value.flatMap(both), ...unchanged];
      this.again.value = undefined;
    });
  }

  remove(gone: readonly Item[]): void {
    batch(() => {
      this.forgetRemoved();
      this.removed.value = new Set(gone);
      this.again.value = undefined;
    });
  }

  /** Removes everything, files too that still arrive. */
  clear(): void {
    this.remove(this.items.value);
    this.clearedUpTo = this.additions;
  }

  /** Takes the list of another day in the place of the one before. */
  take(sheet: Sheet | undefined): void {
    const known = new Map<string, Source>();
    const rows = (sheet?.rows ?? []).map(({ name, folder, fingerprint, source, error }): Item => {
      if (fingerprint && source && !known.has(fingerprint)) known.set(fingerprint, source);
      const said = /[а-я]/i.test(error ?? '') ? 'ru' : 'en';
      const failure =
        error === null
          ? undefined
          : ({ problem: { text: error, language: said, requestId: null }, canRetry: false } as const);
      const content = new Content(null, source && [source], failure, fingerprint);
      return { id: ++this.lastId, name, folder, content, day: sheet?.day ?? '' };
    });
    batch(() => {
      this.forgetRemoved();
      this.all.value = [...this.all.value.filter(isFile), ...rows];
      this.learn(sheet, known);
    });
  }

  /** @param known what the sheet says, by fingerprint */
  private learn(sheet: Sheet | undefined, known: ReadonlyMap<string, Source>): void {
    this.sheet.value = sheet;
    this.known = known;
    for (const [fingerprint, content] of this.contents) content.listed.value = known.get(fingerprint);
  }

  undoRemoval(): void {
    this.clearedUpTo = 0;
    this.removed.value = new Set();
  }

  /** Gives up what was removed. */
  forgetRemoved(): void {
    const { value: removed } = this.removed;
    const { found } = this.comparison.value;
    const isKept = (item: Item | undefined) => !item || !removed.has(item);
    batch(() => {
      this.all.value = this.all.value.filter((item) => isKept(item) && isKept(found.get(item)));
      this.removed.value = new Set();
      if (this.all.value.every(isFile)) this.learn(undefined, new Map());
    });
  }

  private compare(): Comparison {
    const files = this.all.value.filter(isFile);
    const rows = this.all.value.filter((item) => !isFile(item));
    const { value: sheet } = this.sheet;
    // What has not arrived yet is not gone.
    if (this.isAdding.value) return this.compared;
    const isAlone = !sheet || files.length === 0;
    this.compared = isAlone ? UNCHANGED : sheet.compare(files, rows, sheet.isPartial);
    return this.compared;
  }

  /** The bytes of a file that can be sent, else why it cannot. */
  private async bytesOf(file: File): Promise<Uint8Array | Failure> {
    if (file.size === 0) return { problem: { key: 'emptyFile' }, canRetry: false };
    if (file.size > this.maxFileBytes) {
      const size = Math.floor(this.maxFileBytes / BYTES_PER_MB);
      return { problem: { key: 'tooLarge', values: { size } }, canRetry: false };
    }
    try {
      return new Uint8Array(await file.arrayBuffer());
    } catch {
      return GONE;
    }
  }

  /** The content of a file, the known one when its bytes are known. */
  private contentOf(file: File, bytes: Uint8Array | Failure): Content {
    if (!(bytes instanceof Uint8Array)) return new Content(file, [], bytes);
    const key = fingerprintOf(bytes);
    let content = this.contents.get(key);
    if (!content) {
      const { file: clearText } = readLicenseFile(bytes);
      content = new Content(file, clearText ? [ofClearText(clearText)] : [], undefined, key);
      content.listed.value = this.known.get(key);
      this.contents.set(key, content);
    }
    return content;
  }
}

/** Of a file that cannot be sent the bytes are not read, so its size has to do. */
const isSame = (a: Content, b: Content) =>
  a === b || (a.state.name === 'unfit' && b.state.name === 'unfit' && a.file?.size === b.file?.size);

const UNCHANGED: Comparison = { changes: new Map(), found: new Map() };

const GONE: Failure = { problem: { key: 'fileGone' }, canRetry: true };

/** Two sums of 32 bits, since `crypto.subtle` exists over HTTPS only: of a million files no two are likely to share it. */
function fingerprintOf(bytes: Uint8Array): string {
  let [a, b] = [0x811c9dc5, bytes.length];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(((b << 5) | (b >>> 27)) ^ byte, 0x85ebca6b);
  }
  return [a, b].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('');
}
