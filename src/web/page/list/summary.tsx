import { t } from '../texts/language.js';
import { useStore } from '../ui/use-store.js';
import { countText, DOUBTS, totalText } from '../texts/seat-texts.js';

/** What is shown, in numbers: the licenses, their computers, and for how many users they are good. */
export function Summary() {
  const { view } = useStore();
  const seats = view.seats.value;
  const count = view.computerCount.value;
  const computers = view.hasUnknownComputers.value ? 'computersAtLeast' : 'computerCount';
  const owners = view.ownersKnown.value;
  const mayMissOwners = view.isSearch.value && owners.count < owners.total;
  return (
    <div class="summary">
      <h2 id="results-title" tabIndex={-1}>
        {countText(view)}
      </h2>{' '}
      {count > 0 && <p>{t(computers, { count })} </p>}
      {seats.total > 0 && <p class="total">{totalText(seats)} </p>}
      {DOUBTS.map((doubt) => (
        <Doubt key={doubt} doubt={doubt} />
      ))}
      {/* A license is not found by an owner that is not known. */}
      {mayMissOwners && <p>{t('ownersKnown', owners)} </p>}
    </div>
  );
}

/** How many licenses leave the total in doubt. It shows them all, and stays while it does. */
function Doubt({ doubt }: { doubt: (typeof DOUBTS)[number] }) {
  const { view } = useStore();
  const count = view.counts.value[doubt];
  const isChosen = view.filter.value === doubt;
  // Those of other rows say nothing about the total of these.
  const isAboutTotal = view.seats.value[doubt] > 0;
  if (!isAboutTotal && !isChosen) return null;
  return (
    <p>
      <button type="button" class="link" aria-pressed={isChosen} onClick={() => view.choose(doubt)}>
        {t(doubt, { count })}
      </button>{' '}
    </p>
  );
}
