import { useEffect, useRef } from 'preact/hooks';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import type { Adding } from './adding.js';
import { LICENSE_ENDING } from './dropped-files.js';

/** The buttons that add files to a list. */
export function AddButtons({ onInput }: Adding) {
  return (
    <>
      <FileInput id="files" label="addFiles" className="button" onInput={onInput} />
      <FileInput id="folder" label="addFolder" className="button" onInput={onInput} isFolder />
    </>
  );
}

interface FileInputProps {
  id: string;
  label: TextKey;
  className: string;
  isFolder?: boolean;
  onInput: (files: Iterable<File>) => void;
}

/** A label looks the same everywhere, which the input itself does not; the input keeps the keyboard's focus. */
export function FileInput({ id, label, className, isFolder = false, onInput }: FileInputProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.webkitdirectory = isFolder;
  }, [isFolder]);
  const take = (field: HTMLInputElement) => {
    if (field.files?.length) onInput(field.files);
    // So that the same file can be chosen again.
    field.value = '';
  };
  return (
    <span class="choice">
      <input
        ref={input}
        id={id}
        class="unseen"
        type="file"
        multiple
        {...(!isFolder && { accept: LICENSE_ENDING })}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <label class={className} for={id}>
        {t(label)}
      </label>
    </span>
  );
}
