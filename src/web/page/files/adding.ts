import { useMemo } from 'preact/hooks';
import type { SheetProblem } from '../model/problem.js';
import type { Given } from '../model/store.js';
import type { Sheet } from '../model/state.js';
import { useStore } from '../ui/use-store.js';
import { filesOfDrop, filesOfInput, type ChosenFiles } from './dropped-files.js';

/** How files and sheets come into the list. */
export interface Adding {
  onInput: (files: Iterable<File>) => void;
  onDrop: (items: DataTransferItemList) => void;
}

type ReadSheet = (file: File) => Promise<Sheet | SheetProblem>;

/** For the page, which adds files in the same way with a list and without one. */
export function useAdding(readSheet: ReadSheet): Adding {
  const store = useStore();
  return useMemo(() => {
    const add = (chosen: Promise<ChosenFiles> | ChosenFiles) => void store.add(withSheet(chosen, readSheet));
    return {
      onInput: (files) => add(filesOfInput(files)),
      onDrop: (items) => add(filesOfDrop(items)),
    };
  }, [store, readSheet]);
}

/** Reads the last one of the sheets. Each takes the place of the one before, so the others need not be read. */
async function withSheet(chosen: Promise<ChosenFiles> | ChosenFiles, readSheet: ReadSheet): Promise<Given> {
  const { files, sheets, leftOut } = await chosen;
  const last = sheets.pop();
  if (!last) return { files, leftOut };

  for (const { name } of sheets) leftOut.push({ name, reason: 'olderSheet' });
  const sheet = await readSheet(last);
  if (typeof sheet !== 'string') return { files, sheet, leftOut };

  leftOut.push({ name: last.name, reason: sheet });
  return { files, leftOut };
}
