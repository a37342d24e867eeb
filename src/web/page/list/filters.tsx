import type { Filter } from '../model/filters.js';
import { formatNumber } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { Checkbox } from '../ui/controls.js';
import { IconButton } from '../ui/icon.js';
import { useStore } from '../ui/use-store.js';
import { COLUMNS } from './columns.js';

/** Which licenses the table shows, in which order, and what they come to. Above 732 px its height never changes. */
export function Filters() {
  return (
    <>
      <div class="filters">
        <Chips />
        <Search />
        <Sorting />
      </div>
      <div class="sums">
        <Sums />
      </div>
    </>
  );
}

/** Parts of the list, each with how many rows of it the search leaves. */
function Chips() {
  const { licenses, view } = useStore();
  // With room for the longest number no chip moves when another one counts more.
  const digits = String(licenses.value.length).length;
  return (
    <div class="chips" role="group" aria-label={t('filters')} style={{ '--digits': `${digits}ch` }}>
      {view.offered.value.map((filter) => (
        <Chip key={filter} filter={filter} />
      ))}
    </div>
  );
}

function Chip({ filter }: { filter: Filter }) {
  const { view } = useStore();
  const count = view.counts.value[filter];
  const isBad = count > 0 && (filter === 'expired' || filter === 'errors');
  return (
    <button
      type="button"
      class={isBad ? 'chip bad' : 'chip'}
      aria-pressed={view.filter.value === filter}
      onClick={() => view.choose(filter)}
    >
      {t(filter)} <strong>{formatNumber(count, language.value)}</strong>
    </button>
  );
}

function Search() {
  const { search } = useStore().view;
  return (
    <p class="search">
      <input
        id="search"
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        spellcheck={false}
        autocomplete="off"
        value={search.value}
        onInput={({ currentTarget }) => (search.value = currentTarget.value)}
      />
      {search.value !== '' && (
        <IconButton
          icon="cross"
          title={t('clear')}
          label={t('clearSearch')}
          onClick={() => (search.value = '')}
        />
      )}
    </p>
  );
}

/** In place of the head of the table, where rows are cards. */
function Sorting() {
  const { view } = useStore();
  const sort = view.sort.value;
  const sortBy = (id: string) => {
    const column = COLUMNS.find((column) => column.id === id);
    view.sort.value = column && { column, descending: false };
  };
  return (
    <p class="sorting">
      <select
        aria-label={t('sortBy')}
        value={sort?.column.id ?? ''}
        onChange={({ currentTarget }) => sortBy(currentTarget.value)}
      >
        <option value="">{t('byUrgency')}</option>
        {COLUMNS.filter(({ sortValue }) => sortValue !== 'urgency').map(({ id }) => (
          <option key={id} value={id}>
            {t(id)}
          </option>
        ))}
      </select>
      {sort && (
        <Checkbox
          text={t('descending')}
          checked={sort.descending}
          onChange={(descending) => (view.sort.value = { ...sort, descending })}
        />
      )}
    </p>
  );
}

/** What a search has found, and for how many users its licenses are good. */
function Sums() {
  const { view, licenses } = useStore();
  const { users, unknown } = view.users.value;
  const isSearch = view.search.value.trim() !== '';
  const found = { count: view.shown.value.length, total: licenses.value.length };
  const leftOut = unknown > 0 ? `, ${t('sumLeavesOut', { unknown })}` : '';
  const sum = t('sumUsers', { users }) + leftOut;
  return (
    <>
      <p role="status">{isSearch && t('found', found)}</p>
      {view.counts.value.clients > 0 && <p>{sum}</p>}
      {isSearch && <Owners />}
    </>
  );
}

/** Before its file is read, a license is not found by its owner. */
function Owners() {
  const licenses = useStore().licenses.value;
  const total = licenses.length;
  const count = licenses.filter(({ known }) => known.owner !== null).length;
  return count < total ? <p>{t('ownersKnown', { count, total })}</p> : null;
}
