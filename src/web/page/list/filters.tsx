import { useRef } from 'preact/hooks';
import type { Filter } from '../model/filters.js';
import { formatNumber } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { IconButton } from '../ui/icon.js';
import { useStore } from '../ui/use-store.js';
import { COLUMNS } from './columns.js';

/** Which licenses the table shows, and in which order. */
export const Filters = () => (
  <div class="filters">
    <Chips />
    <Search />
    <Sorting />
  </div>
);

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
  const field = useRef<HTMLInputElement>(null);
  const clear = () => {
    search.value = '';
    // The button goes away.
    field.current?.focus();
  };
  return (
    <p class="search">
      <input
        ref={field}
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
        <IconButton icon="cross" title={t('clear')} label={t('clearSearch')} onClick={clear} />
      )}
    </p>
  );
}

/** In place of the head of the table, which a narrow screen does not have. */
function Sorting() {
  const { view } = useStore();
  const sortBy = (id: string) => {
    const column = COLUMNS.find((column) => column.id === id);
    view.sort.value = column && { column, descending: false };
  };
  return (
    <p class="sorting">
      <select
        aria-label={t('sortBy')}
        value={view.sort.value?.column.id ?? ''}
        onChange={({ currentTarget }) => sortBy(currentTarget.value)}
      >
        <option value="">{t('byUrgency')}</option>
        {COLUMNS.filter(({ sortValue }) => sortValue !== 'urgency').map(({ id }) => (
          <option key={id} value={id}>
            {t(id)}
          </option>
        ))}
      </select>
    </p>
  );
}
