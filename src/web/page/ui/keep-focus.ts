const FOCUSABLE = 'button, a[href], input, select, summary, [tabindex]';

/**
 * Moves the focus to what is nearest when the focused element goes away, such as the button of a row that has left the
 * table. Otherwise the browser drops it, and keyboard users start again at the top.
 */
export function keepFocus(root: HTMLElement): void {
  /** The focused element and its ancestors, each with its place among its siblings. */
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
  new MutationObserver((changes) => {
    const [last] = path;
    if (!last) return;
    // A closed <details> takes the focus away only later. Elsewhere asking for what is visible would cost a layout.
    const isHidden = changes.some(({ type }) => type === 'attributes') && !isVisible(last.element);
    if (!isHidden && (document.activeElement !== document.body || last.element.isConnected)) return;
    for (const [step, { index }] of path.entries()) {
      const parent = path[step + 1]?.element ?? root;
      // What has gone has taken along what lay in it.
      if (!parent.isConnected) continue;
      const neighbor = parent.children[Math.min(index, parent.children.length - 1)];
      const heir = focusableIn(neighbor) ?? focusableIn(parent);
      if (!heir) continue;
      heir.focus({ preventScroll: true });
      return;
    }
  }).observe(root, { childList: true, subtree: true, attributeFilter: ['open', 'hidden'] });
}

const isVisible = (element: Element) => element.checkVisibility();

function focusableIn(element: Element | undefined): HTMLElement | undefined {
  const candidates = [...(element?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  if (element?.matches(FOCUSABLE)) candidates.unshift(element as HTMLElement);
  return candidates.find(isVisible);
}
