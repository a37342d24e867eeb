/*
 * The keyboard in a table by the ARIA grid pattern (https://www.w3.org/WAI/ARIA/apg/patterns/grid/): the table is one
 * tab stop, from which arrow keys move. Cells and the buttons in them take the focus; each has a tabindex of -1.
 */

const TARGETS = '[tabindex]';
/** Rows for a page up or down. */
const PAGE = 10;

const targetsIn = (element: Element) =>
  [...element.querySelectorAll<HTMLElement>(TARGETS)].filter((target) => target.checkVisibility());

/** Makes an element, or the one that is it already, or the first, the only tab stop of the table. */
export function setTabStop(grid: Element, next?: HTMLElement): void {
  const [current, ...more] = grid.querySelectorAll<HTMLElement>('[tabindex="0"]');
  const stop = next ?? current ?? grid.querySelector<HTMLElement>(`tbody ${TARGETS}`);
  for (const other of [current, ...more]) if (other && other !== stop) other.tabIndex = -1;
  if (stop) stop.tabIndex = 0;
}

/** Moves the focus; Enter in a cell is a click on it. */
export function moveInGrid(event: KeyboardEvent): void {
  const grid = event.currentTarget as HTMLElement;
  const from = (event.target as HTMLElement).closest<HTMLElement>(TARGETS);
  const row = from?.closest('tr');
  if (!from || !row || event.altKey || event.metaKey) return;
  if (event.key === 'Enter' && from.matches('td')) from.click();
  else (neighbor(grid, row, from, event) ?? from).focus();
  if (/^(?:Arrow|Page|Home|End|Enter)/.test(event.key) && !(event.key === 'Enter' && from.matches('button')))
    event.preventDefault();
}

function neighbor(grid: Element, row: Element, from: HTMLElement, { key, ctrlKey }: KeyboardEvent) {
  const targets = targetsIn(row);
  const index = targets.indexOf(from);
  switch (key) {
    case 'ArrowLeft':
      return targets[index - 1];
    case 'ArrowRight':
      return targets[index + 1];
    case 'Home':
    case 'End': {
      const all = ctrlKey ? targetsIn(grid) : targets;
      return all.at(key === 'Home' ? 0 : -1);
    }
  }
  const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -PAGE, PageDown: PAGE }[key];
  if (step === undefined) return undefined;
  // The head is hidden where rows are cards.
  const rows = [...grid.querySelectorAll('tr')].filter((other) => other.checkVisibility());
  const next = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(row as HTMLTableRowElement) + step))];
  const column = from.closest<HTMLTableCellElement>('td, th')?.cellIndex ?? 0;
  const cell = next?.children[Math.min(column, next.children.length - 1)];
  return cell?.matches(TARGETS) ? (cell as HTMLElement) : cell && targetsIn(cell)[0];
}
