import { useEffect, useState } from 'preact/hooks';
import { copyText } from './hand-over.js';
import type { Tell } from './texts.js';

/** Milliseconds for which a button tells what it has done. */
const TOLD_MS = 2000;

interface CopyButtonProps {
  t: Tell;
  text: () => string;
  /** What is copied, for those who do not see where the button stands. */
  name: string;
  label?: string;
}

export function CopyButton({ t, text, name, label = t('copy') }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), TOLD_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const shown = isCopied ? t('copied') : label;
  return (
    <button
      type="button"
      class="copy"
      aria-label={`${shown}: ${name}`}
      onClick={() => void copyText(text()).then(setCopied)}
    >
      {shown}
    </button>
  );
}
