import { nameOf, type License } from '../model/license.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { MenuButton, MenuItem, Menu } from '../ui/menu.js';
import { readAction } from '../ui/row-texts.js';
import { useStore } from '../ui/use-store.js';

const MENU = 'row-menu';

/** Opens the menu of a row. */
export function RowMenuButton({ license }: { license: License }) {
  const { view } = useStore();
  return (
    <MenuButton
      menu={MENU}
      class="row-menu-button"
      aria-label={`${t('actions')}: ${nameOf(license)}`}
      tabIndex={-1}
      onPress={() => (view.menu.value = license.id)}
    >
      <span aria-hidden="true">⋯</span> <span class="words">{t('actions')}</span>
    </MenuButton>
  );
}

/** What can be done with a license. One menu serves all rows. */
export function RowMenu() {
  const store = useStore();
  const { view } = store;
  const license = view.ofMenu.value;
  const item = (text: TextKey, act: (license: License) => void) => {
    const actOnCurrent = () => {
      // A key can be pressed before the menu is drawn for another row.
      const current = view.ofMenu.peek();
      if (current) act(current);
    };
    return <MenuItem menu={MENU} text={t(text)} onClick={actOnCurrent} />;
  };
  return (
    <Menu id={MENU}>
      {item('showDetails', ({ id }) => (view.chosen.value = id))}
      {license?.canBeAsked &&
        store.canRead.value &&
        item(readAction(license), (license) => store.read([license]))}
      {license?.isPending && item('cancel', (license) => store.cancel([license]))}
      {item('remove', (license) => store.remove([license]))}
    </Menu>
  );
}
