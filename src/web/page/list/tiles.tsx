import { URGENT_DAYS, type Tile, type Totals } from '../model/tiles.js';
import { formatDay, formatNumber } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { useStore } from '../ui/use-store.js';

/** Parts of the list, each with how many rows of it the search leaves. */
export function Tiles() {
  const { view } = useStore();
  return (
    <div class="tiles" role="group" aria-label={t('filters')}>
      {view.offered.value.map((tile) => (
        <TileButton key={tile} tile={tile} />
      ))}
    </div>
  );
}

function TileButton({ tile }: { tile: Tile }) {
  const { view } = useStore();
  const totals = view.totals.value;
  const count = totals.counts[tile];
  const note = count > 0 ? noteOn(tile, totals) : undefined;
  // Of what expires soon, what does within a month stands first.
  const isSplit = tile === 'expiring' && view.horizon.value > URGENT_DAYS;
  const days = `${isSplit ? `${URGENT_DAYS} / ` : ''}${view.horizon.value}`;
  return (
    <button
      type="button"
      class={`tile ${count > 0 ? tile : 'none'}`}
      aria-pressed={view.tile.value === tile}
      onClick={() => view.choose(tile)}
    >
      {t(tile, { days })} <br />
      <strong>
        {isSplit && `${formatNumber(totals.urgent, language.value)} / `}
        {formatNumber(count, language.value)}
      </strong>
      {note && ` · ${note}`}
    </button>
  );
}

/** What there is to say besides how many rows there are. */
function noteOn(tile: Tile, { counts, next, users }: Totals): string | undefined {
  if (tile === 'expiring' && next) return t('sumNext', { day: formatDay(next, language.value) });
  if (tile === 'clients') return t(counts.noUsers > 0 ? 'sumUsersAtLeast' : 'sumUsers', { users });
  return undefined;
}
