import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { nameOf, type License } from '../model/license.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { focusFirstItem, Menu, MenuButton, MenuItem } from '../ui/menu.js';
import { readAction } from '../license/row-texts.js';
import { useStore } from '../ui/use-store.js';

const MENU = 'row-menu';

/** The id of the license whose menu was opened last. */
const idOfMenu = signal<number | undefined>();

/** Opens the menu of a row. */
export function RowMenuButton({ license }: { license: License }) {
  return (
    <MenuButton
      menu={MENU}
      class="row-menu-button"
      aria-label={`${t('actions')}: ${nameOf(license)}`}
      tabIndex={-1}
      onPress={() => (idOfMenu.value = license.id)}
    >
      <span aria-hidden="true">⋯</span>
    </MenuButton>
  );
}

/** What can be done with a license. One menu serves all rows. */
export function RowMenu() {
  const store = useStore();
  const licenseOfMenu = () => store.licenses.value.find(({ id }) => id === idOfMenu.value);
  const license = licenseOfMenu();
  // The menu may have opened before it was drawn for this row.
  useLayoutEffect(() => focusFirstItem(MENU), [license?.id]);
  const item = (text: TextKey, act: (license: License) => void) => {
    const actOnCurrent = () => {
      // A key can be pressed before the menu is drawn for another row.
      const current = licenseOfMenu();
      if (current) act(current);
    };
    return <MenuItem menu={MENU} text={t(text)} onClick={actOnCurrent} />;
  };
  return (
    <Menu id={MENU}>
      {license?.canBeAsked &&
        store.canRead.value &&
        item(readAction(license), (license) => store.read([license]))}
      {license?.isPending && item('cancel', (license) => store.cancel([license]))}
      {item('remove', (license) => store.remove([license]))}
    </Menu>
  );
}
