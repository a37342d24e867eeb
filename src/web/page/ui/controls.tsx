import type { ButtonHTMLAttributes } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'onClick'> {
  text: string;
  onClick: () => void;
}

export const Button = ({ text, ...rest }: ButtonProps) => (
  <button type="button" {...rest}>
    {text}
  </button>
);

interface CheckboxProps {
  text: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export const Checkbox = ({ text, checked, onChange }: CheckboxProps) => (
  <label class="option">
    <input
      type="checkbox"
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />{' '}
    {text}
  </label>
);
