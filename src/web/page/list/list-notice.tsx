import { t } from '../texts/language.js';
import { useModel } from '../ui/use-model.js';

/** What happened to the list, with the way back. */
export function ListNotice() {
  const { inventory } = useModel();
  const again = inventory.again.value;
  const removed = inventory.removed.value.size;
  return (
    <div role="status" class="list-notice">
      {again && (
        <p class="notice">
          {again.updated.size > 0 && `${t('updated', { count: again.updated.size })} `}
          {again.unchanged.length > 0 && `${t('unchanged', { count: again.unchanged.length })} `}
          <button type="button" onClick={() => inventory.keepBoth()}>
            {t('keepBoth')}
          </button>{' '}
          <button type="button" onClick={() => (inventory.again.value = undefined)}>
            {t('hide')}
          </button>
        </p>
      )}
      {removed > 0 && (
        <p class="notice">
          {t('removed', { count: removed })}{' '}
          <button type="button" onClick={() => inventory.undoRemoval()}>
            {t('undo')}
          </button>{' '}
          <button type="button" onClick={() => inventory.forgetRemoved()}>
            {t('hide')}
          </button>
        </p>
      )}
    </div>
  );
}
