import { useState } from 'preact/hooks';
import { outcome } from './announcer.js';
import { excelColumns, excelRow } from './excel-columns.js';
import { download } from './hand-over.js';
import { isPending, type Item } from './item.js';
import type { Model } from './model.js';
import { COLUMNS, FILTERS, type Choice, type Column, type Filter, type Selection } from './selection.js';
import type { Tell, TextKey } from './texts.js';

const FILTER_TEXTS: Record<Filter, TextKey> = {
  all: 'all',
  expired: 'expired',
  expiring: 'expiring',
  duplicates: 'duplicates',
  failed: 'failedFilter',
};

interface ToolbarProps {
  model: Model;
  t: Tell;
  selection: Selection;
  choice: Choice;
  setChoice: (change: Partial<Choice>) => void;
}

/** How far it is, what can be done with all files, and which of them are shown. */
export function Toolbar({ model, t, selection, choice, setChoice }: ToolbarProps) {
  const { inventory, runner } = model;
  const { items } = inventory;
  const total = items.length;
  const decided = total - items.filter(isPending).length;
  const retryable = items.filter(({ state }) => state.name === 'failed' && state.canRetry);
  const canceled = runner.canceledCount();
  return (
    <>
      <header class="bar">
        <h2 id="results-title">{t('results')}</h2>
        {decided < total ? (
          <p class="progress">
            <progress aria-label={t('results')} value={decided} max={total} />{' '}
            {t('progress', { decided, total })}
          </p>
        ) : (
          <p class="progress">{outcome(model, t)}</p>
        )}
        <div class="actions">
          {total - decided > 1 && (
            <button type="button" onClick={() => runner.cancel(inventory.pending())}>
              {t('cancelAll')}
            </button>
          )}
          {canceled > 1 && (
            <span>
              {t('canceledAll', { count: canceled })}{' '}
              <button type="button" onClick={() => runner.undoCancel()}>
                {t('undo')}
              </button>
            </span>
          )}
          {retryable.length > 0 && (
            <button
              type="button"
              onClick={() => runner.retry(new Set(retryable.map(({ content }) => content)))}
            >
              {t('retryAll')}
            </button>
          )}
          <ExcelButton model={model} t={t} items={selection.shown} />
        </div>
      </header>
      {total > 1 && (
        <div class="bar choice-bar">
          <p class="search">
            <label for="search">{t('search')}</label>
            <input
              id="search"
              type="search"
              spellcheck={false}
              autocomplete="off"
              value={choice.search}
              onInput={({ currentTarget }) => setChoice({ search: currentTarget.value })}
            />
          </p>
          <div class="filters" role="group" aria-label={t('filters')}>
            {FILTERS.map((filter) => (
              <button
                key={filter}
                type="button"
                aria-pressed={choice.filter === filter}
                onClick={() => setChoice({ filter })}
              >
                {t(FILTER_TEXTS[filter])}{' '}
                <span class="count">{selection.counts[filter].toLocaleString(model.language)}</span>
              </button>
            ))}
          </div>
          <p class="sorting">
            <label for="sort">{t('sortBy')}</label>
            <select
              id="sort"
              value={choice.sort ?? ''}
              onChange={({ currentTarget }) =>
                setChoice({ sort: (currentTarget.value || undefined) as Column | undefined })
              }
            >
              <option value="">{t('asGiven')}</option>
              {COLUMNS.map((column) => (
                <option key={column} value={column}>
                  {t(column)}
                </option>
              ))}
            </select>
            {choice.sort && (
              <label>
                <input
                  type="checkbox"
                  checked={choice.descending}
                  onChange={({ currentTarget }) => setChoice({ descending: currentTarget.checked })}
                />{' '}
                {t('descending')}
              </label>
            )}
          </p>
        </div>
      )}
    </>
  );
}

/** Writes what the table shows. The library comes with the first click. */
function ExcelButton({ model, t, items }: { model: Model; t: Tell; items: readonly Item[] }) {
  const [state, setState] = useState<'idle' | 'works' | 'failed'>('idle');
  const save = async () => {
    if (state === 'works') return;
    setState('works');
    try {
      const { language } = model;
      const { exportExcel } = await import('./excel.js');
      download(
        'licenses.xlsx',
        await exportExcel(items.map(excelRow), excelColumns(language), t('results'), language),
      );
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <button type="button" onClick={() => void save()}>
        {t(state === 'works' ? 'excelWorks' : 'excel')}
      </button>
      {state === 'failed' && (
        <span class="problem" role="alert">
          {t('excelFailed')}
        </span>
      )}
    </>
  );
}
