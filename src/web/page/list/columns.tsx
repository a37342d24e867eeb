import type { ComponentChildren } from 'preact';
import { NO_END } from '../model/facts.js';
import { nameOf, type License } from '../model/license.js';
import type { SortColumn } from '../model/order.js';
import type { Validity } from '../model/validity.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { Button } from '../ui/controls.js';
import { CopyButton } from '../ui/copy-button.js';
import { Paths, ValidityMark } from '../ui/license-parts.js';
import { missingPinText, noteOn, readAction, rowTexts, shortProduct } from '../ui/row-texts.js';
import { useStore } from '../ui/use-store.js';

/** What a row of the table shows. */
export interface RowProps {
  license: License;
  isOpen: boolean;
  validity: Validity;
}

export interface TableColumn extends SortColumn {
  /** The key of its header, and in the class of its cells: `column-pin`. */
  readonly id: TextKey;
  /** As in `grid-template-columns`. */
  readonly width: string;
  /** Whether a cell needs the name of the column in front where a row is a card. */
  readonly isLabeled?: boolean;
  readonly cell: (row: RowProps) => ComponentChildren;
}

/** The columns of the table, in its order. */
export const COLUMNS: readonly TableColumn[] = [
  {
    id: 'state',
    width: '6.25rem',
    sortValue: 'urgency',
    cell: ({ license, validity }) => <ValidityMark license={license} validity={validity} />,
  },
  {
    id: 'validUntil',
    width: '6rem',
    isLabeled: true,
    sortValue: ({ known }) => known.validUntil ?? (known.unlimited ? NO_END : null),
    cell: ({ license }) => {
      const isDate = license.known.validUntil !== null;
      return <Said license={license} text={isDate ? rowTexts(license).validUntil : ''} />;
    },
  },
  {
    id: 'product',
    width: 'minmax(13.5rem, 1.5fr)',
    sortValue: (license) => rowTexts(license).product || null,
    cell: (row) => <Product {...row} />,
  },
  {
    id: 'users',
    width: '3.25rem',
    isLabeled: true,
    sortValue: ({ known }) => known.users,
    cell: ({ license }) => <Said license={license} text={rowTexts(license).users} />,
  },
  {
    id: 'computer',
    width: 'minmax(0, 0.8fr)',
    isLabeled: true,
    sortValue: ({ known }) => known.computer,
    cell: ({ license }) => <Said license={license} text={rowTexts(license).computer} />,
  },
  {
    id: 'owner',
    width: 'minmax(0, 1.3fr)',
    sortValue: ({ known }) => known.owner,
    cell: ({ license }) => {
      const { owner, pin } = license.known;
      // What tells the PIN code tells the owner too, so the dash says that there is none.
      const missing = pin === null ? '' : '—';
      return <Clamped text={owner ?? missing} />;
    },
  },
  {
    id: 'pin',
    width: '11.5rem',
    isLabeled: true,
    sortValue: ({ known }) => known.pin,
    cell: ({ license }) => <Pin license={license} />,
  },
  {
    id: 'file',
    width: 'minmax(0, 0.9fr)',
    sortValue: (license) => rowTexts(license).file,
    cell: ({ license }) => (
      <span class="clamp" title={rowTexts(license).file}>
        <Paths places={license.places} />
      </span>
    ),
  },
];

/** At most two lines; all of it under the pointer and in the details. */
function Clamped({ text, title = text }: { text: string; title?: string }) {
  if (text === '') return null;
  return (
    <span class="clamp" title={title}>
      {text}
    </span>
  );
}

/** What a license says; a dash where something is known of it, but not this. */
function Said({ license, text }: { license: License; text: string }) {
  if (text === '') return license.known.isBlank ? null : <>—</>;
  return <Clamped text={text} />;
}

/** The product, and in a line below it why there is not more to say. */
function Product({ license }: RowProps) {
  const { product } = rowTexts(license);
  const note = noteOn(license);
  const look = license.isFailed ? 'problem' : 'far';
  // `.wide` in table.css reaches over the next three columns, which are empty then.
  const width = license.known.isBlank ? 'wide' : '';
  return (
    <>
      <Clamped text={shortProduct(product)} title={product} />
      {note && (
        <span class={`clamp ${look} ${width}`} title={note.text} lang={note.language}>
          {note.text}
        </span>
      )}
    </>
  );
}

/** The PIN code; before it is known, the way to it. */
function Pin({ license }: { license: License }) {
  const store = useStore();
  const { known, canBeAsked } = license;
  const { pin } = known;
  if (pin !== null) {
    return (
      <>
        {pin} <CopyButton text={() => pin} label={t('copyPin', { pin })} tabIndex={-1} />
      </>
    );
  }
  if (!canBeAsked || !store.canRead.value) return <span class="far">{missingPinText(license)}</span>;
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
