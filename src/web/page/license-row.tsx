import type { Language } from '../../errors/catalog.js';
import { cellTextsIn } from './cells.js';
import { Details } from './details.js';
import { daysBetween } from './format.js';
import type { Item } from './item.js';
import { memo } from './memo.js';
import { tellProblem } from './problem.js';
import { isExpired, rowOf } from './row.js';
import { COLUMNS, type Column } from './selection.js';
import { waitInDays } from './summary.js';
import { textsIn, type Tell } from './texts.js';

export interface RowActions {
  toggle: (id: number) => void;
  cancel: (content: number) => void;
  retry: (content: number) => void;
}

interface RowProps {
  item: Item;
  isOpen: boolean;
  isDuplicate: boolean;
  today: string;
  language: Language;
  actions: RowActions;
}

/** A license in the table, with its details below when they are open. */
export const LicenseRow = memo(({ item, isOpen, isDuplicate, today, language, actions }: RowProps) => {
  const t = textsIn(language);
  const { id, state } = item;
  const { file, folder, validUntil } = rowOf(item);
  const texts = cellTextsIn(language)(item);
  const detailsId = `details-${id}`;
  const expired = isExpired(rowOf(item), today);
  const problem = state.name === 'failed' ? tellProblem(state.problem, language) : undefined;
  const cells = {
    ...texts,
    file: (
      <div class="file">
        <button
          type="button"
          class="toggle"
          aria-expanded={isOpen}
          aria-controls={detailsId}
          aria-label={`${t('showDetails')}: ${texts.file}`}
          onClick={() => actions.toggle(id)}
        />
        <div>
          {folder && (
            <bdi class="folder" title={folder}>
              {folder}
            </bdi>
          )}
          <bdi class="name" title={file}>
            {file}
          </bdi>
          {isDuplicate && <span class="mark">{t('duplicate')}</span>}
        </div>
      </div>
    ),
    owner: clamped(texts.owner),
    product: clamped(texts.product),
    validUntil: validUntil ? (
      <>
        {texts.validUntil}{' '}
        <span class={expired ? 'mark expired' : 'days'}>
          {expired ? t('expiredMark') : waitInDays(daysBetween(today, validUntil), language)}
        </span>
      </>
    ) : (
      texts.validUntil
    ),
    state: <StateCell item={item} t={t} actions={actions} />,
  };
  return (
    <tbody class={isOpen ? 'license open' : 'license'} role="rowgroup">
      <tr class="cells" role="row">
        {COLUMNS.map((column) => (
          <td
            role="cell"
            key={column}
            class={`column-${column}`}
            data-label={t(column)}
            {...(CUT.has(column) && { title: texts[column] })}
          >
            {cells[column]}
          </td>
        ))}
      </tr>
      {problem && (
        <tr class="message" role="row">
          <td role="cell" colSpan={COLUMNS.length}>
            <p class="problem" lang={problem.language}>
              {problem.text}
              {state.name === 'failed' && 'requestId' in state.problem && state.problem.requestId && (
                <code> X-Request-Id: {state.problem.requestId}</code>
              )}
            </p>
          </td>
        </tr>
      )}
      {isOpen && (
        <tr class="details" role="row" id={detailsId}>
          <td role="cell" colSpan={COLUMNS.length}>
            <Details item={item} language={language} />
          </td>
        </tr>
      )}
    </tbody>
  );
});

/** Columns whose texts do not wrap and may be cut at the end. */
const CUT = new Set<Column>(['type', 'registrationNumber', 'computer']);

/** At most two lines; all of it under the pointer and in the details. */
const clamped = (text: string) =>
  text && (
    <span class="clamp" title={text}>
      {text}
    </span>
  );

function StateCell({ item, t, actions }: { item: Item; t: Tell; actions: RowActions }) {
  const { state, content, file, clearText } = item;
  const isWaiting = state.name === 'waiting' || state.name === 'decoding';
  const canRetry = state.name === 'canceled' || (state.name === 'failed' && state.canRetry);
  return (
    <div class="state-cell">
      <span class={`state ${state.name}`}>{t(state.name)}</span>
      {isWaiting && (
        <button
          type="button"
          class="icon"
          aria-label={`${t('cancel')}: ${file.name}`}
          title={t('cancel')}
          onClick={() => actions.cancel(content)}
        >
          ✕
        </button>
      )}
      {canRetry && (
        <button
          type="button"
          class="icon"
          aria-label={`${t('retry')}: ${file.name}`}
          title={t('retry')}
          onClick={() => actions.retry(content)}
        >
          ↻
        </button>
      )}
      {state.name !== 'done' && <span class="source">{t(clearText ? 'fromFile' : 'noClearText')}</span>}
    </div>
  );
}
