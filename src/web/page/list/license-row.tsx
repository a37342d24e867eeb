import type { License, StateName } from '../model/license.js';
import { COLUMNS, type Column } from '../model/order.js';
import { rowTexts, shortProduct } from '../ui/row-texts.js';
import type { TextKey } from '../texts/texts.js';
import { useModel } from '../ui/use-model.js';
import { t, tell } from '../texts/language.js';
import { CopyButton } from '../ui/copy-button.js';
import { Icon, IconButton, type IconName } from '../ui/icon.js';
import { Paths, Relations, Term, type RelationsProps } from '../ui/license-parts.js';

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
      <Term license={license} isOver={isReplaced || isGone} />
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
        <Paths places={license.places.value} />
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
            {column === 'product' && props.change && [' ', <span class="mark">{props.change}</span>]}
            {column === 'product' && <Relations {...props} tabIndex={-1} />}
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

const ICONS: Partial<Record<StateName, IconName>> = {
  waiting: 'clock',
  decoding: 'dots',
  failed: 'cross',
  unfit: 'cross',
};

/** The state as a picture, where there is one to tell, and what can be done about it. */
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
