import { readFile } from '../../license/file-fields.js';
import type { ChosenFile } from './dropped-files.js';
import { isPending, type Item, type ItemState } from './item.js';
import type { Problem } from './problem.js';

/** The limit of the service for one file, 5 MB; what is larger is not sent, since it would count towards the limit. */
const MAX_FILE_BYTES = 5_242_880;
/** Files that are read at a time, before those that are read become visible. */
const BATCH = 100;

/** All files of the user with what is known of them. Items are never changed but replaced. */
export class Inventory {
  items: readonly Item[] = [];
  private readonly contents = new Map<string, { id: number; file: File }[]>();
  private lastId = 0;
  private adding = Promise.resolve();

  constructor(private readonly onChange: () => void) {}

  /** Reads the clear text of files and adds them, the first ones as soon as they are read. */
  add(files: readonly ChosenFile[]): Promise<void> {
    // One after the other, because each file is compared with those before it.
    return (this.adding = this.adding.then(() => this.addNow(files)));
  }

  private async addNow(files: readonly ChosenFile[]): Promise<void> {
    for (let start = 0; start < files.length; start += BATCH) {
      const batch = files.slice(start, start + BATCH);
      // Side by side, because each waits for the disk; the ids still follow the order of the files.
      const bytes = await Promise.all(batch.map(({ file }) => bytesOf(file)));
      const added: Item[] = [];
      for (const [index, { file, folder }] of batch.entries()) {
        added.push(await this.makeItem(file, folder, bytes[index] ?? { key: 'fileGone' }));
      }
      // What is known of the same content may have changed meanwhile.
      const current = added.map((item) => ({ ...item, state: this.stateOf(item.content) ?? item.state }));
      this.items = [...this.items, ...current];
      this.onChange();
    }
  }

  /** Replaces the state of all items with the same content. */
  set(content: number, state: ItemState): void {
    this.items = this.items.map((item) => (item.content === content ? { ...item, state } : item));
    this.onChange();
  }

  setAll(contents: ReadonlySet<number>, state: ItemState): void {
    this.items = this.items.map((item) => (contents.has(item.content) ? { ...item, state } : item));
    this.onChange();
  }

  /** The state of the items with a content. */
  stateOf(content: number): ItemState | undefined {
    return this.items.find((item) => item.id === content)?.state;
  }

  /** The next item to send. */
  nextWaiting(): Item | undefined {
    return this.items.find(({ state }) => state.name === 'waiting');
  }

  /** The contents that are not decided yet. */
  pending(): Set<number> {
    return new Set(this.items.filter(isPending).map(({ content }) => content));
  }

  private async makeItem(file: File, folder: string, bytes: Uint8Array | Problem): Promise<Item> {
    const id = ++this.lastId;
    if (!(bytes instanceof Uint8Array)) {
      const canRetry = 'key' in bytes && bytes.key === 'fileGone';
      return {
        id,
        file,
        folder,
        content: id,
        clearText: null,
        state: { name: 'failed', problem: bytes, canRetry },
      };
    }
    const content = await this.contentOf(id, file, bytes);
    return { id, file, folder, content, clearText: readFile(bytes).file, state: { name: 'waiting' } };
  }

  /** The first item with the same bytes. Bytes are compared; their sum only spares most of the comparisons. */
  private async contentOf(id: number, file: File, bytes: Uint8Array): Promise<number> {
    const key = `${bytes.length} ${sumOf(bytes)}`;
    const similar = this.contents.get(key) ?? [];
    for (const other of similar) {
      const otherBytes = await bytesOf(other.file);
      if (otherBytes instanceof Uint8Array && isEqual(bytes, otherBytes)) return other.id;
    }
    this.contents.set(key, [...similar, { id, file }]);
    return id;
  }
}

/** The bytes of a file that can be sent, else why it cannot. */
async function bytesOf(file: File): Promise<Uint8Array | Problem> {
  if (file.size === 0) return { key: 'emptyFile' };
  if (file.size > MAX_FILE_BYTES) return { key: 'tooLarge' };
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return { key: 'fileGone' };
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
