import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { closeDialog, Dialog, openDialog } from '../ui/dialog.js';
import { useStore } from '../ui/use-store.js';

const CLEAR_DIALOG = 'clear-dialog';

/** Asks before the list is cleared. */
export const askToClear = () => openDialog(CLEAR_DIALOG);

/** The question. It is no `confirm()`, because browsers let users suppress that. */
export function ClearDialog() {
  const store = useStore();
  const wasRead = store.licenses.value.some(({ status }) => status === 'done');
  const keep = () => closeDialog(CLEAR_DIALOG);
  const clear = () => {
    // Nothing outside of an open dialog can take the focus.
    closeDialog(CLEAR_DIALOG);
    store.clear();
    document.getElementById('page-title')?.focus();
  };
  return (
    <Dialog id={CLEAR_DIALOG} title={t('clearQuestion')}>
      {wasRead && <p>{t('clearHint')}</p>}
      <p class="actions">
        <Button text={t('keepList')} onClick={keep} />
        <Button class="main" text={t('clearAll')} onClick={clear} />
      </p>
    </Dialog>
  );
}
