import { useModel } from '../ui/use-model.js';
import { daysBetween } from '../model/day.js';
import { formatDate, waitInDays } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { HORIZONS, type Filter } from '../model/list.js';

/** What the shown licenses come to; each sum leads to the licenses that it counts. */
export function Tiles() {
  const { list } = useModel();
  const { files, client, server, other, withoutUsers, unknown, expired, failed, next } = list.sums.value;
  const licenses = client.licenses + server.licenses + other.licenses;
  const days = next && daysBetween(list.today.value, next.day);
  const horizon = HORIZONS.find((horizon) => days !== undefined && days <= horizon);
  const join = (...parts: (string | false)[]) => parts.filter(Boolean).join(' · ');
  return (
    <div class="summary">
      <div class="tiles" role="group" aria-label={t('sums')}>
        <Tile filter="all" label={t('sumLicenses')} value={licenses} note={t('sumFiles', { count: files })} />
        <Tile
          filter="client"
          label={t('sumUsers')}
          value={client.users}
          note={t('sumOfLicenses', { count: client.licenses })}
        />
        <Tile
          filter="server"
          label={t('sumServer')}
          value={server.licenses}
          note={server.users > 0 ? t('sumForUsers', { users: server.users }) : ''}
        />
        <Tile
          filter="expiring"
          label={t('sumNext')}
          value={next ? formatDate(next.day, language.value) : t('sumNone')}
          note={
            next && days !== undefined
              ? join(waitInDays(days, language.value), t('sumOfLicenses', { count: next.licenses }))
              : ''
          }
          {...(horizon === undefined
            ? { isDisabled: true }
            : { onChoose: () => (list.horizon.value = Math.max(horizon, list.horizon.peek())) })}
        />
        <Tile
          filter="problems"
          label={t('sumProblems')}
          value={expired + failed}
          note={join(
            expired > 0 && t('sumExpired', { count: expired }),
            failed > 0 && t('sumFailed', { count: failed }),
          )}
          isBad={expired + failed > 0}
        />
      </div>
      <p class="hint">
        {join(
          other.licenses > 0 && t('sumOther', { count: other.licenses }),
          withoutUsers > 0 && t('sumWithoutUsers', { count: withoutUsers }),
          unknown > 0 && t('sumUnknown', { count: unknown }),
          t('sumHint'),
        )}
      </p>
    </div>
  );
}

interface TileProps {
  filter: Filter;
  label: string;
  value: number | string;
  note: string;
  isBad?: boolean;
  isDisabled?: boolean;
  onChoose?: () => void;
}

function Tile({ filter, label, value, note, isBad = false, isDisabled = false, onChoose }: TileProps) {
  const { list } = useModel();
  return (
    <button
      type="button"
      class={isBad ? 'tile bad' : 'tile'}
      aria-pressed={list.filter.value === filter}
      aria-disabled={isDisabled}
      onClick={() => {
        if (isDisabled) return;
        onChoose?.();
        list.choose(filter);
      }}
    >
      <span class="label">{label}</span>
      <strong>{typeof value === 'number' ? value.toLocaleString(language.value) : value}</strong>
      <small>{note}</small>
    </button>
  );
}
