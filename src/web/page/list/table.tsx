import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { LicenseContent } from '../license/license-content.js';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';
import { COLUMNS, type TableColumn } from './columns.js';
import { LicenseRow } from './license-row.js';

/** Rows that come into the page first, and those of each further step: each waits for the browser. */
const FIRST = 40;
const STEP = 200;

export function Table() {
  const { view } = useStore();
  const shown = view.shown.value;
  const opened = view.opened.value;
  const length = useGrowing(shown.length);
  useFocus();

  if (shown.length === 0) {
    return (
      <p class="empty">
        {t('noMatches')} <Owners /> <Button text={t('showAll')} onClick={() => view.showAll()} />
      </p>
    );
  }
  // Named roles, because browsers take a table that is displayed as blocks for none.
  return (
    <table class="licenses" role="table" aria-labelledby="results-title">
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map((column) => (
            <ColumnHead key={column.id} column={column} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {shown.slice(0, length).map((license) => (
          <Fragment key={license.id}>
            <LicenseRow
              license={license}
              isOpen={opened.has(license.id)}
              validity={view.validityOf(license)}
            />
            {opened.has(license.id) && (
              <tr role="row" class="details">
                <td role="cell" class="facts" colSpan={COLUMNS.length}>
                  <LicenseContent license={license} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
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
      <Button text={t(column.id)} onClick={() => view.sortBy(column)} />
    </th>
  );
}

/** Keeps the focus where it is: the browser takes it from an element that moves in the document. */
function useFocus(): void {
  const focused = document.activeElement;
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body && focused?.isConnected;
    if (isLost && focused instanceof HTMLElement) focused.focus({ preventScroll: true });
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
