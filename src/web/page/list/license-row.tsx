import { t } from '../texts/language.js';
import { useStore } from '../ui/use-store.js';
import { COLUMNS, type RowProps } from './columns.js';
import { RowMenuButton } from './row-menu.js';

/** A license in the table. */
export function LicenseRow(row: RowProps) {
  const { license, isOpen, validity } = row;
  const { view } = useStore();
  const toggle = (event: MouseEvent) => {
    const element = event.currentTarget as Element;
    const isForButton = (event.target as Element).closest('button') !== null;
    if (isForButton || endsSelection(event, element)) return;
    view.chosen.value = isOpen ? undefined : license.id;
  };
  const marks = [isOpen && 'open', validity === 'replaced' && 'over'].filter(Boolean);
  return (
    <tr
      data-id={license.id}
      class={['license', license.status, ...marks].join(' ')}
      role="row"
      aria-selected={isOpen}
      onClick={toggle}
    >
      {COLUMNS.map((column) => (
        <td
          role="gridcell"
          key={column.id}
          class={`column-${column.id}`}
          tabIndex={-1}
          {...(column.id === 'state' && { 'aria-expanded': isOpen })}
          {...(column.id === 'users' && { 'data-label': t('users') })}
        >
          {column.cell(row)}
        </td>
      ))}
      <td role="gridcell" class="column-actions" tabIndex={-1}>
        <RowMenuButton license={license} />
      </td>
    </tr>
  );
}

/** Whether a click only ends the selection of some text of a row. The keyboard clicks without a pointer. */
function endsSelection({ detail }: MouseEvent, row: Element): boolean {
  const selection = getSelection();
  return detail > 0 && selection?.type === 'Range' && selection.containsNode(row, true);
}
