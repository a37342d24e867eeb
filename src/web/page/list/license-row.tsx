import { isPending, isUnread, stateOf, type Item, type ItemState } from '../model/item.js';
import { useModel } from '../model/model.js';
import { daysBetween, waitInDays } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { CopyButton } from '../ui/copy-button.js';
import { Icon, IconButton, type IconName } from '../ui/icon.js';
import { cellTexts, COLUMNS, HEADS, shortProduct, type Column } from '../model/cells.js';
import type { Mark } from '../model/list.js';
import { isExpired, rowOf } from '../model/row.js';

interface RowProps {
  item: Item;
  isOpen: boolean;
  mark: Mark | undefined;
}

/** A license in the table. */
export function LicenseRow({ item, isOpen, mark }: RowProps) {
  const { list } = useModel();
  const state = stateOf(item);
  const texts = cellTexts(item);
  const { pin } = rowOf(item);
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
    list.chosen.value = isOpen ? undefined : item;
  };
  return (
    <tbody class={isOpen ? 'license open' : 'license'} role="rowgroup">
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
            {column === 'product' && mark && <span class="mark">{t(mark)}</span>}
          </td>
        ))}
      </tr>
      {state.name === 'failed' && (
        <tr class="message" role="row" onClick={open}>
          <td role="gridcell" colSpan={COLUMNS.length} tabIndex={-1} lang={state.problem.language}>
            {state.problem.text}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** The path of a file, which breaks before its name. */
export const Path = ({ item }: { item: Item }) => (
  <bdi>
    {item.folder && <span class="folder">{item.folder}/</span>}
    <wbr />
    {item.file.name}
  </bdi>
);

/** At most two lines; all of it under the pointer and in the details. */
const clamped = (text: string, title = text) =>
  text && (
    <span class="clamp" title={title}>
      {text}
    </span>
  );

/** Days before its end in which a license asks for attention, and in which it should be thought of. */
const URGENT_DAYS = 30;
const SOON_DAYS = 90;

/** The day on which a license expires, and how far that is. */
export function Term({ item }: { item: Item }) {
  const { list } = useModel();
  const row = rowOf(item);
  const today = list.today.value;
  const { validUntil } = cellTexts(item);
  if (row.validUntil === null) {
    const isRead = stateOf(item).name === 'done';
    return validUntil || !isRead ? <>{validUntil}</> : <span class="mark far">{t('termNotStated')}</span>;
  }
  const days = daysBetween(today, row.validUntil);
  const kind = days <= URGENT_DAYS ? 'urgent' : days <= SOON_DAYS ? 'soon' : 'far';
  return (
    <>
      <span class="unbroken">{validUntil}</span>{' '}
      <span class={`mark ${kind}`}>
        {isExpired(row, today) ? t('expiredMark') : waitInDays(days, language.value)}
      </span>
    </>
  );
}

const ICONS: Record<ItemState['name'], IconName> = {
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
  const { content, file } = item;
  const state = stateOf(item);
  const read = () => runner.read([content]);
  return (
    <>
      <span class={`state ${state.name}`} role="img" aria-label={t(state.name)} title={t(state.name)}>
        <Icon name={ICONS[state.name]} />
      </span>
      <span class="row-actions">
        {isPending(item) && (
          <IconButton
            icon="stopped"
            title={t('cancel')}
            name={file.name}
            onClick={() => runner.cancel(new Set([content]))}
            tabIndex={-1}
          />
        )}
        {isUnread(item) && canRead.value && (
          <button
            type="button"
            class="read"
            aria-label={`${t('read')}: ${file.name}`}
            tabIndex={-1}
            onClick={read}
          >
            {t('read')}
          </button>
        )}
        {state.name === 'failed' && state.canRetry && (
          <IconButton icon="retry" title={t('retry')} name={file.name} onClick={read} tabIndex={-1} />
        )}
        <IconButton
          icon="cross"
          title={t('remove')}
          name={file.name}
          onClick={() => inventory.remove([item])}
          tabIndex={-1}
        />
      </span>
    </>
  );
}
