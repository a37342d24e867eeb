import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DropdownProps {
  /** Of the panel. */
  id: string;
  /** What stands on the button. */
  label: ComponentChildren;
  /** What the button is for, where its label is a symbol. */
  name?: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ComponentChildren;
}

/**
 * A button with a panel that opens over the page, so that nothing moves. The panel closes on Escape, and when the pointer
 * or the focus goes elsewhere.
 */
export function Dropdown({ id, label, name, isOpen, onToggle, children }: DropdownProps) {
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = ({ target }: Event) => {
      const isInside = target instanceof Node && root.current?.contains(target);
      if (!isInside) onToggle(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen, onToggle]);

  useEffect(() => {
    // A panel that opens by itself leaves the focus where it is.
    const isOpenedByButton = isOpen && document.activeElement === button.current;
    if (isOpenedByButton) panel.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [isOpen]);

  const toggle = () => {
    // Safari does not focus a button that is pressed.
    button.current?.focus();
    onToggle(!isOpen);
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    // Escape would also close the details of a license.
    event.preventDefault();
    onToggle(false);
    button.current?.focus();
  };
  return (
    <div ref={root} class="dropdown" onKeyDown={closeOnEscape}>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        {...(name !== undefined && { 'aria-label': name, title: name })}
        onClick={toggle}
      >
        {label}
      </button>
      <div ref={panel} id={id} class="dropdown-panel" hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}
