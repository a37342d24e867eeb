import type { ComponentChildren } from 'preact';
import { useModel } from '../ui/use-model.js';
import { t } from '../texts/language.js';
import { outcome } from '../ui/announcer.js';

/**
 * How far it is, and what can be done with all files.
 * @param children further actions
 */
export function Toolbar({ children }: { children: ComponentChildren }) {
  const model = useModel();
  const { inventory, runner, canRead } = model;
  const pending = inventory.pending.value;
  const failed = inventory.licenses.value.filter(
    ({ isFailed, isRefused, canBeAsked }) => isFailed && !isRefused && canBeAsked,
  );
  return (
    <header class="bar">
      <h2 id="results-title">{t('results')}</h2>
      <Progress />
      <div class="actions">
        {pending.size > 1 && (
          <button type="button" onClick={() => model.cancel(pending)}>
            {t('cancelAll')}
          </button>
        )}
        {failed.length > 0 && canRead.value && (
          <button type="button" onClick={() => runner.read(failed)}>
            {t('retryAll')}
          </button>
        )}
        {children}
        <RemoveShown />
        <button type="button" onClick={() => model.clear()}>
          {t('clearAll')}
        </button>
      </div>
    </header>
  );
}

function RemoveShown() {
  const model = useModel();
  const shown = model.list.shown.value;
  if (shown.length === 0 || !model.list.isPart.value) return null;
  return (
    <button type="button" onClick={() => model.remove(shown)}>
      {t('removeShown', { count: shown.length })}
    </button>
  );
}

function Progress() {
  const { inventory } = useModel();
  const total = inventory.given.value.length;
  const isOver = inventory.pending.value.size === 0;
  const decided = inventory.decided.value;
  return (
    <p class="progress">
      {isOver ? (
        <>
          {inventory.files.value > 0 && <span>{t('fileCount', { count: inventory.files.value })}</span>}
          <span>{outcome(inventory)}</span>
        </>
      ) : (
        <>
          <progress aria-label={t('results')} value={decided} max={total} />{' '}
          <span class="unbroken">{t('progress', { decided, total })}</span>
        </>
      )}
    </p>
  );
}
