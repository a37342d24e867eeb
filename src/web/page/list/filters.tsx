import { useRef } from 'preact/hooks';
import type { Filter } from '../model/filters.js';
import { SOON_DAYS } from '../model/validity.js';
import { formatNumber } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { IconButton } from '../ui/icon.js';
import { useStore } from '../ui/use-store.js';

/** Which licenses the table shows. */
export const Filters = () => (
  <>
    <Chips />
    <Search />
  </>
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

function Chip({ filter }: { filter: Exclude<Filter, 'all'> }) {
  const { view } = useStore();
  const count = view.counts.value[filter];
  return (
    <button
      type="button"
      class={`chip ${filter}`}
      aria-pressed={view.filter.value === filter}
      onClick={() => view.choose(filter)}
    >
      {t(filter === 'expiring' ? 'expiringShort' : filter, { days: SOON_DAYS })}{' '}
      <strong>{formatNumber(count, language.value)}</strong>
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
