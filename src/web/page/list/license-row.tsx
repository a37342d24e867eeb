import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { shortReason } from '../license/row-texts.js';
import { useStore } from '../ui/use-store.js';
import { classOf, COLUMNS, type RowProps } from './columns.js';

/** A license in the table. A press anywhere in its row opens it. */
export function LicenseRow(row: RowProps) {
  const { license, isOpen, validity } = row;
  const { view } = useStore();
  const element = useRef<HTMLTableRowElement>(null);
  useShown(element, isOpen);
  const press = ({ target, currentTarget }: MouseEvent) => {
    const isForButton = (target as Element).closest('button') !== null;
    if (!isForButton && !endsSelection(currentTarget as Element)) view.toggle(license);
  };

  const reason = shortReason(license);
  const cells = reason ? COLUMNS.filter(({ yieldsToReason }) => !yieldsToReason) : COLUMNS;
  const marks = [isOpen && 'open', validity === 'replaced' && 'over'].filter(Boolean);
  return (
    <tr
      ref={element}
      data-id={license.id}
      class={['license', license.status, ...marks].join(' ')}
      role="row"
      onClick={press}
    >
      {cells.map((column) => (
        <td role="cell" key={column.id} class={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
      {reason && (
        <td
          role="cell"
          class="reason problem"
          colSpan={COLUMNS.length - cells.length}
          style={{ '--from': cells.length + 1 }}
          lang={reason.language}
        >
          <span title={reason.text}>{reason.text}</span>
        </td>
      )}
    </tr>
  );
}

/** Brings details that have opened into view. A link to another license leads the focus there. */
function useShown(row: RefObject<HTMLTableRowElement | null>, isOpen: boolean): void {
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    const hasOpened = isOpen && !wasOpen.current;
    wasOpen.current = isOpen;
    if (!hasOpened) return;

    row.current?.querySelector('button')?.focus();
    row.current?.nextElementSibling?.scrollIntoView({ block: 'nearest' });
    row.current?.scrollIntoView({ block: 'nearest' });
  }, [row, isOpen]);
}

/** Whether a click only ends the selection of some text of a row. */
function endsSelection(row: Element): boolean {
  const selection = getSelection();
  return selection?.type === 'Range' && selection.containsNode(row, true);
}
