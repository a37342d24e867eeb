import { t } from '../texts/language.js';
import { useModel } from '../ui/use-model.js';

/** What happened to the list, with the way back. */
export function ListNotice() {
  const { inventory, list } = useModel();
  const { removed = 0, updated = 0, unchanged = 0 } = inventory.event.value ?? {};
  const counts = { removed, updated, unchanged };
  const told = (Object.keys(counts) as (keyof typeof counts)[]).filter((name) => counts[name] > 0);
  const undo = () => {
    const before = new Set(inventory.licenses.value);
    void inventory.undo();
    list.toFocus.value = list.shown.value.find((license) => !before.has(license))?.id;
  };
  return (
    <div role="status" class="list-notice">
      {told.length > 0 && (
        <p>
          {told.map((name) => `${t(name, { count: counts[name] })} `)}
          {removed + updated > 0 && (
            <button type="button" onClick={undo}>
              {t('undo')}
            </button>
          )}{' '}
          <button type="button" onClick={() => (inventory.event.value = undefined)}>
            {t('hide')}
          </button>
        </p>
      )}
    </div>
  );
}
