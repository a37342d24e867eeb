import type { License } from '../model/license.js';
import { COLUMNS, type Column } from '../model/order.js';
import { HORIZONS } from '../model/view.js';
import { t } from '../texts/language.js';
import { Checkbox } from '../ui/controls.js';
import { IconButton } from '../ui/icon.js';
import { useStore } from '../ui/use-store.js';

/** Which licenses are shown besides the filter, in which order, and what they come to. */
export function Choice() {
  const { view, licenses } = useStore();
  const isSearch = view.search.value.trim() !== '';
  const found = { count: view.shown.value.length, total: licenses.value.length };
  return (
    <div class="bar choice-bar">
      <Search />
      <Sorting />
      {view.tile.value === 'expiring' && <Horizon />}
      <p class="found" role="status">
        {isSearch && t('found', found)}
      </p>
      {isSearch && <Owners />}
    </div>
  );
}

function Search() {
  const { search } = useStore().view;
  return (
    <>
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
        <IconButton icon="cross" title={t('clear')} name={t('search')} onClick={() => (search.value = '')} />
      )}
    </>
  );
}

function Sorting() {
  const { view } = useStore();
  const sort = view.sort.value;
  const sortBy = (column: string) => {
    view.sort.value = column === '' ? undefined : { column: column as Column, descending: false };
  };
  return (
    <p class="sorting">
      <select
        aria-label={t('sortBy')}
        value={sort?.column ?? ''}
        onChange={({ currentTarget }) => sortBy(currentTarget.value)}
      >
        <option value="">{t('byUrgency')}</option>
        {COLUMNS.map((column) => (
          <option key={column} value={column}>
            {t(column)}
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

function Horizon() {
  const { horizon } = useStore().view;
  return (
    <select
      class="horizon"
      aria-label={t('horizon')}
      value={horizon.value}
      onChange={({ currentTarget }) => (horizon.value = Number(currentTarget.value))}
    >
      {HORIZONS.map((days) => (
        <option key={days} value={days}>
          {t('days', { days })}
        </option>
      ))}
    </select>
  );
}

/** What a search cannot find yet. */
function Owners() {
  const licenses = useStore().licenses.value;
  const count = licenses.filter(isRead).length;
  const unread = licenses.filter((license) => !isRead(license) && (license.isUnread || license.isPending));
  if (unread.length === 0) return null;
  return <p>{t('ownersRead', { count, total: count + unread.length })}</p>;
}

const isRead = ({ known }: License) => known.answer !== null || known.owner !== null;
