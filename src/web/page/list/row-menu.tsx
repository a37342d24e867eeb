import type { TargetedKeyboardEvent, TargetedToggleEvent } from 'preact';
import { nameOf, type License } from '../model/license.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { readAction } from '../ui/row-texts.js';
import { useStore } from '../ui/use-store.js';

const MENU_ID = 'row-menu';

/** Opens the menu of a row. The browser shows it beside the button, and gives that the focus back. */
export function MenuButton({ license }: { license: License }) {
  const { view } = useStore();
  return (
    <button
      type="button"
      class="menu-button"
      popovertarget={MENU_ID}
      aria-haspopup="menu"
      aria-label={`${t('actions')}: ${nameOf(license)}`}
      tabIndex={-1}
      onClick={() => (view.menu.value = license.id)}
    >
      <span aria-hidden="true">⋯</span> <span class="words">{t('actions')}</span>
    </button>
  );
}

/** What can be done with a license. One menu serves all rows. */
export function RowMenu() {
  const store = useStore();
  const { view } = store;
  const license = view.ofMenu.value;
  return (
    <div
      id={MENU_ID}
      popover="auto"
      role="menu"
      aria-label={license ? `${t('actions')}: ${nameOf(license)}` : t('actions')}
      onToggle={focusFirst}
      onKeyDown={moveInMenu}
    >
      <MenuItem text="showDetails" act={({ id }) => (view.chosen.value = id)} />
      {license?.canBeAsked && store.canRead.value && (
        <MenuItem text={readAction(license)} act={(license) => store.read([license])} />
      )}
      {license?.isPending && <MenuItem text="cancel" act={(license) => store.cancel([license])} />}
      <MenuItem text="remove" act={(license) => store.remove([license])} />
    </div>
  );
}

interface MenuItemProps {
  text: TextKey;
  act: (license: License) => void;
}

function MenuItem({ text, act }: MenuItemProps) {
  const { view } = useStore();
  const actOnCurrent = () => {
    // A key can be pressed before the menu is drawn for another row.
    const license = view.ofMenu.peek();
    if (license) act(license);
  };
  return (
    <button
      type="button"
      role="menuitem"
      popovertarget={MENU_ID}
      popovertargetaction="hide"
      onClick={actOnCurrent}
    >
      {t(text)}
    </button>
  );
}

function focusFirst({ currentTarget, newState }: TargetedToggleEvent<HTMLElement>): void {
  if (newState === 'open') currentTarget.querySelector('button')?.focus();
}

const STEPS: Partial<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

function moveInMenu(event: TargetedKeyboardEvent<HTMLElement>): void {
  // Keys are for the menu alone: Escape closes it, and not the details.
  event.stopPropagation();
  const { key, currentTarget: menu } = event;
  if (key === 'Tab') menu.hidePopover();
  const step = STEPS[key];
  if (step === undefined) return;

  event.preventDefault();
  const items = [...menu.querySelectorAll('button')];
  const focused = items.findIndex((item) => item === document.activeElement);
  items.at((focused + step) % items.length)?.focus();
}
