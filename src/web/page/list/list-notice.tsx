import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { useModel } from '../ui/use-model.js';
import { Button } from '../ui/controls.js';

/** What happened to the list, with the way back. */
export function ListNotice() {
  const { edits, inventory, list } = useModel();
  const { removed = 0, updated = 0, unchanged = 0 } = edits.event.value ?? {};
  // While files arrive, their numbers only grow.
  const isTold = removed > 0 || !edits.isAdding.value;
  const told = Object.entries({ removed, updated, unchanged }).filter(([, count]) => count > 0);
  const undo = () => {
    const before = new Set(inventory.licenses.value);
    edits.undo();
    list.toFocus.value = list.shown.value.find((license) => !before.has(license))?.id;
  };
  return (
    <div role="status" class="list-notice">
      {isTold && told.length > 0 && (
        <p>
          {told.map(([name, count]) => `${t(name as TextKey, { count })} `)}
          {removed + updated > 0 && <Button text={t('undo')} onClick={undo} />}{' '}
          <Button text={t('hide')} onClick={() => edits.hide()} />
        </p>
      )}
    </div>
  );
}
