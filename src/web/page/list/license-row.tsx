import type { StateName } from '../model/content.js';
import { isFailed, isFile, isPending, isUnread, licenseOf, stateOf, type Item } from '../model/item.js';
import { COLUMNS, type Column, type Mark } from '../model/list.js';
import { cellTexts, HEADS, sheetNote, shortProduct } from '../texts/cells.js';
import type { TextKey } from '../texts/texts.js';
import { useModel } from '../ui/use-model.js';
import { t, tell } from '../texts/language.js';
import { CopyButton } from '../ui/copy-button.js';
import { Icon, IconButton, type IconName } from '../ui/icon.js';
import { Path, Term } from '../ui/license-parts.js';

interface RowProps {
  item: Item;
  isOpen: boolean;
  mark: Mark | undefined;
  /** What became of it since the day with which it is compared. */
  change: string;
  isGone: boolean;
}

/** A license in the table. */
export function LicenseRow({ item, isOpen, mark, change, isGone }: RowProps) {
  const { list } = useModel();
  const state = stateOf(item);
  const problem = isFailed(item) && state.failure && tell(state.failure.problem);
  const texts = cellTexts(item);
  const { pin, sources } = licenseOf(item);
  const isBlank = isFile(item) && sources.length === 0 && !problem;
  const cells: Partial<Record<Column, preact.ComponentChildren>> = {
    validUntil: isBlank ? (
      <span class="unbroken">
        {t('noClearText')} <ReadButton item={item} />
      </span>
    ) : (
      <Term item={item} />
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
        <Path item={item} />
      </span>
    ),
    state: <StateCell item={item} isBlank={isBlank} />,
  };
  const open = ({ target }: Event) => {
    // A click that ends the selection of a text is none on the row.
    if ((target as Element).closest('button') || getSelection()?.type === 'Range') return;
    list.chosen.value = isOpen ? undefined : item.id;
  };
  return (
    <tbody
      class={`license ${state.name}${isOpen ? ' open' : ''}${isBlank ? ' blank' : ''}${isGone ? ' gone' : ''}`}
      role="rowgroup"
    >
      <tr class="cells" role="row" aria-selected={isOpen} onClick={open}>
        {COLUMNS.map((column) => (
          <td
            role="gridcell"
            key={column}
            class={`column-${column}`}
            data-label={t(HEADS[column])}
            {...(column !== 'state' && !(column === 'pin' && pin) && { tabIndex: -1 })}
          >
            {cells[column] ?? texts[column]}
            {column === 'product' && <Marks item={item} mark={mark} change={change} />}
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
function Marks({ item, mark, change }: Pick<RowProps, 'item' | 'mark' | 'change'>) {
  const note = sheetNote(item);
  const { list } = useModel();
  const { successor, predecessor } = list.relativesOf(item);
  const link = (text: TextKey, other: Item) => (
    <button type="button" class="mark" tabIndex={-1} onClick={() => list.goTo(other)}>
      {t(text, { name: cellTexts(other).pin })}
    </button>
  );
  return (
    <>
      {change && <span class="mark">{change}</span>}
      {successor ? link('replacedBy', successor) : mark && <span class="mark">{t(mark)}</span>}
      {predecessor && link('replaces', predecessor)}
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
  canceled: 'stopped',
  waiting: 'clock',
  decoding: 'dots',
  failed: 'cross',
  unfit: 'cross',
};

/** The state as a picture, unless the license was read, and what can be done about it. */
function StateCell({ item, isBlank }: { item: Item; isBlank: boolean }) {
  const { inventory, runner, canRead } = useModel();
  const { content, name } = item;
  const state = stateOf(item);
  const icon = ICONS[state.name];
  return (
    <>
      {icon && isFile(item) && (
        <span class="state" role="img" aria-label={t(state.name)} title={t(state.name)}>
          <Icon name={icon} />
        </span>
      )}
      <span class="row-actions">
        {isPending(item) && (
          <IconButton
            icon="stopped"
            title={t('cancel')}
            name={name}
            onClick={() => runner.cancel([content])}
            tabIndex={-1}
          />
        )}
        {!isBlank && <ReadButton item={item} />}
        {state.name === 'failed' && content.canBeAsked && canRead.value && (
          <IconButton
            icon="retry"
            title={t('retry')}
            name={name}
            onClick={() => runner.read([content])}
            tabIndex={-1}
          />
        )}
        <IconButton
          icon="cross"
          title={t('remove')}
          name={name}
          onClick={() => inventory.remove([item])}
          tabIndex={-1}
        />
      </span>
    </>
  );
}

function ReadButton({ item }: { item: Item }) {
  const { runner, canRead } = useModel();
  if (!isUnread(item) || !canRead.value) return null;
  return (
    <button
      type="button"
      class="read"
      aria-label={`${t('read')}: ${item.name}`}
      tabIndex={-1}
      onClick={() => runner.read([item.content])}
    >
      {t('read')}
    </button>
  );
}
