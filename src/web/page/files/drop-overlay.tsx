import { useEffect, useState } from 'preact/hooks';
import { t } from '../texts/language.js';

/** Takes files and folders that are dropped anywhere on the page, and shows while they are above it that they can be. */
export function DropOverlay({ onDrop }: { onDrop: (items: DataTransferItemList) => void }) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      // Without a target, the pointer has left the window and not only an element.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      onDrop(event.dataTransfer.items);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', drop, { signal });
    return () => listening.abort();
  }, [onDrop]);
  return isOver ? (
    <p class="drop-here" aria-hidden="true">
      {t('dropHere')}
    </p>
  ) : null;
}
