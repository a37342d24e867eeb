import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useModel } from '../ui/use-model.js';
import { t } from '../texts/language.js';
import { moveInGrid, setTabStop } from '../ui/grid-keys.js';
import { COLUMNS } from '../model/order.js';
import { useKeptPlace } from './keep-place.js';
import { changeText } from '../ui/row-texts.js';
import { LicenseRow } from './license-row.js';
import { Button } from '../ui/controls.js';

/** Rows that come into the page first, and those of each further step: each waits for the browser. */
const FIRST = 40;
const STEP = 200;

export function Table() {
  const { list } = useModel();
  const shown = list.shown.value;
  const changes = list.changes.value;
  const { of, twins, successors, predecessors } = list.standings.value;
  const open = list.open.value;
  const sort = list.sort.value;
  const length = useGrowing(shown.length);
  const grid = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    if (grid.current) setTabStop(grid.current);
  });
  useKeptPlace(grid, shown);
  useLayoutEffect(() => {
    // Without the details beside them the rows have other heights.
    const row = grid.current?.querySelector('.open') ?? grid.current?.querySelector('.license:focus-within');
    row?.scrollIntoView({ block: 'nearest' });
  }, [open?.id]);
  const toFocus = list.toFocus.value;
  useLayoutEffect(() => {
    if (toFocus !== undefined)
      grid.current?.querySelector<HTMLElement>(`[data-id="${toFocus}"] td[tabindex]`)?.focus();
    list.toFocus.value = undefined;
  }, [toFocus]);
  if (shown.length === 0) {
    return (
      <p class="empty">
        {t('noMatches')} <Button text={t('showAll')} onClick={() => list.showAll()} />
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
            <th
              key={column}
              scope="col"
              role="columnheader"
              class={`column-${column}`}
              {...(sort?.column === column && { 'aria-sort': sort.descending ? 'descending' : 'ascending' })}
            >
              <Button tabIndex={-1} text={t(column)} onClick={() => list.sortBy(column)} />
            </th>
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
          change={changeText(license, changes.get(license))}
          isGone={list.isGone(license)}
        />
      ))}
    </table>
  );
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
