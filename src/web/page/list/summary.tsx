import { t } from '../texts/language.js';
import { useStore } from '../ui/use-store.js';
import { countText, DOUBTS, doubtText, totalText } from '../texts/seat-texts.js';

/** What is shown, in numbers: the licenses, their computers, and for how many users they are good. */
export function Summary() {
  const { view } = useStore();
  const seats = view.seats.value;
  const count = view.computerCount.value;
  return (
    <div class="summary">
      <h2 id="results-title" tabIndex={-1}>
        {countText(view)}
      </h2>{' '}
      {count > 0 && <p>{t('computerCount', { count })} </p>}
      {seats.seats > 0 && <p class="total">{totalText(seats)} </p>}
      {DOUBTS.map(
        (doubt) =>
          seats[doubt] > 0 && (
            <p key={doubt}>
              <button
                type="button"
                class="link"
                aria-pressed={view.filter.value === doubt}
                onClick={() => view.choose(doubt)}
              >
                {doubtText(doubt, seats)}
              </button>{' '}
            </p>
          ),
      )}
    </div>
  );
}
