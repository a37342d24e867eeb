import type { ComponentChildren } from 'preact';
import type { SortColumn } from '../model/arrangement.js';
import type { Assessment } from '../model/assessment.js';
import { NO_END } from '../model/facts.js';
import { canBeAsked, nameOf, type License } from '../model/license.js';
import type { Validity } from '../model/validity.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { Button } from '../ui/controls.js';
import { CopyButton } from '../ui/copy-button.js';
import {
  missingPinText,
  newerText,
  notCountedText,
  productText,
  readAction,
  rowTexts,
  stateText,
  untilText,
} from '../license/row-texts.js';
import { useStore } from '../ui/use-store.js';

/** What a row of the table shows. */
export interface RowProps extends Assessment {
  license: License;
  isOpen: boolean;
  /** Whether the heading above the row says the validity. */
  isUnderTerm: boolean;
}

export interface TableColumn extends SortColumn {
  /** The key of its header, and in the class of its cells: `column-pin`. */
  readonly id: TextKey;
  /** Its width in the grid of a row. A phone has cards instead, with all columns that table.css does not hide there. */
  readonly width: string;
  readonly cell: (row: RowProps) => ComponentChildren;
  /** Whether it must not get into everybody's hands. */
  readonly isPrivate?: true;
  /** Whether it gives way to the reason if a file could not be read. Such columns are the last ones. */
  readonly yieldsToReason?: true;
}

/** The columns of the table, in its order. */
export const COLUMNS: readonly TableColumn[] = [
  {
    id: 'validUntil',
    width: 'clamp(11.5rem, 14.5vw, 13.25rem)',
    sortValue: ({ facts }) => facts.validUntil ?? (facts.unlimited ? NO_END : null),
    cell: (row) => <OpenButton {...row} />,
  },
  {
    id: 'product',
    width: 'minmax(0, 1.7fr)',
    sortValue: (license) => productText(license) || null,
    cell: (row) => <Product {...row} />,
  },
  {
    id: 'users',
    width: '4rem',
    sortValue: ({ facts }) => facts.users,
    cell: (row) => <Users {...row} />,
  },
  {
    id: 'number',
    width: '7.25rem',
    sortValue: ({ facts }) => facts.registrationNumber,
    cell: ({ license }) => <Cut text={rowTexts(license).registrationNumber} />,
  },
  {
    id: 'computer',
    width: 'minmax(0, 1.05fr)',
    sortValue: ({ facts }) => facts.computer,
    cell: ({ license }) => <Computer name={rowTexts(license).computer} />,
  },
  {
    id: 'owner',
    width: 'minmax(0, 0.9fr)',
    sortValue: ({ facts }) => facts.owner,
    cell: ({ license }) => <Cut text={rowTexts(license).owner} />,
    isPrivate: true,
    yieldsToReason: true,
  },
  {
    id: 'pin',
    width: '11.5rem',
    sortValue: ({ facts }) => facts.pin,
    cell: ({ license }) => <Pin license={license} />,
    isPrivate: true,
    yieldsToReason: true,
  },
];

/** The classes of the cells of a column; print.css hides what is private. */
export const classOf = ({ id, isPrivate }: TableColumn) => `column-${id}${isPrivate ? ' private' : ''}`;

/** A text in one line; all of it under the pointer and in the details. */
const Cut = ({ text }: { text: string }) => <span title={text}>{text}</span>;

/** Characters in which the names of computers differ: `SRV-1C-CLUSTER-NODE-03`. */
const TAIL = 12;

/** A name in one line; where there is no room for all of it, its end stays. */
const Computer = ({ name }: { name: string }) => (
  <span class="ends" title={name}>
    <span>{name.slice(0, -TAIL)}</span>
    <span>{name.slice(-TAIL)}</span>
  </span>
);

/** What the term of a license does not say, and what the heading above its row does not either. */
const MARKED: readonly Validity[] = ['soon', 'expired', 'replaced', 'unlikely'];
const MARKED_UNDER_TERM: readonly Validity[] = ['soon', 'replaced'];

/** Until when a license counts, and how near that is or why it does not. The button opens the details. */
function OpenButton(row: RowProps) {
  const { view } = useStore();
  const { license, isOpen, validity, isUnderTerm } = row;
  const isMarked = (isUnderTerm ? MARKED_UNDER_TERM : MARKED).includes(validity);
  return (
    <button type="button" aria-expanded={isOpen} onClick={() => view.toggle(license)}>
      {rowTexts(license).validUntil || t('noTerm')}
      {isMarked && <span class={`mark ${validity}`}>{stateText(license, row, view.today.value)}</span>}
    </button>
  );
}

/** The product in short; what nothing is known of has the name of its file. */
function Product({ license, replacement, newer, whyNotCounted, isPreviousCopy }: RowProps) {
  const { view } = useStore();
  const text = productText(license);
  // Other reasons stand in other cells.
  const isSaidHere = whyNotCounted === 'seatsNoKind' || whyNotCounted === 'seatsNoNumber';
  return (
    <span class="ends" title={rowTexts(license).product || rowTexts(license).file}>
      <span>{text || <bdi>{nameOf(license)}</bdi>} </span>
      <span>
        {isPreviousCopy && <span class="mark">{t('previousCopy')}</span>}
        {isSaidHere && <span class="mark">{t(whyNotCounted)}</span>}
        {newer && !replacement && (
          <Button
            class="mark"
            text={t('newerMark', { term: untilText(newer) })}
            title={newerText(newer)}
            tabIndex={-1}
            onClick={() => view.goTo(newer)}
          />
        )}
      </span>
    </span>
  );
}

/** On a phone, which has no header above it, the number says what it counts. */
function Users(row: RowProps) {
  const { license, addedSeats } = row;
  const { users } = rowTexts(license);
  if (users === '') return null;

  // What adds nothing to the total stands back.
  return (
    <span class={addedSeats > 0 ? '' : 'far'} title={notCountedText(license, row)}>
      {users}
      <span class="unit"> {t('seatUnit', { count: license.facts.users ?? 0 })}</span>
    </span>
  );
}

/** The PIN code; before it is known, the way to it. Its buttons are in the details too, so the Tab key leaves them out. */
function Pin({ license }: { license: License }) {
  const store = useStore();
  const { pin } = license.facts;
  if (pin !== null) {
    return (
      <>
        {pin} <CopyButton text={() => pin} label={t('copyPin', { pin })} tabIndex={-1} />
      </>
    );
  }
  if (!canBeAsked(license) || !store.canRead.value) return <span class="far">{missingPinText(license)}</span>;
  const text = t(readAction(license));
  return (
    <Button
      class="link"
      text={text}
      aria-label={`${text}: ${nameOf(license)}`}
      tabIndex={-1}
      onClick={() => store.read([license])}
    />
  );
}
