import { useMemo } from 'preact/hooks';
import { useStore } from '../ui/use-store.js';
import { filesOfDrop, filesOfInput } from './dropped-files.js';

/** How files come into the list. */
export interface Adding {
  onInput: (files: Iterable<File>) => void;
  onDrop: (items: DataTransferItemList) => void;
}

/** For the page, which adds files in the same way with a list and without one. */
export function useAdding(): Adding {
  const store = useStore();
  return useMemo(
    () => ({
      onInput: (files) => void store.add(filesOfInput(files, store.stopSignal)),
      onDrop: (items) => void store.add(filesOfDrop(items, store.stopSignal)),
    }),
    [store],
  );
}
