import type { ComponentChildren } from 'preact';
import { useModel } from '../ui/use-model.js';
import { t } from '../texts/language.js';
import { outcome } from '../ui/announcer.js';
import { Button } from '../ui/controls.js';

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
        {pending.size > 1 && <Button text={t('cancelAll')} onClick={() => model.cancel(pending)} />}
        {failed.length > 0 && canRead.value && (
          <Button text={t('retryAll')} onClick={() => runner.read(failed)} />
        )}
        {children}
        <RemoveShown />
        <Button text={t('clearAll')} onClick={() => model.clear()} />
      </div>
    </header>
  );
}

function RemoveShown() {
  const model = useModel();
  const shown = model.list.shown.value;
  if (shown.length === 0 || !model.list.isPart.value) return null;
  return <Button text={t('removeShown', { count: shown.length })} onClick={() => model.remove(shown)} />;
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
