import type { License } from '../model/license.js';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { closeDialog, Dialog, openDialog } from '../ui/dialog.js';
import { useStore } from '../ui/use-store.js';

const CLEAR_DIALOG = 'clear-dialog';
const REMOVE_DIALOG = 'remove-dialog';

/** Asks before the list is cleared. */
export const askToClear = () => openDialog(CLEAR_DIALOG);

/** Asks before all that is shown is removed. */
export const askToRemoveShown = () => openDialog(REMOVE_DIALOG);

export function ClearDialog() {
  const store = useStore();
  const clear = () => {
    store.clear();
    document.getElementById('page-title')?.focus();
  };
  return (
    <Question
      id={CLEAR_DIALOG}
      title={t('clearQuestion')}
      losing={store.licenses.value}
      answer={t('clearAll')}
      act={clear}
    />
  );
}

export function RemoveDialog() {
  const store = useStore();
  const shown = store.view.shown.value;
  const remove = () => {
    store.remove(shown);
    document.getElementById('results-title')?.focus();
  };
  return (
    <Question
      id={REMOVE_DIALOG}
      title={`${t('removeShown', { count: shown.length })}?`}
      losing={shown}
      answer={t('remove')}
      act={remove}
    />
  );
}

interface QuestionProps {
  id: string;
  title: string;
  /** What leaves the list. */
  losing: readonly License[];
  /** The text of the button that does it. */
  answer: string;
  act: () => void;
}

/** It is no `confirm()`, because browsers let users suppress that. */
function Question({ id, title, losing, answer, act }: QuestionProps) {
  const wasRead = losing.some(({ status }) => status === 'done');
  const keep = () => closeDialog(id);
  const confirm = () => {
    // Nothing outside of an open dialog can take the focus.
    closeDialog(id);
    act();
  };
  return (
    <Dialog id={id} title={title}>
      {wasRead && <p>{t('clearHint')}</p>}
      <p class="actions">
        <Button text={t('keepList')} onClick={keep} />
        <Button class="final" text={answer} onClick={confirm} />
      </p>
    </Dialog>
  );
}
