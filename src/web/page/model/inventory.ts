import { batch, computed, signal } from '@preact/signals';
import { readLicenseFile } from '../../../license/file-fields.js';
import { isPending, pathOf, type Content, type Item, type ChosenFile } from './item.js';
import { problem, type Problem } from './problem.js';

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

/** All files of the user with what is known of them. */
export class Inventory {
  readonly items = signal<readonly Item[]>([]);
  /** The contents that are being read or wait for it. */
  readonly pending = computed<ReadonlySet<Content>>(
    () => new Set(this.items.value.filter(isPending).map(({ content }) => content)),
  );
  /** What the last files had in common with those before them. */
  readonly again = signal<Again | undefined>();
  /** The list as it was before something was removed from it, until files are added. */
  readonly beforeRemoval = signal<readonly Item[] | undefined>();
  private readonly contents = new Map<string, Content[]>();
  private lastId = 0;
  private adding: Promise<unknown> = Promise.resolve();

  /** @param maxFileBytes the service's limit for one file; what is larger would cost a decode in vain */
  constructor(private readonly maxFileBytes: number) {}

  /**
   * Reads the clear text of files and adds them, the first ones as soon as they are read. A file at a path that the list
   * has already takes the place of the old one, or is left out when it has the same bytes.
   */
  add(files: readonly ChosenFile[]): Promise<void> {
    // One after the other, because each file is compared with those before it.
    const added = this.adding.then(() => this.addNow(files));
    // Who added the files is told of a failure; files that come later are added nevertheless.
    this.adding = added.catch(() => undefined);
    return added;
  }

  private async addNow(files: readonly ChosenFile[]): Promise<void> {
    // Two files of one drop differ even when their paths do not: two servers may have a folder of the same name.
    const before = new Map(this.items.value.map((item) => [pathOf(item), item]));
    const updated = new Map<Item, Item>();
    const unchanged: Item[] = [];
    this.beforeRemoval.value = undefined;
    for (let start = 0; start < files.length; start += BATCH) {
      const part = files.slice(start, start + BATCH);
      // Side by side, because each waits for the disk; the ids still follow the order of the files.
      const bytes = await Promise.all(part.map(({ file }) => this.bytesOf(file)));
      const fresh: Item[] = [];
      const replaced = new Map<Item, Item>();
      for (const [index, { file, folder }] of part.entries()) {
        const content = await this.contentOf(file, bytes[index] ?? problem('fileGone'));
        const item = { id: ++this.lastId, file, folder, content };
        const old = before.get(pathOf(item));
        before.delete(pathOf(item));
        if (!old || !this.items.value.includes(old)) fresh.push(item);
        else if (old.content === content) unchanged.push(item);
        else replaced.set(old, item);
      }
      for (const [old, item] of replaced) updated.set(item, old);
      this.items.value = [...this.items.value.map((item) => replaced.get(item) ?? item), ...fresh];
    }
    this.again.value = updated.size + unchanged.length > 0 ? { updated, unchanged } : undefined;
  }

  /** Keeps the files at paths that were in the list already, each beside the old one. */
  keepBoth(): void {
    const { updated, unchanged } = this.again.value ?? { updated: new Map<Item, Item>(), unchanged: [] };
    const all = this.items.value.flatMap((item) =>
      [updated.get(item), item].filter((one) => one !== undefined),
    );
    batch(() => {
      this.items.value = [...all, ...unchanged];
      this.again.value = undefined;
    });
  }

  remove(gone: readonly Item[]): void {
    batch(() => {
      this.beforeRemoval.value = this.items.value;
      this.again.value = undefined;
      const set = new Set(gone);
      this.items.value = this.items.value.filter((item) => !set.has(item));
    });
  }

  undoRemoval(): void {
    batch(() => {
      this.items.value = this.beforeRemoval.value ?? this.items.value;
      this.beforeRemoval.value = undefined;
    });
  }

  /** The next content to send. */
  nextWaiting(): Content | undefined {
    return this.items.value.find(({ content }) => content.state.value.name === 'waiting')?.content;
  }

  /** The bytes of a file that can be sent, else why it cannot. */
  private async bytesOf(file: File): Promise<Uint8Array | Problem> {
    if (file.size === 0) return problem('emptyFile');
    if (file.size > this.maxFileBytes)
      return problem('tooLarge', { size: Math.floor(this.maxFileBytes / BYTES_PER_MB) });
    try {
      return new Uint8Array(await file.arrayBuffer());
    } catch {
      return problem('fileGone');
    }
  }

  /** The content of a file, the known one when its bytes are known. A sum spares most of the comparisons. */
  private async contentOf(file: File, bytes: Uint8Array | Problem): Promise<Content> {
    if (!(bytes instanceof Uint8Array)) {
      const canRetry = file.size > 0 && file.size <= this.maxFileBytes;
      return { file, clearText: null, state: signal({ name: 'failed', problem: bytes, canRetry }) };
    }
    const key = `${bytes.length} ${sumOf(bytes)}`;
    const similar = this.contents.get(key) ?? [];
    for (const other of similar) {
      const otherBytes = await this.bytesOf(other.file);
      if (otherBytes instanceof Uint8Array && isEqual(bytes, otherBytes)) return other;
    }
    const content: Content = {
      file,
      clearText: readLicenseFile(bytes).file,
      state: signal({ name: 'unread' }),
    };
    this.contents.set(key, [...similar, content]);
    return content;
  }
}

/** FNV-1a, 32 bits. */
function sumOf(bytes: Uint8Array): number {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum;
}

const isEqual = (a: Uint8Array, b: Uint8Array) =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);
