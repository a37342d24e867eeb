import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';

const CLEAR_DIALOG = 'clear-dialog';

const dialog = () => document.querySelector<HTMLDialogElement>(`#${CLEAR_DIALOG}`);

/** Asks before the list is cleared. If it is kept, the focus goes back to what has it now. */
export const askToClear = () => dialog()?.showModal();

/** The question. It is no `confirm()`, because browsers let users suppress that. */
export function ClearDialog() {
  const store = useStore();
  const clear = () => {
    // Nothing outside of an open dialog can take the focus.
    dialog()?.close();
    store.clear();
    document.getElementById('page-title')?.focus();
  };
  return (
    <dialog id={CLEAR_DIALOG} aria-labelledby="clear-question">
      <h2 id="clear-question">{t('clearQuestion')}</h2>
      <p>{t('clearHint')}</p>
      <form method="dialog">
        <button autofocus>{t('keepList')}</button>{' '}
        <Button class="main" text={t('clearAll')} onClick={clear} />
      </form>
    </dialog>
  );
}
