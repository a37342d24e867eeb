import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { COLUMNS, type Column } from '../model/order.js';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { ensureTabStop, leaveHiddenCell, moveInGrid, setTabStop } from '../ui/grid-keys.js';
import { changeText } from '../ui/row-texts.js';
import { useStore } from '../ui/use-store.js';
import { LicenseRow } from './license-row.js';

/** Rows that come into the page first, and those of each further step: each waits for the browser. */
const FIRST = 40;
const STEP = 200;

export function Table() {
  const { view } = useStore();
  const shown = view.shown.value;
  const changes = view.changes.value;
  const { of, twins, successors, predecessors } = view.standings.value;
  const open = view.open.value;
  const length = useGrowing(shown.length);
  const grid = useRef<HTMLTableElement>(null);
  useFocus(grid);

  if (shown.length === 0) {
    return (
      <p class="empty">
        {t('noMatches')} <Button text={t('showAll')} onClick={() => view.showAll()} />
      </p>
    );
  }
  // Named roles, because browsers take a table that is displayed as blocks for none.
  return (
    <table
      ref={grid}
      class="licenses"
      role="grid"
      aria-labelledby="results-title"
      onKeyDown={moveInGrid}
      onFocusIn={({ currentTarget, target }) => setTabStop(currentTarget, target as HTMLElement)}
    >
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map((column) => (
            <ColumnHead key={column} column={column} />
          ))}
        </tr>
      </thead>
      {shown.slice(0, length).map((license) => (
        <LicenseRow
          key={license.id}
          license={license}
          isOpen={license === open}
          isReplaced={of.get(license) === 'replaced'}
          twin={twins.get(license)}
          successor={successors.get(license)}
          predecessor={predecessors.get(license)}
          change={changeText(license, changes.get(license.id))}
          isGone={view.isGone(license)}
        />
      ))}
    </table>
  );
}

function ColumnHead({ column }: { column: Column }) {
  const { view } = useStore();
  const sort = view.sort.value;
  const order = sort?.descending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      role="columnheader"
      class={`column-${column}`}
      {...(sort?.column === column && { 'aria-sort': order })}
    >
      <Button tabIndex={-1} text={t(column)} onClick={() => view.sortBy(column)} />
    </th>
  );
}

/** Keeps the focus in the table where it is, and the row that has it or is open in view. */
function useFocus(grid: RefObject<HTMLTableElement | null>): void {
  const { view } = useStore();
  const focused = document.activeElement as HTMLElement | null;
  useLayoutEffect(() => {
    if (!grid.current) return;
    ensureTabStop(grid.current);
    // The browser takes the focus from an element that moves in the document.
    if (focused !== document.activeElement && grid.current.contains(focused))
      focused?.focus({ preventScroll: true });
  });

  useEffect(() => {
    if (!grid.current) return undefined;
    const { current } = grid;
    const observer = new ResizeObserver(() => leaveHiddenCell(current));
    observer.observe(current);
    return () => observer.disconnect();
  }, [grid.current]);

  const openId = view.open.value?.id;
  useLayoutEffect(() => {
    if (!grid.current) return;
    // The details beside them leave less room to the columns, and give the rows other heights.
    leaveHiddenCell(grid.current);
    const row = grid.current.querySelector('.open') ?? grid.current.querySelector('.license:focus-within');
    row?.scrollIntoView({ block: 'nearest' });
  }, [openId]);

  const toFocus = view.toFocus.value;
  useLayoutEffect(() => {
    if (toFocus === undefined) return;
    grid.current?.querySelector<HTMLElement>(`[data-id="${toFocus}"] td[tabindex]`)?.focus();
    view.toFocus.value = undefined;
  }, [toFocus]);
}

/** A number of rows that grows step by step to the wanted one. */
function useGrowing(wanted: number): number {
  const [length, setLength] = useState(FIRST);
  const next = Math.min(length, Math.max(wanted, FIRST));
  useEffect(() => {
    if (next >= wanted) {
      if (next !== length) setLength(next);
      return undefined;
    }
    const timer = setTimeout(() => setLength(next + STEP));
    return () => clearTimeout(timer);
  }, [next, wanted, length]);
  return next;
}
