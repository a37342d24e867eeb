import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { nameOf, type License } from '../model/license.js';
import { t } from '../texts/language.js';

interface RowBoundaryProps {
  license: License;
  columnCount: number;
  children: ComponentChildren;
}

/** Keeps the list when the row or the details of one license cannot be drawn, which then has only the name of its file. */
export function RowBoundary({ license, columnCount, children }: RowBoundaryProps) {
  const state = useErrorBoundary((error) => console.error(error));
  const hasFailed = state[0] !== undefined;
  if (!hasFailed) return <>{children}</>;

  return (
    <tr role="row" class="license">
      <td role="cell" class="reason problem" colSpan={columnCount} style={{ '--from': 1 }}>
        {t('notDrawn', { name: nameOf(license) })}
      </td>
    </tr>
  );
}
