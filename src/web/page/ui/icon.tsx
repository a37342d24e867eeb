import type { ComponentChildren } from 'preact';

/** Paths in a square of 16, drawn as lines. */
const PATHS = {
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
};
export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

interface IconButtonProps {
  icon: IconName;
  /** What the button does, in a word, as its tooltip. */
  title: string;
  /** The same in a sentence, for those who do not see where it stands. */
  label: string;
  onClick: () => void;
  tabIndex?: -1;
  /** What the button is about, if it does not stand beside it. */
  children?: ComponentChildren;
}

export const IconButton = ({ icon, title, label, children, ...rest }: IconButtonProps) => (
  <button type="button" class={children ? 'value' : 'icon-button'} title={title} aria-label={label} {...rest}>
    {children}
    <Icon name={icon} />
  </button>
);
