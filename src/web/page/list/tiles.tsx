import { URGENT_DAYS, type Tile, type Totals } from '../model/tiles.js';
import { useModel } from '../ui/use-model.js';
import { formatDay, formatNumber } from '../texts/format.js';
import { language, t } from '../texts/language.js';

/** What there is to say besides how many rows there are. */
const NOTES: Partial<Record<Tile, (totals: Totals) => string | undefined>> = {
  expiring: ({ next }) => next && t('sumNext', { day: formatDay(next, language.value) }),
  clients: ({ users, counts }) => t(counts.noUsers > 0 ? 'sumUsersAtLeast' : 'sumUsers', { users }),
};

/** Parts of the list, each with how many rows of it the search leaves. */
export function Tiles() {
  const { list } = useModel();
  const totals = list.totals.value;
  return (
    <div class="tiles" role="group" aria-label={t('filters')}>
      {list.offered.value.map((tile) => {
        const count = totals.counts[tile];
        const note = count > 0 && NOTES[tile]?.(totals);
        const isSplit = tile === 'expiring' && list.horizon.value > URGENT_DAYS;
        return (
          <button
            key={tile}
            type="button"
            class={`tile ${count > 0 ? tile : 'none'}`}
            aria-pressed={list.tile.value === tile}
            onClick={() => list.choose(tile)}
          >
            {t(tile, { days: `${isSplit ? `${URGENT_DAYS} / ` : ''}${list.horizon.value}` })} <br />
            <strong>
              {isSplit && `${formatNumber(totals.urgent, language.value)} / `}
              {formatNumber(count, language.value)}
            </strong>
            {note && ` · ${note}`}
          </button>
        );
      })}
    </div>
  );
}
