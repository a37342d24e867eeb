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
  /** What is copied. */
  name: string;
  tabIndex?: number;
}

export function CopyButton({ text, name, ...rest }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'copyFailed' | undefined>();
  useEffect(() => {
    if (!result) return undefined;
    announce(t(result));
    const timer = setTimeout(() => setResult(undefined), TOLD_MS);
    return () => clearTimeout(timer);
  }, [result]);
  return (
    <IconButton
      icon={result ? ICONS[result] : 'copy'}
      title={t(result ?? 'copy')}
      name={name}
      onClick={() => void copyText(text()).then((done) => setResult(done ? 'copied' : 'copyFailed'))}
      {...rest}
    />
  );
}
