import { t } from '../texts/language.js';
import { useStore } from '../ui/use-store.js';
import { countText, SEAT_NOTES, totalText } from '../texts/seat-texts.js';

/** What is shown, in numbers: the licenses, their computers, and for how many users they are good. */
export function Summary() {
  const { view } = useStore();
  const seats = view.seats.value;
  const count = view.computerCount.value;
  const computers = view.hasUnknownComputers.value ? 'computersAtLeast' : 'computerCount';
  const { owners, count: total } = view.known.value;
  const mayMissOwners = view.isSearch.value && owners < total;
  return (
    <div class="summary">
      <h2 id="results-title" tabIndex={-1}>
        {countText(view)}
      </h2>{' '}
      {count > 0 && <p>{t(computers, { count })} </p>}
      {seats.total > 0 && <p class="total">{totalText(seats)} </p>}
      {SEAT_NOTES.map((note) => (
        <SeatNote key={note} note={note} />
      ))}
      {/* A license is not found by an owner that is not known. */}
      {mayMissOwners && <p>{t('ownersKnown', { count: owners, total })} </p>}
    </div>
  );
}

/** How many licenses leave the total in doubt; with all rows, the way to them, which stays while it shows them. */
function SeatNote({ note }: { note: (typeof SEAT_NOTES)[number] }) {
  const { view } = useStore();
  const filter = view.filter.value;
  const isChosen = filter === note;
  const count = view.seats.value[note];
  if (count === 0 && !isChosen) return null;
  if (filter !== 'all' && !isChosen) return <p>{t(note, { count })} </p>;

  return (
    <p>
      <button type="button" class="link" aria-pressed={isChosen} onClick={() => view.choose(note)}>
        {t(note, { count: view.counts.value[note] })}
      </button>{' '}
    </p>
  );
}
