import { useModel } from '../ui/use-model.js';
import { formatDay } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import type { Filter, List } from '../model/list.js';

/** What there is to say besides how many rows there are. */
const NOTES: Partial<Record<Filter, (sums: List['sums']['value']) => string | undefined>> = {
  all: ({ licenses }) => t('sumOfLicenses', { count: licenses }),
  expiring: ({ next }) => next && t('sumNext', { day: formatDay(next, language.value) }),
  clients: ({ users }) => t('sumUsers', { users }),
};

/** The filters, each with what the search leaves of it. */
export function Tiles() {
  const { list } = useModel();
  const found = list.found.value;
  return (
    <div class="tiles" role="group" aria-label={t('filters')}>
      {list.offered.value.map((name) => {
        // What is gone is shown among all, and counts among the changes only.
        const count = found.filter(
          (item) => list.passes(name, item) && (name === 'changes' || !list.isGone(item)),
        ).length;
        const note = count > 0 && NOTES[name]?.(list.sums.value);
        return (
          <button
            key={name}
            type="button"
            class={`tile ${count > 0 ? name : ''}`}
            aria-pressed={list.filter.value === name}
            onClick={() => list.choose(name)}
          >
            {t(name)} <br />
            <strong>{count.toLocaleString(language.value)}</strong>
            {note && ` · ${note}`}
          </button>
        );
      })}
    </div>
  );
}
