import type { ComponentChildren } from 'preact';
import { NO_END } from '../model/facts.js';
import { nameOf, type License } from '../model/license.js';
import type { SortColumn } from '../model/order.js';
import type { Validity } from '../model/validity.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { Button } from '../ui/controls.js';
import { CopyButton } from '../ui/copy-button.js';
import { Paths } from '../license/license-parts.js';
import {
  missingPinText,
  noteOn,
  productText,
  readAction,
  rowTexts,
  stateText,
} from '../license/row-texts.js';
import { useStore } from '../ui/use-store.js';

/** What a row of the table shows. */
export interface RowProps {
  license: License;
  isOpen: boolean;
  validity: Validity;
}

export interface TableColumn extends SortColumn {
  /** The key of its header, and in the class of its cells: `column-pin`, which has its width in table.css. */
  readonly id: TextKey;
  readonly cell: (row: RowProps) => ComponentChildren;
}

/** The columns of the table, in its order. */
export const COLUMNS: readonly TableColumn[] = [
  {
    id: 'state',
    sortValue: 'urgency',
    cell: (row) => <OpenButton {...row} />,
  },
  {
    id: 'validUntil',
    sortValue: ({ known }) => known.validUntil ?? (known.unlimited ? NO_END : null),
    cell: ({ license }) => {
      const isDate = license.known.validUntil !== null;
      return <Said license={license} text={isDate ? rowTexts(license).validUntil : ''} />;
    },
  },
  {
    id: 'product',
    sortValue: (license) => rowTexts(license).product || null,
    cell: (row) => <Product {...row} />,
  },
  {
    id: 'users',
    sortValue: ({ known }) => known.users,
    cell: ({ license }) => <Said license={license} text={rowTexts(license).users} />,
  },
  {
    id: 'computer',
    sortValue: ({ known }) => known.computer,
    cell: ({ license }) => <Said license={license} text={rowTexts(license).computer} />,
  },
  {
    id: 'owner',
    sortValue: ({ known }) => known.owner,
    cell: ({ license }) => <Owner license={license} />,
  },
  {
    id: 'pin',
    sortValue: ({ known }) => known.pin,
    cell: ({ license }) => <Pin license={license} />,
  },
  {
    id: 'file',
    sortValue: (license) => rowTexts(license).file,
    cell: ({ license }) => (
      <span class="clamp" title={rowTexts(license).file}>
        <Paths places={license.places} />
      </span>
    ),
  },
];

/** How long a license counts, or why it does not. The button opens the details. */
function OpenButton({ license, isOpen, validity }: RowProps) {
  const { view } = useStore();
  return (
    <Button
      class={`mark ${validity}`}
      text={stateText(license, view)}
      aria-expanded={isOpen}
      onClick={() => view.toggle(license)}
    />
  );
}

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
  const text = productText(license);
  return (
    <>
      <Clamped text={text} title={rowTexts(license).product || text} />
      {license.known.isBlank && <Note license={license} className="wide" />}
    </>
  );
}

/** The owner. While a file could not be read there is none to show, so the reason stands there. */
function Owner({ license }: { license: License }) {
  const { owner, pin, isBlank } = license.known;
  if (license.isFailed && !isBlank) return <Note license={license} />;

  // What tells the PIN code tells the owner too, so the dash says that there is none.
  const missing = pin === null ? '' : '—';
  return <Clamped text={owner ?? missing} />;
}

/** Why there is less to say of a license than of others. */
function Note({ license, className = '' }: { license: License; className?: string }) {
  const note = noteOn(license);
  if (!note) return null;

  const look = license.isFailed ? 'problem' : 'far';
  return (
    <span class={`clamp ${look} ${className}`} title={note.text} lang={note.language}>
      {note.text}
    </span>
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
        {pin} <CopyButton text={() => pin} label={t('copyPin', { pin })} />
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
      onClick={() => store.read([license])}
    />
  );
}
