import { useEffect, useRef, useState } from 'preact/hooks';
import { checkStatus } from './connection.js';
import type { ChosenFile, ChosenFiles } from './dropped-files.js';
import type { Tell, TextKey } from './texts.js';

interface StartProps {
  t: Tell;
  isEmpty: boolean;
  isAdding: boolean;
  skipped: ChosenFiles | undefined;
  hideSkipped: () => void;
  onInput: (files: FileList) => void;
  onExample: (files: ChosenFile[]) => void;
}

/** Where files come from. With results, there is less to explain. */
export function Start({ t, isEmpty, isAdding, skipped, hideSkipped, onInput, onExample }: StartProps) {
  const [isStandIn, setStandIn] = useState(false);
  useEffect(() => {
    // The demo's stand-in for ring says in its version what it is.
    void checkStatus().then(({ ring }) => setStandIn(ring.endsWith('stand-in')));
  }, []);
  const showExample = async () => onExample((await import('./example.js')).exampleFiles());

  return (
    <section class={isEmpty ? 'start' : 'start small'}>
      {isStandIn && <p class="notice stand-in">{t('standIn')}</p>}
      {isEmpty && <p class="lead">{t('lead')}</p>}
      <p class="choices">
        <FileInput id="files" label="choose" className="main" t={t} onInput={onInput} />
        <FileInput id="folder" label="chooseFolder" className="button" t={t} onInput={onInput} isFolder />
        {isStandIn && (
          <button type="button" onClick={() => void showExample()}>
            {t('example')}
          </button>
        )}
        <span class={isAdding ? 'hint' : 'hint drop-hint'}>{t(isAdding ? 'adding' : 'dropHint')}</span>
      </p>
      {skipped && (
        <p class="notice" role="status">
          {skipped.files.length === 0 && `${t('nothingFound')} `}
          {skipped.skipped > 0 && `${t('skipped', { count: skipped.skipped })} `}
          {skipped.unreadable > 0 && t('unreadable', { count: skipped.unreadable })}{' '}
          <button type="button" onClick={hideSkipped}>
            {t('hide')}
          </button>
        </p>
      )}
    </section>
  );
}

interface FileInputProps {
  id: string;
  label: TextKey;
  className: string;
  t: Tell;
  isFolder?: boolean;
  onInput: (files: FileList) => void;
}

/** A label looks the same everywhere, which the input itself does not; the input keeps the keyboard's focus. */
function FileInput({ id, label, className, t, isFolder = false, onInput }: FileInputProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.webkitdirectory = isFolder;
  }, [isFolder]);
  return (
    <span class="choice">
      <input
        ref={input}
        id={id}
        class="unseen"
        type="file"
        multiple
        {...(!isFolder && { accept: '.lic' })}
        onChange={({ currentTarget }) => {
          if (currentTarget.files?.length) onInput(currentTarget.files);
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <label class={className} for={id}>
        {t(label)}
      </label>
    </span>
  );
}
