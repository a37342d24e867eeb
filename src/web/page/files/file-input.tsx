import { useEffect, useRef } from 'preact/hooks';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { useStore } from '../ui/use-store.js';
import { filesOfInput } from './dropped-files.js';

/** The buttons that add files to a list. */
export const AddButtons = () => (
  <>
    <FileInput label="addFiles" className="button" />
    <FileInput label="addFolder" className="button" isFolder />
  </>
);

interface FileInputProps {
  label: TextKey;
  className: string;
  isFolder?: boolean;
}

/** A label looks the same everywhere, which the input itself does not; the input keeps the keyboard's focus. */
export function FileInput({ label, className, isFolder = false }: FileInputProps) {
  const store = useStore();
  const id = isFolder ? 'folder' : 'files';
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.webkitdirectory = isFolder;
  }, [isFolder]);
  const take = (field: HTMLInputElement) => {
    const chosen = [...(field.files ?? [])];
    if (chosen.length > 0) void store.add((signal) => filesOfInput(chosen, signal));
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
        // Without `accept`, by which iOS offers no file at all: it knows no type of .lic files.
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <label class={className} for={id}>
        {t(label)}
      </label>
    </span>
  );
}
