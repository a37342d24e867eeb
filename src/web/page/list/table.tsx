import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LicenseContent } from '../license/license-content.js';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';
import { classOf, COLUMNS, type TableColumn } from './columns.js';
import { Heading } from './heading.js';
import { LicenseRow } from './license-row.js';
import { RowBoundary } from './row-boundary.js';

/** Rows that come into the page first, and those of each further step: each waits for the browser. */
const FIRST = 40;
const STEP = 200;

const WIDTHS = COLUMNS.map(({ width }) => width).join(' ');

/** Where the focus goes that skips the list. */
const AFTER_LIST = 'after-list';

export function Table() {
  const { view } = useStore();
  const groups = view.groups.value;
  useFocus();

  // A single license has no need of a heading.
  const isList = view.licenses.value.length > 1;
  const rows = groups.flatMap((group) => {
    const ofLicenses = group.licenses.map((license) => ({ group, license }));
    return isList && group.heading !== '' ? [{ group, license: undefined }, ...ofLicenses] : ofLicenses;
  });
  const length = useGrowing(rows.length);

  if (rows.length === 0) return <NoMatches />;
  // Named roles, because browsers take a table that is displayed as blocks for none.
  return (
    <>
      <a class="skip" href={`#${AFTER_LIST}`}>
        {t('skipList')}
      </a>
      <table class="licenses" role="table" aria-labelledby="results-title" style={{ '--columns': WIDTHS }}>
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map((column) => (
              <ColumnHead key={column.id} column={column} />
            ))}
          </tr>
        </thead>
        {/* One body for all headings: a row that went to another body would be drawn anew, and lose the focus. */}
        <tbody role="rowgroup">
          {rows.slice(0, length).map(({ group, license }) => {
            if (!license) {
              return <Heading key={`heading ${group.heading}`} group={group} />;
            }

            const assessment = view.assessmentOf(license);
            const isOpen = view.opened.value.has(license.id);
            return (
              <RowBoundary key={license.id} license={license} columnCount={COLUMNS.length}>
                <LicenseRow
                  {...assessment}
                  license={license}
                  isOpen={isOpen}
                  isUnderTerm={isList && group.heading === assessment.validity}
                />
                {isOpen && (
                  <tr role="row" class="details">
                    <td role="cell" class="facts" colSpan={COLUMNS.length}>
                      <LicenseContent license={license} />
                    </td>
                  </tr>
                )}
              </RowBoundary>
            );
          })}
        </tbody>
      </table>
      <p id={AFTER_LIST} tabIndex={-1} />
    </>
  );
}

function NoMatches() {
  const { view } = useStore();
  return (
    <p class="empty">
      {t('noMatches')} <Button text={t('showAll')} onClick={() => view.showAll()} />
    </p>
  );
}

/** Sorts by a column. */
function ColumnHead({ column }: { column: TableColumn }) {
  const { view } = useStore();
  const order = view.order.value;
  const isSorted = order !== 'term' && order.column === column.id;
  const direction = isSorted && order.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" role="columnheader" class={classOf(column)} {...(isSorted && { 'aria-sort': direction })}>
      <Button text={t(column.id)} onClick={() => view.sortBy(column.id)} />
    </th>
  );
}

/** Keeps the focus where it is: the browser takes it from an element that moves in the document. */
function useFocus(): void {
  const before = useRef<Element | null>(null);
  before.current = document.activeElement;
  useLayoutEffect(() => {
    const focused = before.current;
    // Otherwise a button that has gone would keep its license, with its PIN code, until the next drawing.
    before.current = null;
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
