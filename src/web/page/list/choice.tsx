import { Fragment } from 'preact';
import { COLUMNS, HORIZONS, type Column, type Filter } from '../model/list.js';
import { HEADS } from '../texts/cells.js';
import { language, t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { useModel } from '../ui/use-model.js';

/** Filters that are offered when something passes them; the sums above offer the others. */
const CHIPS: [Filter, TextKey][] = [
  ['all', 'all'],
  ['expired', 'expired'],
  ['expiring', 'expiring'],
  ['changes', 'changes'],
  ['duplicates', 'duplicates'],
  ['replaced', 'replaced'],
  ['noClearText', 'noClearText'],
  ['failed', 'failedFilter'],
];

/** Which licenses are shown, and in which order. */
export function Choice() {
  const { list } = useModel();
  const counts = { ...list.counts.value };
  // What has changed since another day takes their place.
  if (counts.changes > 0) counts.duplicates = 0;
  const filter = list.filter.value;
  const sort = list.sort.value;
  return (
    <div class="bar choice-bar">
      <p class="search">
        <label for="search">{t('search')}</label>
        <input
          id="search"
          type="search"
          spellcheck={false}
          autocomplete="off"
          value={list.search.value}
          onInput={({ currentTarget }) => (list.search.value = currentTarget.value)}
        />
      </p>
      <div class="filters" role="group" aria-label={t('filters')}>
        {CHIPS.filter(([name]) => name === 'all' || name === filter || counts[name] > 0).map(
          ([name, text]) => (
            <Fragment key={name}>
              <button type="button" aria-pressed={filter === name} onClick={() => list.choose(name)}>
                {t(text, { days: list.horizon.value })}{' '}
                <span class="count">{counts[name].toLocaleString(language.value)}</span>
              </button>
              {name === 'expiring' && filter === name && (
                <select
                  aria-label={t('horizon')}
                  value={list.horizon.value}
                  onChange={({ currentTarget }) => (list.horizon.value = Number(currentTarget.value))}
                >
                  {HORIZONS.map((days) => (
                    <option key={days} value={days}>
                      {t('days', { days })}
                    </option>
                  ))}
                </select>
              )}
            </Fragment>
          ),
        )}
      </div>
      <p class="sorting">
        <label for="sort">{t('sortBy')}</label>
        <select
          id="sort"
          value={sort?.column ?? ''}
          onChange={({ currentTarget: { value } }) =>
            (list.sort.value = value ? { column: value as Column, descending: false } : undefined)
          }
        >
          <option value="">{t('asGiven')}</option>
          {COLUMNS.map((column) => (
            <option key={column} value={column}>
              {t(HEADS[column])}
            </option>
          ))}
        </select>
        {sort && (
          <label>
            <input
              type="checkbox"
              checked={sort.descending}
              onChange={({ currentTarget: { checked } }) =>
                (list.sort.value = { column: sort.column, descending: checked })
              }
            />{' '}
            {t('descending')}
          </label>
        )}
      </p>
      <p class="found" role="status">
        {list.shown.value.length < list.items.value.length &&
          t('found', { count: list.shown.value.length, total: list.items.value.length })}
      </p>
    </div>
  );
}
