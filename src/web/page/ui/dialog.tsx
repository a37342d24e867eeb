import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { t } from '../texts/language.js';
import { Button } from './controls.js';
import { IconButton } from './icon.js';

interface DialogProps {
  id: string;
  title: string;
  children: ComponentChildren;
}

/** A dialog over the page, which waits behind it. Escape closes it, and a press beside it in most browsers. */
export const Dialog = ({ id, title, children }: DialogProps) => (
  <dialog id={id} aria-labelledby={`${id}-title`} closedby="any">
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
    {/* Last, because the first button or field gets the focus. */}
    <IconButton icon="cross" title={t('close')} label={t('close')} onClick={() => closeDialog(id)} />
  </dialog>
);

interface DialogButtonProps extends Omit<ButtonHTMLAttributes, 'onClick'> {
  /** The id of the dialog. */
  dialog: string;
}

/** A button that opens a dialog. */
export const DialogButton = ({ dialog, ...rest }: DialogButtonProps) => (
  <button
    type="button"
    aria-haspopup="dialog"
    aria-controls={dialog}
    onClick={() => openDialog(dialog)}
    {...rest}
  />
);

interface DialogItemProps {
  dialog: string;
  text: string;
  onClick: () => void;
}

/** A button in a dialog that closes it, and then does something on the page. */
export function DialogItem({ dialog, text, onClick }: DialogItemProps) {
  const press = () => {
    closeDialog(dialog);
    onClick();
  };
  return <Button class="dialog-item" text={text} onClick={press} />;
}

/**
 * Opens a dialog. When it closes, the focus is on its own button, whatever opened it: that may do something else by then,
 * which a second press of Enter must not start.
 */
export function openDialog(id: string): void {
  document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)?.focus();
  dialogOf(id)?.showModal();
}

export const closeDialog = (id: string): void => dialogOf(id)?.close();

const dialogOf = (id: string) => document.querySelector<HTMLDialogElement>(`#${id}`);
