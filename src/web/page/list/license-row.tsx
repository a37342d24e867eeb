import type { ComponentChildren } from 'preact';
import { nameOf, type License } from '../model/license.js';
import { COLUMNS, type Column } from '../model/order.js';
import type { Status } from '../model/state.js';
import { t, tell } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import { Icon, IconButton, type IconName } from '../ui/icon.js';
import { Paths, Relations, Term, type RelationsProps } from '../ui/license-parts.js';
import { rowTexts, shortProduct } from '../ui/row-texts.js';
import { useStore } from '../ui/use-store.js';

/** Columns whose values need a name in front where a row is a card. */
const LABELED: ReadonlySet<Column> = new Set(['validUntil', 'users', 'computer', 'pin']);

interface RowProps extends RelationsProps {
  license: License;
  isOpen: boolean;
  /** What became of it since the day with which it is compared. */
  change: string;
  isGone: boolean;
}

/** A license in the table. */
export function LicenseRow(props: RowProps) {
  const { license, isOpen, isGone } = props;
  const { view } = useStore();
  const { failure, isFailed, known, status } = license;
  const problem = isFailed && failure ? tell(failure.problem) : undefined;
  const isBlank = license.isGiven && known.isBlank && !problem;
  const marks = [isOpen && 'open', isBlank && 'blank', isGone && 'gone'].filter(Boolean);
  const toggle = (event: MouseEvent) => {
    const row = event.currentTarget as Element;
    if ((event.target as Element).closest('button') || endsSelection(event, row)) return;
    view.chosen.value = isOpen ? undefined : license.id;
  };
  return (
    <tbody data-id={license.id} class={['license', status, ...marks].join(' ')} role="rowgroup">
      <tr class="cells" role="row" aria-selected={isOpen} onClick={toggle}>
        {COLUMNS.map((column) => (
          <td
            role="gridcell"
            key={column}
            class={`column-${column}`}
            {...(LABELED.has(column) && { 'data-label': t(column) })}
            {...(!hasButtons(column, license) && { tabIndex: -1 })}
          >
            <Cell {...props} column={column} isBlank={isBlank} />
          </td>
        ))}
      </tr>
      {problem && (
        <tr class="message" role="row" onClick={toggle}>
          <td role="gridcell" colSpan={COLUMNS.length} tabIndex={-1} lang={problem.language}>
            {problem.text}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Whether a click only ends the selection of some text of a row. The keyboard clicks without a pointer. */
function endsSelection({ detail }: MouseEvent, row: Element): boolean {
  const selection = getSelection();
  return detail > 0 && selection?.type === 'Range' && selection.containsNode(row, true);
}

/** Whether the buttons of a cell take the focus in its place. */
const hasButtons = (column: Column, { known }: License) =>
  column === 'state' || (column === 'pin' && known.pin !== null);

interface CellProps extends RowProps {
  column: Column;
  isBlank: boolean;
}

function Cell({ column, isBlank, ...props }: CellProps): ComponentChildren {
  const { license, change, isReplaced, isGone } = props;
  const texts = rowTexts(license);
  switch (column) {
    case 'validUntil':
      if (isBlank) return <span class="unbroken">{t('noClearText')}</span>;
      return <Term license={license} isOver={isReplaced || isGone} />;
    case 'owner':
    case 'computer':
      return <Clamped text={texts[column]} />;
    case 'product':
      return (
        <>
          <Clamped text={shortProduct(texts.product)} title={texts.product} />
          {change && [' ', <span class="mark">{change}</span>]}
          <Relations {...props} tabIndex={-1} />
        </>
      );
    case 'pin':
      return <Pin license={license} />;
    case 'file':
      return (
        <span class="clamp" title={texts.file}>
          <Paths places={license.places} />
        </span>
      );
    case 'state':
      return <StateCell license={license} />;
    default:
      return <>{texts[column]}</>;
  }
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

function Pin({ license: { known, isUnread } }: { license: License }) {
  const { pin } = known;
  if (pin === null) return isUnread ? <span class="mark far">{t('notRead')}</span> : null;
  return (
    <>
      {pin} <CopyButton text={() => pin} name={`${t('pin')} ${pin}`} tabIndex={-1} />
    </>
  );
}

const ICONS: Partial<Record<Status, IconName>> = {
  waiting: 'clock',
  decoding: 'dots',
  failed: 'cross',
  unfit: 'cross',
};

/** The state as a picture, where there is one to tell, and what can be done about it. */
function StateCell({ license }: { license: License }) {
  const store = useStore();
  const { status, isFailed, isPending, canBeAsked } = license;
  const icon = ICONS[status];
  const action = (icon: IconName, text: TextKey, onClick: () => void) => (
    <IconButton icon={icon} title={t(text)} name={nameOf(license)} onClick={onClick} tabIndex={-1} />
  );
  return (
    <>
      {icon && license.isGiven && (
        <span class="state" role="img" aria-label={t(status)} title={t(status)}>
          <Icon name={icon} />
        </span>
      )}
      <span class="row-actions">
        {isPending && action('stopped', 'cancel', () => store.cancel([license]))}
        {canBeAsked &&
          store.canRead.value &&
          action('retry', isFailed ? 'retry' : 'read', () => store.read([license]))}
        {action('cross', 'remove', () => store.remove([license]))}
      </span>
    </>
  );
}
