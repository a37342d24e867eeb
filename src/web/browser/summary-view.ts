import { button, byId, h, table } from './elements.js';
import { language, t } from './language.js';
import { expiryOf } from './result-view.js';
import { rowOf } from './row.js';
import type { Item } from './upload-queue.js';

const COLUMNS = ['file', 'pin', 'owner', 'product', 'expiry', 'state'] as const;

let sortedBy: (typeof COLUMNS)[number] | undefined;
let direction = 1;

/** Shows the table of all files, sortable by each column, when there is something to compare. */
export function showSummary(items: readonly Item[]): void {
  const focused = document.activeElement?.id ?? '';
  byId('summary').replaceChildren(...(items.length > 1 ? [summaryTable(items)] : []));
  document.getElementById(focused)?.focus();
}

function summaryTable(items: readonly Item[]): HTMLElement {
  const head = COLUMNS.map((column) => {
    const sort = () => {
      direction = sortedBy === column ? -direction : 1;
      sortedBy = column;
      showSummary(items);
    };
    const sorted = sortedBy === column ? { 'aria-sort': direction > 0 ? 'ascending' : 'descending' } : {};
    return h('th', { scope: 'col', ...sorted }, button(t(column), sort, { id: `sort-${column}` }));
  });
  const rows = items.map((item) => ({ ...rowOf(item, language()), item }));
  const { compare } = new Intl.Collator(language(), { numeric: true });
  const by = sortedBy;
  if (by) rows.sort((a, b) => direction * compare(a[by], b[by]));
  const cells = rows.map(({ item, file, expiry, ...row }) => {
    const contents = {
      ...row,
      file: h('a', { id: `link-${item.id}`, href: `#item-${item.id}` }, h('bdi', {}, file)),
      expiry: expiry && expiryOf(expiry),
      state: h('span', { class: `state ${item.state.name}` }, row.state),
    };
    // Narrow screens show the label in each cell.
    return COLUMNS.map((column) =>
      h('td', { class: `column-${column}`, 'data-label': t(column) }, contents[column]),
    );
  });
  return table('summary', head, cells);
}
