import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps the open or the focused row where it is on the screen, with its focus, when rows change their order of
 * themselves. Who chooses a filter or searches looks for what comes first.
 * @param order another one each time
 */
export function useKeptPlace(grid: RefObject<HTMLElement | null>, order: unknown): void {
  const last = useRef(order);
  const focused = document.activeElement as HTMLElement | null;
  const row =
    last.current !== order &&
    !focused?.closest('.tiles, .choice-bar') &&
    grid.current?.querySelector('.license.open, .license:focus-within');
  const top = row ? row.getBoundingClientRect().top : NaN;
  useLayoutEffect(() => {
    last.current = order;
    if (!row || !row.isConnected) return;
    if (top >= 0 && top < innerHeight) scrollBy(0, row.getBoundingClientRect().top - top);
    // The browser takes it from an element that moves in the document.
    if (row.contains(focused)) focused?.focus({ preventScroll: true });
  }, [order]);
}
