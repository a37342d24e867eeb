import { pathOf, type License, type StateName } from '../model/license.js';
import { COLUMNS, type Column } from '../model/order.js';
import { rowTexts, sheetNote, shortProduct } from '../ui/row-texts.js';
import type { TextKey } from '../texts/texts.js';
import { useModel } from '../ui/use-model.js';
import { t, tell } from '../texts/language.js';
import { CopyButton } from '../ui/copy-button.js';
import { Icon, IconButton, type IconName } from '../ui/icon.js';
import { Paths, Term } from '../ui/license-parts.js';

/** Columns whose values need a name in front where a row is a card. */
const LABELED: ReadonlySet<Column> = new Set(['validUntil', 'users', 'computer', 'pin']);

interface RowProps {
  license: License;
  isOpen: boolean;
  isReplaced: boolean;
  /** What counts in its place, of two contents of one license. */
  twin: License | undefined;
  /** The license that replaced it, and the one that it replaced. */
  successor: License | undefined;
  predecessor: License | undefined;
  /** What became of it since the day with which it is compared. */
  change: string;
  isGone: boolean;
}

/** A license in the table. */
export function LicenseRow(props: RowProps) {
  const { license, isOpen, isReplaced, isGone } = props;
  const { list } = useModel();
  const { state } = license;
  const problem = license.isFailed && state.failure && tell(state.failure.problem);
  const texts = rowTexts(license);
  const { pin, sources } = license.known;
  const isBlank = license.isGiven && sources.length === 0 && !problem;
  const cells: Partial<Record<Column, preact.ComponentChildren>> = {
    validUntil: isBlank ? (
      <span class="unbroken">{t('noClearText')}</span>
    ) : (
      <Term license={license} isReplaced={isReplaced} />
    ),
    owner: clamped(texts.owner),
    product: clamped(shortProduct(texts.product), texts.product),
    computer: clamped(texts.computer),
    pin: pin && (
      <>
        {pin} <CopyButton text={() => pin} name={`${t('pin')} ${pin}`} tabIndex={-1} />
      </>
    ),
    file: (
      <span class="clamp" title={texts.file}>
        <Paths license={license} />
      </span>
    ),
    state: <StateCell license={license} />,
  };
  const open = ({ target }: Event) => {
    // Ending a text selection is also a click.
    if ((target as Element).closest('button') || getSelection()?.type === 'Range') return;
    list.chosen.value = isOpen ? undefined : license.id;
  };
  return (
    <tbody
      data-id={license.id}
      class={`license ${state.name}${isOpen ? ' open' : ''}${isBlank ? ' blank' : ''}${isGone ? ' gone' : ''}`}
      role="rowgroup"
    >
      <tr class="cells" role="row" aria-selected={isOpen} onClick={open}>
        {COLUMNS.map((column) => (
          <td
            role="gridcell"
            key={column}
            class={`column-${column}`}
            {...(LABELED.has(column) && { 'data-label': t(column) })}
            {...(column !== 'state' && !(column === 'pin' && pin) && { tabIndex: -1 })}
          >
            {cells[column] ?? texts[column]}
            {column === 'product' && <Marks {...props} />}
          </td>
        ))}
      </tr>
      {problem && (
        <tr class="message" role="row" onClick={open}>
          <td role="gridcell" colSpan={COLUMNS.length} tabIndex={-1} lang={problem.language}>
            {problem.text}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** At most two lines; all of it under the pointer and in the details. */
const clamped = (text: string, title = text) =>
  text && (
    <span class="clamp" title={title}>
      {text}
    </span>
  );

/**
 * What became of it, what it is among the others, and from which day that is known. Of a license and the one that
 * replaced it each leads to the other.
 */
function Marks({ license, twin, successor, predecessor, change }: RowProps) {
  const note = sheetNote(license);
  const { list } = useModel();
  const link = (text: TextKey, other: License, name: string) => (
    <button type="button" class="mark" tabIndex={-1} onClick={() => list.goTo(other)}>
      {t(text, { name })}
    </button>
  );
  return (
    <>
      {change && <span class="mark">{change}</span>}
      {successor && link('replacedBy', successor, rowTexts(successor).pin)}
      {twin && link('sameLicense', twin, twin.places.value[0] ? pathOf(twin.places.value[0]) : '')}
      {predecessor && link('replaces', predecessor, rowTexts(predecessor).pin)}
      {note && (
        <span class="mark far" title={t('sheetSecret')}>
          {note}
        </span>
      )}
    </>
  );
}

const ICONS: Partial<Record<StateName, IconName>> = {
  unread: 'circle',
  waiting: 'clock',
  decoding: 'dots',
  failed: 'cross',
  unfit: 'cross',
};

/** The state as a picture, unless the license was read, and what can be done about it. */
function StateCell({ license }: { license: License }) {
  const model = useModel();
  const { state } = license;
  const icon = ICONS[state.name];
  const action = (icon: IconName, text: TextKey, onClick: () => void) => (
    <IconButton icon={icon} title={t(text)} name={license.name} onClick={onClick} tabIndex={-1} />
  );
  return (
    <>
      {icon && license.isGiven && (
        <span class="state" role="img" aria-label={t(state.name)} title={t(state.name)}>
          <Icon name={icon} />
        </span>
      )}
      <span class="row-actions">
        {license.isPending && action('stopped', 'cancel', () => model.cancel([license]))}
        {license.canBeAsked &&
          model.canRead.value &&
          action('retry', license.isFailed ? 'retry' : 'read', () => model.runner.read([license]))}
        {action('cross', 'remove', () => model.remove([license]))}
      </span>
    </>
  );
}
