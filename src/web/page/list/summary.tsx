import { t } from '../texts/language.js';
import { useStore } from '../ui/use-store.js';
import { DOUBTS, doubtText, totalText } from './seat-texts.js';

/** What is shown, in numbers: the licenses, their computers, and for how many users they are good. */
export function Summary() {
  const { view } = useStore();
  const seats = view.seats.value;
  const count = view.computerCount.value;
  return (
    <div class="summary">
      <h2 id="results-title" tabIndex={-1}>
        <Count />
      </h2>
      {count > 0 && <p>{t('computerCount', { count })}</p>}
      {seats.seats > 0 && <p class="total">{totalText(seats)}</p>}
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
              </button>
            </p>
          ),
      )}
    </div>
  );
}

/** How many licenses there are, or how many of them a filter and a search show. */
function Count() {
  const { files, licenses, view } = useStore();
  const count = licenses.value.length;
  const fileCount = files.value.length;
  if (view.isPart.value) return <>{t('shownOf', { count: view.shown.value.length, total: count })}</>;

  // What ring refused may be no license.
  const areLicenses = licenses.value.every(({ isRefused }) => !isRefused);
  if (!areLicenses) return <>{t('fileCount', { count: fileCount })}</>;
  return <>{t(count === fileCount ? 'licenseCount' : 'licensesInFiles', { count, fileCount })}</>;
}
