import { useEffect, useState } from 'preact/hooks';
import { t } from '../texts/language.js';
import { copyText } from './hand-over.js';
import { IconButton } from './icon.js';

/** Milliseconds for which a button tells what it has done. */
const TOLD_MS = 2000;

interface CopyButtonProps {
  text: () => string;
  /** What is copied. */
  name: string;
  tabIndex?: number;
}

export function CopyButton({ text, name, ...rest }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), TOLD_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      title={t(isCopied ? 'copied' : 'copy')}
      name={name}
      onClick={() => void copyText(text()).then(setCopied)}
      {...rest}
    />
  );
}
