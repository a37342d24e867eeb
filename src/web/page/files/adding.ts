import type { Store } from '../model/store.js';
import { filesOfDrop, filesOfInput } from './dropped-files.js';

/** Adds files that were chosen. */
export function addChosen(store: Store, files: Iterable<File>): void {
  void store.add(filesOfInput(files, store.stopSignal));
}

/** Adds what was dropped. */
export function addDropped(store: Store, items: Iterable<DataTransferItem>): void {
  void store.add(filesOfDrop(items, store.stopSignal));
}
