import type { Tile, Totals } from '../model/tiles.js';
import { useModel } from '../ui/use-model.js';
import { formatDay, formatNumber } from '../texts/format.js';
import { language, t } from '../texts/language.js';

/** What there is to say besides how many rows there are. */
const NOTES: Partial<Record<Tile, (totals: Totals) => string | undefined>> = {
  expiring: ({ next }) => next && t('sumNext', { day: formatDay(next, language.value) }),
  clients: ({ users, isLeast }) => t(isLeast ? 'sumUsersAtLeast' : 'sumUsers', { users }),
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
        return (
          <button
            key={tile}
            type="button"
            class={`tile ${count > 0 ? tile : 'none'}`}
            aria-pressed={list.tile.value === tile}
            onClick={() => list.choose(tile)}
          >
            {t(tile, { days: list.horizon.value })} <br />
            <strong>{formatNumber(count, language.value)}</strong>
            {note && ` · ${note}`}
          </button>
        );
      })}
    </div>
  );
}
