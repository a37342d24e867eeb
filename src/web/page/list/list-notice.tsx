import { useEffect, useState } from 'preact/hooks';
import type { Undo } from '../model/state.js';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';

/** Milliseconds after which the notice hides, unless it is hovered or focused. */
const SHOWN_MS = 8000;

/** What happened to the list, with the way back. It stands over the end of the page for a while. */
export function ListNotice() {
  const store = useStore();
  const [isHeld, setHeld] = useState(false);
  const undo = store.undo.value;
  // While files arrive, their numbers still change, so they are told at the end.
  const isTold = undo !== undefined && (undo.removed > 0 || !store.isArriving.value);
  const text = isTold ? textOf(undo) : '';
  const isShown = text !== '';
  const hide = () => store.dispatch({ type: 'noticeHidden' });

  useEffect(() => {
    if (!isShown || isHeld) return undefined;
    const timer = setTimeout(hide, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [undo, isShown, isHeld]);

  const hold = ({ currentTarget }: Event) => {
    setHeld((currentTarget as Element).matches(':hover, :focus-within'));
  };
  const takeBack = () => {
    const before = new Set(store.licenses.value.map(({ id }) => id));
    store.dispatch({ type: 'undone' });
    const { shown, toFocus } = store.view;
    toFocus.value = shown.value.find(({ id }) => !before.has(id))?.id;
  };
  return (
    <div
      role="status"
      class="list-notice"
      onPointerEnter={hold}
      onPointerLeave={hold}
      onFocusIn={hold}
      onFocusOut={hold}
    >
      {isShown && (
        <p>
          {text} {canBeUndone(undo) && <Button text={t('undo')} onClick={takeBack} />}{' '}
          <Button text={t('hide')} onClick={hide} />
        </p>
      )}
    </div>
  );
}

function textOf({ removed, updated, unchanged, hasStoppedFiles }: Undo): string {
  const sentences: string[] = [];
  if (removed > 0) sentences.push(t('removed', { count: removed }));
  if (hasStoppedFiles) sentences.push(t('stopped'));
  if (updated > 0) sentences.push(t('updated', { count: updated }));
  if (unchanged > 0) sentences.push(t('unchanged', { count: unchanged }));
  return sentences.join(' ');
}

const canBeUndone = (undo: Undo | undefined) => undo !== undefined && undo.removed + undo.updated > 0;
