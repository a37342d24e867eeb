import { Fragment, type RefObject, type TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LicenseContent } from '../license/license-content.js';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { ensureTabStop, moveInGrid, setTabStop, tabStopOf } from '../ui/grid-keys.js';
import { useStore } from '../ui/use-store.js';
import { COLUMNS, type TableColumn } from './columns.js';
import { LicenseRow } from './license-row.js';
import { RowMenu } from './row-menu.js';

/** Rows that come into the page first, and those of each further step: each waits for the browser. */
const FIRST = 40;
const STEP = 200;

export function Table() {
  const { view } = useStore();
  const shown = view.shown.value;
  const open = view.open.value;
  const length = useGrowing(shown.length);
  const grid = useRef<HTMLTableElement>(null);
  useFocus(grid);
  useStill(grid);

  const obeyKey = (event: TargetedKeyboardEvent<HTMLTableElement>) => {
    if (event.key === 'Escape' && open) closeDetails(event.currentTarget);
    else moveInGrid(event);
  };
  const closeDetails = (table: HTMLTableElement) => {
    view.chosen.value = undefined;
    // What had the focus in the details goes away with them.
    if (document.activeElement?.closest('.details')) tabStopOf(table)?.focus();
  };

  if (shown.length === 0) {
    return (
      <p class="empty">
        {t('noMatches')} <Owners /> <Button text={t('showAll')} onClick={() => view.showAll()} />
      </p>
    );
  }
  // Named roles, because browsers take a table that is displayed as blocks for none.
  return (
    <>
      <table
        ref={grid}
        class="licenses"
        role="grid"
        aria-labelledby="results-title"
        onKeyDown={obeyKey}
        onFocusIn={({ currentTarget, target }) => setTabStop(currentTarget, target as HTMLElement)}
      >
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map((column) => (
              <ColumnHead key={column.id} column={column} />
            ))}
            <th scope="col" role="columnheader" class="column-actions">
              <span class="unseen">{t('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.slice(0, length).map((license) => (
            <Fragment key={license.id}>
              <LicenseRow license={license} isOpen={license === open} validity={view.validityOf(license)} />
              {license === open && (
                <tr role="row" class="details">
                  <td role="gridcell" class="facts" colSpan={COLUMNS.length + 1}>
                    <LicenseContent license={license} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      <RowMenu />
    </>
  );
}

/** Before its file is read, a license is not found by its owner. */
function Owners() {
  const { licenses, view } = useStore();
  const total = licenses.value.length;
  const count = licenses.value.filter(({ known }) => known.owner !== null).length;
  return view.isSearch.value && count < total ? <>{t('ownersKnown', { count, total })}</> : null;
}

/** Sorts by a column. */
function ColumnHead({ column }: { column: TableColumn }) {
  const { view } = useStore();
  const sort = view.sort.value;
  const order = sort?.descending ? 'descending' : 'ascending';
  const isSorted = sort ? sort.column.id === column.id : column.sortValue === 'urgency';
  return (
    <th
      scope="col"
      role="columnheader"
      class={`column-${column.id}`}
      {...(isSorted && { 'aria-sort': order })}
    >
      <Button tabIndex={-1} text={t(column.id)} onClick={() => view.sortBy(column)} />
    </th>
  );
}

/**
 * Keeps the row that was pressed under the pointer while details that were open above it close, and shows its own details
 * as far as the window has room.
 */
function useStill(grid: RefObject<HTMLTableElement | null>): void {
  const { view } = useStore();
  const openId = view.open.value?.id;
  const openBefore = useRef(openId);
  const hasChanged = openBefore.current !== openId;
  // The table is still as it was before this drawing.
  const row = hasChanged ? grid.current?.querySelector('.license:focus-within') : undefined;
  const topBefore = row?.getBoundingClientRect().top ?? 0;

  useLayoutEffect(() => {
    openBefore.current = openId;
    const opened = grid.current?.querySelector('.license.open');
    // A link to another license goes away with the details in which it was.
    if (opened && document.activeElement === document.body) opened.querySelector('td')?.focus();
    if (row) scrollBy(0, row.getBoundingClientRect().top - topBefore);
    opened?.nextElementSibling?.scrollIntoView({ block: 'nearest' });
    opened?.scrollIntoView({ block: 'nearest' });
  }, [openId]);
}

/** Keeps the focus in the table where it is. */
function useFocus(grid: RefObject<HTMLTableElement | null>): void {
  const focused = document.activeElement as HTMLElement | null;
  useLayoutEffect(() => {
    if (!grid.current) return;
    ensureTabStop(grid.current);
    // The browser takes the focus from an element that moves in the document.
    if (focused !== document.activeElement && grid.current.contains(focused))
      focused?.focus({ preventScroll: true });
  });
}

/** How many rows to draw. The number grows step by step to the wanted one, and shrinks with it at once. */
function useGrowing(wanted: number): number {
  const [reached, setReached] = useState(FIRST);
  const drawn = Math.min(reached, Math.max(wanted, FIRST));
  useEffect(() => {
    if (drawn < wanted) {
      const timer = setTimeout(() => setReached(drawn + STEP));
      return () => clearTimeout(timer);
    }

    // When the list becomes longer again, it grows from here.
    if (drawn !== reached) setReached(drawn);
    return undefined;
  }, [drawn, wanted, reached]);
  return drawn;
}
