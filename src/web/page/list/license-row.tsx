import type { StateName } from '../model/content.js';
import { isFile, isPending, isUnread, licenseOf, stateOf, type Item } from '../model/item.js';
import { COLUMNS, type Column, type Mark } from '../model/list.js';
import { cellTexts, HEADS, sheetNote, shortProduct } from '../texts/cells.js';
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
  const problem = state.name === 'failed' && tell(state.failure.problem);
  const texts = cellTexts(item);
  const { pin } = licenseOf(item);
  const note = sheetNote(item);
  const cells: Partial<Record<Column, preact.ComponentChildren>> = {
    validUntil: <Term item={item} />,
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
    state: <StateCell item={item} />,
  };
  const open = ({ target }: Event) => {
    // A click that ends the selection of a text is none on the row.
    if ((target as Element).closest('button') || getSelection()?.type === 'Range') return;
    list.chosen.value = isOpen ? undefined : item.id;
  };
  return (
    <tbody class={`license${isOpen ? ' open' : ''}${isGone ? ' gone' : ''}`} role="rowgroup">
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
            {column === 'product' && (
              <>
                {change && <span class="mark">{change}</span>} {mark && <span class="mark">{t(mark)}</span>}{' '}
                {note && (
                  <span class="mark far" title={t('sheetSecret')}>
                    {note}
                  </span>
                )}
              </>
            )}
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

const ICONS: Record<StateName, IconName> = {
  unread: 'circle',
  canceled: 'stopped',
  waiting: 'clock',
  decoding: 'dots',
  done: 'check',
  failed: 'cross',
};

/** The state as a picture, and what can be done about it. */
function StateCell({ item }: { item: Item }) {
  const { inventory, runner, canRead } = useModel();
  const { content, name } = item;
  const state = stateOf(item);
  const read = () => runner.read([content]);
  return (
    <>
      {isFile(item) && (
        <span class={`state ${state.name}`} role="img" aria-label={t(state.name)} title={t(state.name)}>
          <Icon name={ICONS[state.name]} />
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
        {isUnread(item) && canRead.value && (
          <button
            type="button"
            class="read"
            aria-label={`${t('read')}: ${name}`}
            tabIndex={-1}
            onClick={read}
          >
            {t('read')}
          </button>
        )}
        {state.name === 'failed' && content.canBeAsked && canRead.value && (
          <IconButton icon="retry" title={t('retry')} name={name} onClick={read} tabIndex={-1} />
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
