import { isPending, isUnread, licenseOf } from '../model/item.js';
import { COLUMNS, HORIZONS, type Column } from '../model/list.js';
import { HEADS } from '../texts/cells.js';
import { t } from '../texts/language.js';
import { IconButton } from '../ui/icon.js';
import { useModel } from '../ui/use-model.js';

/** Which licenses are shown besides the filter, in which order, and what they come to. */
export function Choice() {
  const { list } = useModel();
  const sort = list.sort.value;
  const { untyped, withoutUsers, unknown } = list.sums.value;
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
      {list.offered.value.includes('expiring') && (
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
        {list.shown.value.length < list.items.value.length &&
          t('found', { count: list.shown.value.length, total: list.items.value.length })}
      </p>
      {list.search.value.trim() !== '' && <Owners />}
      <p class="hint">
        {[
          untyped > 0 && t('sumOther', { count: untyped }),
          withoutUsers > 0 && t('sumWithoutUsers', { count: withoutUsers }),
          unknown > 0 && t('sumUnknown', { count: unknown }),
          t('sumHint'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  );
}

/** What a search cannot find yet, and the way to have it read. */
function Owners() {
  const model = useModel();
  const items = model.list.items.value;
  const read = items.filter((item) => licenseOf(item).answer).length;
  const total = read + items.filter((item) => item.content.canBeAsked || isPending(item)).length;
  if (read === total) return null;
  const count = Math.min(model.left.value, items.filter(isUnread).length);
  return (
    <p>
      {t('ownersRead', { read, total })}{' '}
      {count > 0 ? (
        <button type="button" onClick={() => model.readAll()}>
          {t('readSome', { count })}
        </button>
      ) : (
        model.access.current.value === undefined && (
          <button
            type="button"
            onClick={() =>
              document
                .querySelector<HTMLElement>('[aria-controls="token-form"][aria-expanded="false"]')
                ?.click()
            }
          >
            {t('haveToken')}
          </button>
        )
      )}
    </p>
  );
}
