import type { ComponentChildren } from 'preact';
import { stateOf } from '../model/item.js';
import { useModel } from '../ui/use-model.js';
import { t } from '../texts/language.js';
import { outcome } from '../ui/announcer.js';

/**
 * How far it is, and what can be done with all files.
 * @param children further actions
 */
export function Toolbar({ children }: { children: ComponentChildren }) {
  const { inventory, runner, list, canRead } = useModel();
  const items = inventory.items.value;
  const pending = inventory.pending.value;
  const canceled = runner.canceled.value.length;
  const failed = items.filter((item) => stateOf(item).name === 'failed' && item.content.canBeAsked);
  return (
    <header class="bar">
      <h2 id="results-title">{t('results')}</h2>
      <Progress />
      <div class="actions">
        {pending.size > 1 && (
          <button type="button" onClick={() => runner.cancelAll()}>
            {t('cancelAll')}
          </button>
        )}
        {canceled > 1 && (
          <span>
            {t('canceledAll', { count: canceled })}{' '}
            <button type="button" onClick={() => runner.read(runner.canceled.value)}>
              {t('undo')}
            </button>
          </span>
        )}
        {failed.length > 0 && canRead.value && (
          <button type="button" onClick={() => runner.read(failed.map(({ content }) => content))}>
            {t('retryAll')}
          </button>
        )}
        {children}
        <button
          type="button"
          onClick={() => {
            inventory.clear();
            list.showAll();
          }}
        >
          {t('clearAll')}
        </button>
      </div>
    </header>
  );
}

export function RemoveShown() {
  const { inventory, list } = useModel();
  const shown = list.shown.value;
  if (shown.length === 0 || shown.length === inventory.items.value.length) return null;
  return (
    <button type="button" onClick={() => inventory.remove(shown)}>
      {t('removeShown', { count: shown.length })}
    </button>
  );
}

function Progress() {
  const { inventory } = useModel();
  const total = inventory.items.value.length;
  const isOver = inventory.pending.value.size === 0;
  const decided = inventory.decided.value;
  return (
    <p class="progress">
      {isOver ? (
        outcome(inventory)
      ) : (
        <>
          <progress aria-label={t('results')} value={decided} max={total} />{' '}
          <span class="unbroken">{t('progress', { decided, total })}</span>
        </>
      )}
    </p>
  );
}
