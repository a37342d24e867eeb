import { effect } from '@preact/signals';
import type { View } from '../model/view.js';
import { closeDetails } from './panel.js';

/** The id of the license whose details the current history entry shows; undefined for the list alone. */
function idOfEntry(): number | undefined {
  const state = history.state as { details?: number } | null;
  return state?.details;
}

/**
 * Gives open details an entry in the browser's history, so that Back closes them instead of leaving the page, and the
 * list with it. If they are closed in another way, the page goes back by that entry. Opening other details reuses it.
 */
export function keepHistoryEntry({ chosen, open }: Pick<View, 'chosen' | 'open'>): void {
  let isGoingBack = false;
  // Going back, the browser would scroll to where the details were opened, away from the row that one has moved to.
  history.scrollRestoration = 'manual';

  const matchEntryTo = (id: number | undefined) => {
    // `history.back()` ends later, with popstate. Until then nothing is matched; the listener below catches up.
    if (isGoingBack) return;
    const hasEntry = idOfEntry() !== undefined;
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
      matchEntryTo(open.value?.id);
      return;
    }
    const id = idOfEntry();
    if (id === undefined) closeDetails({ chosen });
    else chosen.value = id;
  });

  effect(() => matchEntryTo(open.value?.id));
}
