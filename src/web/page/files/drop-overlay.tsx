import { useLayoutEffect, useState } from 'preact/hooks';
import { t } from '../texts/language.js';
import { useStore } from '../ui/use-store.js';
import { filesOfDrop } from './dropped-files.js';

/** No dragover for so many milliseconds means that the drag has ended or left the window. */
const OVER_MS = 1000;

/** Takes files and folders that are dropped anywhere on the page, and shows while they are above it that they can be. */
export function DropOverlay() {
  const store = useStore();
  const [isOver, setOver] = useState(false);
  // Before the page is painted: what is dropped then must not be lost.
  useLayoutEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (event: DragEvent) => {
      const { dataTransfer, target, type } = event;
      const hasFiles = dataTransfer?.types.includes('Files') ?? false;
      setOver(hasFiles && type === 'dragover');
      clearTimeout(timer);
      timer = setTimeout(() => setOver(false), OVER_MS);
      // The browser would open a dropped link in place of the page. Fields may take it.
      if (!dataTransfer || (!hasFiles && (target as Element).closest('input'))) return;
      event.preventDefault();
      if (!hasFiles) dataTransfer.dropEffect = 'none';
      else if (type === 'drop') void store.add((stop) => filesOfDrop(dataTransfer.items, stop));
    };
    addEventListener('dragover', take, { signal });
    addEventListener('drop', take, { signal });
    return () => listening.abort();
  }, [store]);
  return isOver ? (
    <p class="drop-here" aria-hidden="true">
      {t('dropHere')}
    </p>
  ) : null;
}
