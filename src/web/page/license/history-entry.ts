import { effect } from '@preact/signals';
import type { View } from '../model/view.js';
import { closeDetails } from './panel.js';

/** The license that an entry of the history shows; undefined for the list alone. */
function licenseOfEntry(): number | undefined {
  const state = history.state as { details?: number } | null;
  return state?.details;
}

/**
 * Gives open details an entry in the browser's history, so that Back closes them instead of leaving the page, and the
 * list with it. Closing them otherwise takes the entry back. Opening others in their place adds no entry.
 */
export function keepHistoryEntry({ chosen, open }: Pick<View, 'chosen' | 'open'>): void {
  let isGoingBack = false;

  const adjust = (id: number | undefined) => {
    // `history.back()` takes a moment. What happens meanwhile is made up for when it is done.
    if (isGoingBack) return;
    const hasEntry = licenseOfEntry() !== undefined;
    if (id === undefined) {
      isGoingBack = hasEntry;
      if (hasEntry) history.back();
      return;
    }
    if (hasEntry) history.replaceState({ details: id }, '');
    else history.pushState({ details: id }, '');
  };

  addEventListener('popstate', () => {
    if (isGoingBack) {
      isGoingBack = false;
      adjust(open.value?.id);
      return;
    }
    const id = licenseOfEntry();
    if (id === undefined) closeDetails({ chosen });
    else chosen.value = id;
  });

  effect(() => adjust(open.value?.id));
}
