import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Language } from '../../errors/catalog.js';
import { licenseKey } from './duplicates.js';
import type { Model } from './model.js';
import { LicenseRow, type RowActions } from './license-row.js';
import { COLUMNS, type Choice, type Selection } from './selection.js';
import { textsIn } from './texts.js';

/** Rows that come into the page at a time, so that no step takes long. */
const STEP = 40;

interface TableProps {
  model: Model;
  selection: Selection;
  choice: Choice;
  setChoice: (change: Partial<Choice>) => void;
  open: ReadonlySet<number>;
  toggle: (id: number) => void;
  today: string;
  language: Language;
}

export function Table({ model, selection, choice, setChoice, open, toggle, today, language }: TableProps) {
  const t = textsIn(language);
  const { shown, duplicates } = selection;
  const length = useGrowing(shown.length);
  const { runner } = model;
  const actions = useMemo<RowActions>(
    () => ({
      toggle,
      cancel: (content) => runner.cancel(new Set([content])),
      retry: (content) => runner.retry(new Set([content])),
    }),
    [runner, toggle],
  );
  if (shown.length === 0) {
    return (
      <p class="empty">
        {t('noMatches')}{' '}
        <button type="button" onClick={() => setChoice({ filter: 'all', search: '' })}>
          {t('showAll')}
        </button>
      </p>
    );
  }
  // Named roles, because browsers take a table that is displayed as blocks for none.
  return (
    <table class="licenses" role="table">
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              role="columnheader"
              class={`column-${column}`}
              {...(choice.sort === column && { 'aria-sort': choice.descending ? 'descending' : 'ascending' })}
            >
              <button
                type="button"
                onClick={() =>
                  setChoice({ sort: column, descending: choice.sort === column && !choice.descending })
                }
              >
                {t(column)}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      {shown.slice(0, length).map((item) => (
        <LicenseRow
          key={item.id}
          item={item}
          isOpen={open.has(item.id)}
          isDuplicate={duplicates.has(licenseKey(item))}
          today={today}
          language={language}
          actions={actions}
        />
      ))}
    </table>
  );
}

/** A number of rows that grows step by step to the wanted one. */
function useGrowing(wanted: number): number {
  const [length, setLength] = useState(STEP);
  const next = Math.min(length, Math.max(wanted, STEP));
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
