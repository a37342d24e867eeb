/*
 * The keyboard in a table by the ARIA grid pattern (https://www.w3.org/WAI/ARIA/apg/patterns/grid/): the table is one
 * tab stop, from which arrow keys move. The buttons in a cell take the focus in its place; all have a tabindex of -1.
 */

const TARGETS = '[tabindex]';
/** Rows for a page up or down. */
const PAGE = 10;

/** The visible elements in an element that take the focus. */
function targetsIn(element: Element): HTMLElement[] {
  const targets = [...element.querySelectorAll<HTMLElement>(TARGETS)];
  return targets.filter((target) => target.checkVisibility() && !target.querySelector(TARGETS));
}

/** The element of a table to which Tab leads. */
export const tabStopOf = (grid: Element) => grid.querySelector<HTMLElement>('[tabindex="0"]');

/** Makes an element the only tab stop of the table. What stands in the details of a row has its own ones. */
export function setTabStop(grid: Element, next: HTMLElement): void {
  if (isInDetails(next)) return;
  for (const other of grid.querySelectorAll<HTMLElement>('[tabindex="0"]')) other.tabIndex = -1;
  next.tabIndex = 0;
}

/** Gives a table without a tab stop one. */
export function ensureTabStop(grid: Element): void {
  if (tabStopOf(grid)) return;
  const row = grid.querySelector('tbody tr');
  const first = row && targetsIn(row)[0];
  if (first) setTabStop(grid, first);
}

const isMoveKey = (key: string) => /^(?:Arrow|Page|Home|End)/.test(key);

const isInDetails = (element: Element) => element.closest('.details') !== null;

/** Moves the focus; Enter in a cell is a click on it. */
export function moveInGrid(event: KeyboardEvent): void {
  if (isInDetails(event.target as Element)) return;
  const grid = event.currentTarget as HTMLElement;
  const from = (event.target as HTMLElement).closest<HTMLElement>(TARGETS);
  const row = from?.closest('tr');
  if (!from || !row || event.altKey || event.metaKey) return;

  if (event.key === 'Enter') {
    // A button is clicked by the browser.
    if (from.matches('button')) return;
    event.preventDefault();
    from.click();
    return;
  }
  if (!isMoveKey(event.key)) return;
  event.preventDefault();
  const next = neighborInRow(grid, row, from, event) ?? neighborInColumn(grid, row, from, event.key);
  next?.focus();
}

function neighborInRow(grid: Element, row: Element, from: HTMLElement, { key, ctrlKey }: KeyboardEvent) {
  const targets = targetsIn(row);
  // After a click beside a button its cell has the focus, and counts as the button.
  const index = targets.findIndex((target) => from.contains(target));
  const all = ctrlKey ? targetsIn(grid) : targets;
  switch (key) {
    case 'ArrowLeft':
      return targets[index - 1];
    case 'ArrowRight':
      return targets[index + 1];
    case 'Home':
      return all[0];
    case 'End':
      return all.at(-1);
    default:
      return undefined;
  }
}

const STEPS: Partial<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -PAGE, PageDown: PAGE };

function neighborInColumn(grid: Element, row: HTMLTableRowElement, from: HTMLElement, key: string) {
  const step = STEPS[key];
  if (step === undefined) return undefined;

  // The head is hidden on a narrow screen.
  const rows = [...grid.querySelectorAll<HTMLTableRowElement>('tr:not(.details)')].filter((other) =>
    other.checkVisibility(),
  );
  const wanted = rows.indexOf(row) + step;
  const next = rows[Math.max(0, Math.min(rows.length - 1, wanted))];
  if (!next) return undefined;

  const column = from.closest<HTMLTableCellElement>('td, th')?.cellIndex ?? 0;
  const cell = next.children[Math.min(column, next.children.length - 1)];
  if (!cell) return undefined;
  if (cell.querySelector(TARGETS)) return targetsIn(cell)[0];
  return cell.matches(TARGETS) ? (cell as HTMLElement) : undefined;
}
