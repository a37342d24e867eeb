/**
 * Where the focus may rest. Not on a button, because who presses Enter twice would start something else; but that which
 * opens a row starts nothing.
 */
const RESTING_PLACES = 'h1, h2, h3, summary, [aria-expanded], [tabindex]:not(button, a, input)';

/** An element and its place among its siblings. */
interface Step {
  element: Element;
  index: number;
}

/**
 * Moves the focus to what is nearest when the focused element goes away, such as the button of a row that has left the
 * table. Otherwise the browser drops it, and keyboard users start again at the top.
 */
export function keepFocus(root: HTMLElement): void {
  /** From the element that was focused last up to the root. */
  let path: Step[] = [];
  root.addEventListener('focusin', ({ target }) => {
    path = pathTo(target as Element, root);
  });

  const observer = new MutationObserver(() => {
    const [focused] = path;
    const isGone = focused && !focused.element.isConnected && document.activeElement === document.body;
    if (!isGone) return;

    const next = nearestPlace(path, root);
    if (!next) return;
    const isFocusable = next.matches('summary, [aria-expanded], [tabindex]');
    if (!isFocusable) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  });
  observer.observe(root, { childList: true, subtree: true });
}

function pathTo(target: Element, root: Element): Step[] {
  const path: Step[] = [];
  let element = target;
  while (element !== root && element.parentElement) {
    const siblings = [...element.parentElement.children];
    path.push({ element, index: siblings.indexOf(element) });
    element = element.parentElement;
  }
  return path;
}

/** The first place on the way up: in what now stands where an element stood, else in what it stood in. */
function nearestPlace(path: readonly Step[], root: Element): HTMLElement | undefined {
  for (const [step, { index }] of path.entries()) {
    const parent = path[step + 1]?.element ?? root;
    // It has gone too, and took along what lay in it.
    if (!parent.isConnected) continue;

    const neighbor = parent.children[Math.min(index, parent.children.length - 1)];
    const place = (neighbor && placeIn(neighbor)) ?? placeIn(parent);
    if (place) return place;
  }
  return undefined;
}

function placeIn(element: Element): HTMLElement | undefined {
  const places = [...element.querySelectorAll<HTMLElement>(RESTING_PLACES)];
  if (element.matches(RESTING_PLACES)) places.unshift(element as HTMLElement);
  return places.find((place) => place.checkVisibility());
}
