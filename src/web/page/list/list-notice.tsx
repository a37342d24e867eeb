import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';

/** What happened to the list, with the way back. */
export function ListNotice() {
  const store = useStore();
  const undo = store.undo.value;
  const removed = undo?.removed ?? 0;
  const updated = undo?.replacements.length ?? 0;
  const unchanged = undo?.unchanged ?? 0;
  // While files arrive, their numbers only grow.
  const isTold = removed > 0 || !store.isArriving.value;
  const told = [
    removed > 0 && t('removed', { count: removed }),
    updated > 0 && t('updated', { count: updated }),
    unchanged > 0 && t('unchanged', { count: unchanged }),
  ].filter(Boolean);

  const takeBack = () => {
    const before = new Set(store.licenses.value.map(({ id }) => id));
    store.dispatch({ type: 'undone' });
    const { shown, toFocus } = store.view;
    toFocus.value = shown.value.find(({ id }) => !before.has(id))?.id;
  };
  return (
    <div role="status" class="list-notice">
      {isTold && told.length > 0 && (
        <p>
          {told.join(' ')} {removed + updated > 0 && <Button text={t('undo')} onClick={takeBack} />}{' '}
          <Button text={t('hide')} onClick={() => store.dispatch({ type: 'noticeHidden' })} />
        </p>
      )}
    </div>
  );
}
