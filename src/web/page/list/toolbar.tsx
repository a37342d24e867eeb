import { Fragment, type ComponentChildren } from 'preact';
import { stateOf } from '../model/item.js';
import { useModel } from '../ui/use-model.js';
import { language, t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { outcome } from '../ui/announcer.js';
import { COLUMNS, HORIZONS, type Column, type Filter } from '../model/list.js';
import { HEADS } from '../texts/cells.js';

/**
 * How far it is, and what can be done with all files.
 * @param children further actions
 */
export function Toolbar({ children }: { children: ComponentChildren }) {
  const { inventory, runner, list, canRead } = useModel();
  const items = inventory.items.value;
  const pending = inventory.pending.value;
  const canceled = runner.canceled.value.length;
  const failed = items.filter((item) => stateOf(item).name === 'failed' && item.content.canBeAsked);
  const shown = list.shown.value;
  return (
    <header class="bar">
      <h2 id="results-title">{t('results')}</h2>
      <Progress />
      <div class="actions">
        {pending.size > 1 && (
          <button type="button" onClick={() => runner.cancelAll()}>
            {t('cancelAll')}
          </button>
        )}
        {canceled > 1 && (
          <span>
            {t('canceledAll', { count: canceled })}{' '}
            <button type="button" onClick={() => runner.read(runner.canceled.value)}>
              {t('undo')}
            </button>
          </span>
        )}
        {failed.length > 0 && canRead.value && (
          <button type="button" onClick={() => runner.read(failed.map(({ content }) => content))}>
            {t('retryAll')}
          </button>
        )}
        {children}
        {shown.length < items.length && shown.length > 0 && (
          <button type="button" onClick={() => inventory.remove(shown)}>
            {t('removeShown', { count: shown.length })}
          </button>
        )}
        <button type="button" onClick={() => inventory.clear()}>
          {t('clearAll')}
        </button>
      </div>
    </header>
  );
}

function Progress() {
  const { inventory } = useModel();
  const total = inventory.items.value.length;
  const isOver = inventory.pending.value.size === 0;
  const decided = inventory.decided.value;
  return (
    <p class="progress">
      {isOver ? (
        outcome(inventory)
      ) : (
        <>
          <progress aria-label={t('results')} value={decided} max={total} />{' '}
          <span class="unbroken">{t('progress', { decided, total })}</span>
        </>
      )}
    </p>
  );
}

/** Filters that are offered when something passes them; the sums above offer the others. */
const CHIPS: [Filter, TextKey][] = [
  ['all', 'all'],
  ['expired', 'expired'],
  ['expiring', 'expiring'],
  ['duplicates', 'duplicates'],
  ['replaced', 'replaced'],
  ['noClearText', 'noClearText'],
  ['failed', 'failedFilter'],
];

/** Which licenses are shown, and in which order. */
export function Choice() {
  const { list } = useModel();
  const counts = list.counts.value;
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

/** What happened to the list, with the way back. */
export function ListNotice() {
  const { inventory } = useModel();
  const again = inventory.again.value;
  const removed = inventory.removed.value.size;
  return (
    <div role="status" class="list-notice">
      {again && (
        <p class="notice">
          {again.updated.size > 0 && `${t('updated', { count: again.updated.size })} `}
          {again.unchanged.length > 0 && `${t('unchanged', { count: again.unchanged.length })} `}
          <button type="button" onClick={() => inventory.keepBoth()}>
            {t('keepBoth')}
          </button>{' '}
          <button type="button" onClick={() => (inventory.again.value = undefined)}>
            {t('hide')}
          </button>
        </p>
      )}
      {removed > 0 && (
        <p class="notice">
          {t('removed', { count: removed })}{' '}
          <button type="button" onClick={() => inventory.undoRemoval()}>
            {t('undo')}
          </button>{' '}
          <button type="button" onClick={() => inventory.forgetRemoved()}>
            {t('hide')}
          </button>
        </p>
      )}
    </div>
  );
}
