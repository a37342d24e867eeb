import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../texts/language.js';
import { announce } from './announcer.js';
import { copyText } from './hand-over.js';
import { IconButton } from './icon.js';

/** Milliseconds for which a button shows its result. */
const TOLD_MS = 2000;

const ICONS = { copied: 'check', copyFailed: 'cross' } as const;

interface CopyButtonProps {
  text: () => string;
  /** Says what is copied, for screen readers. */
  label: string;
  /** What is copied, to be pressed itself. Without it the button is a sign beside what it copies. */
  children?: ComponentChildren;
  /** -1 where the same button stands elsewhere too, and the Tab key has to pass many of them. */
  tabIndex?: -1;
}

export function CopyButton({ text, label, children, tabIndex }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'copyFailed' | undefined>();
  useEffect(() => {
    if (!result) return undefined;
    const timer = setTimeout(() => setResult(undefined), TOLD_MS);
    return () => clearTimeout(timer);
  }, [result]);

  const copy = async () => {
    const isCopied = await copyText(text());
    const outcome = isCopied ? 'copied' : 'copyFailed';
    announce(t(outcome));
    setResult(outcome);
  };
  return (
    <IconButton
      icon={result ? ICONS[result] : 'copy'}
      title={t(result ?? 'copy')}
      label={label}
      {...(tabIndex && { tabIndex })}
      onClick={() => void copy()}
    >
      {children}
    </IconButton>
  );
}
