import type {
  ButtonHTMLAttributes,
  ComponentChildren,
  TargetedFocusEvent,
  TargetedToggleEvent,
} from 'preact';

/** Pixels between a button and its menu. */
const GAP = 4;

interface MenuButtonProps extends Omit<ButtonHTMLAttributes, 'onClick'> {
  /** The id of the menu. */
  menu: string;
}

/** A button that opens a menu and closes it again. */
export function MenuButton({ menu, ...rest }: MenuButtonProps) {
  const press = (button: HTMLButtonElement) => {
    // Safari does not focus a button that is pressed, and the focus comes back to what had it.
    button.focus();
    placeMenu(menu, button);
  };
  return (
    <button
      type="button"
      popovertarget={menu}
      onClick={({ currentTarget }) => press(currentTarget)}
      {...rest}
    />
  );
}

interface MenuProps {
  id: string;
  children: ComponentChildren;
}

/**
 * A panel that opens over the page, so that nothing moves. The browser closes it on Escape and on a press elsewhere, and
 * then gives the focus back to the button. It also closes when the focus goes elsewhere.
 */
export function Menu({ id, children }: MenuProps) {
  const takeFocus = ({ newState }: TargetedToggleEvent<HTMLElement>) => {
    if (newState === 'open') firstItemOf(id)?.focus();
  };
  const closeIfLeft = ({ currentTarget: menu, relatedTarget }: TargetedFocusEvent<HTMLElement>) => {
    if (!(relatedTarget instanceof Element)) return;
    // The button closes the menu itself when it is pressed.
    const isOwn = menu.contains(relatedTarget) || relatedTarget.matches(buttonOf(id));
    if (!isOwn) menu.hidePopover();
  };
  return (
    <div
      id={id}
      class="menu"
      // Here the focus rests when the item that has it goes away.
      tabIndex={-1}
      popover="auto"
      onToggle={takeFocus}
      onFocusOut={closeIfLeft}
    >
      {children}
    </div>
  );
}

interface MenuItemProps {
  menu: string;
  text: string;
  onClick: () => void;
}

/** A button that closes the menu in which it is. */
export const MenuItem = ({ menu, text, onClick }: MenuItemProps) => (
  <button type="button" class="menu-item" popovertarget={menu} popovertargetaction="hide" onClick={onClick}>
    {text}
  </button>
);

/** Opens a menu as a press on its button does. */
export function openMenu(id: string): void {
  document.querySelector<HTMLElement>(buttonOf(id))?.click();
}

/** The first item of a menu, or its field. */
const firstItemOf = (id: string) => document.querySelector<HTMLElement>(`#${id} :is(input, button)`);

/** Closes a menu, if it is open. A focus in it goes back to its button. */
export function closeMenu(id: string): void {
  document.getElementById(id)?.hidePopover();
}

/** Gives the focus to the button of a menu, for what takes it from there and gives it back. */
export function focusMenuButton(id: string): void {
  document.querySelector<HTMLElement>(buttonOf(id))?.focus();
}

const buttonOf = (menu: string) => `[popovertarget="${menu}"]:not([popovertargetaction])`;

/** Puts a menu below its button. CSS cannot do it in every browser yet. */
function placeMenu(id: string, button: Element): void {
  const style = document.getElementById(id)?.style;
  if (!style) return;

  const { bottom, right } = button.getBoundingClientRect();
  style.top = `${scrollY + bottom + GAP}px`;
  style.setProperty('--right', `${document.documentElement.clientWidth - right}px`);
}
