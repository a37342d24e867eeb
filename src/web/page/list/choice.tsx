import type { License } from '../model/license.js';
import { HORIZONS } from '../model/list.js';
import { COLUMNS, type Column } from '../model/order.js';
import { t } from '../texts/language.js';
import { Checkbox } from '../ui/controls.js';
import { IconButton } from '../ui/icon.js';
import { useModel } from '../ui/use-model.js';

/** Which licenses are shown besides the filter, in which order, and what they come to. */
export function Choice() {
  const { list } = useModel();
  const sort = list.sort.value;
  return (
    <div class="bar choice-bar">
      <input
        id="search"
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        spellcheck={false}
        autocomplete="off"
        value={list.search.value}
        onInput={({ currentTarget }) => (list.search.value = currentTarget.value)}
      />
      {list.search.value !== '' && (
        <IconButton
          icon="cross"
          title={t('clear')}
          name={t('search')}
          onClick={() => (list.search.value = '')}
        />
      )}
      <p class="sorting">
        <select
          aria-label={t('sortBy')}
          value={sort?.column ?? ''}
          onChange={({ currentTarget: { value } }) =>
            (list.sort.value = value ? { column: value as Column, descending: false } : undefined)
          }
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
            onChange={(descending) => (list.sort.value = { ...sort, descending })}
          />
        )}
      </p>
      {list.tile.value === 'expiring' && (
        <select
          class="horizon"
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
      <p class="found" role="status">
        {list.search.value.trim() !== '' &&
          t('found', { count: list.shown.value.length, total: list.licenses.value.length })}
      </p>
      {list.search.value.trim() !== '' && <Owners />}
    </div>
  );
}

/** What a search cannot find yet. */
function Owners() {
  const licenses = useModel().list.licenses.value;
  const isRead = ({ known }: License) => known.answer !== undefined || known.owner !== null;
  const count = licenses.filter(isRead).length;
  const total = licenses.filter((license) => isRead(license) || license.isUnread || license.isPending).length;
  return count < total ? <p>{t('ownersRead', { count, total })}</p> : null;
}
