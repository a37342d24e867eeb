const FOCUSABLE = 'button, a[href], input, select, summary, [tabindex]';

/**
 * Moves the focus to what is nearest when the focused element goes away, such as the button of a row that has left the
 * table. Otherwise the browser drops it, and keyboard users start again at the top.
 */
export function keepFocus(root: HTMLElement): void {
  /** The focused element and what it lies in, each with its place among its siblings. */
  let path: { element: Element; index: number }[] = [];
  root.addEventListener('focusin', ({ target }) => {
    path = [];
    for (
      let element = target as Element;
      element !== root && element.parentElement;
      element = element.parentElement
    ) {
      path.push({ element, index: [...element.parentElement.children].indexOf(element) });
    }
  });
  new MutationObserver(() => {
    if (document.activeElement !== document.body || path.length === 0 || isUsable(path[0]?.element)) return;
    for (const { element, index } of path) {
      // What has gone has no parent any more; the next one in the path is what it lay in.
      const parent = path[path.findIndex((step) => step.element === element) + 1]?.element ?? root;
      if (!parent.isConnected) continue;
      const neighbor = parent.children[Math.min(index, parent.children.length - 1)];
      const heir = focusableIn(neighbor) ?? focusableIn(parent);
      if (!heir) continue;
      heir.focus({ preventScroll: true });
      return;
    }
  }).observe(root, { childList: true, subtree: true });
}

const isUsable = (element: Element | undefined) => element?.isConnected === true;

function focusableIn(element: Element | undefined): HTMLElement | undefined {
  const candidates = [...(element?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  if (element?.matches(FOCUSABLE)) candidates.unshift(element as HTMLElement);
  return candidates.find((candidate) => candidate.getClientRects().length > 0);
}
