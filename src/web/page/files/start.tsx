import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { SheetProblem } from '../model/problem.js';
import type { Sheet } from '../model/sheet.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';
import { DropOverlay } from './drop-overlay.js';
import { filesOfDrop, filesOfInput, type ChosenFiles } from './dropped-files.js';
import { SheetNotice } from './sheet-notice.js';

/** Where files come from. With results, there is less to explain. */
export function Start({ readSheet }: { readSheet: (file: File) => Promise<Sheet | SheetProblem> }) {
  const store = useStore();
  const [isStandIn, setStandIn] = useState(false);
  const [found, setFound] = useState<Found | undefined>();
  const [problem, setProblem] = useState<SheetProblem | undefined>();
  const isEmpty = store.licenses.value.length === 0;
  const remark = found ? remarkOn(found) : '';

  useEffect(() => {
    // The demo's stand-in for ring says in its version what it is.
    void store.checkService().then(({ ring }) => setStandIn(ring.endsWith('stand-in')));
  }, [store]);

  const add = useCallback(
    async (given: Promise<ChosenFiles> | ChosenFiles) => {
      const read = async () => {
        const { files, sheets, ...left } = await given;
        setFound({ ...left, files: files.length, sheets: sheets.map(({ name }) => name) });
        setProblem(undefined);
        const last = sheets.at(-1);
        const sheet = last && (await readSheet(last));
        if (typeof sheet !== 'string') return { files, sheet };
        setProblem(sheet);
        return { files };
      };
      await store.add(read());
    },
    [store, readSheet],
  );
  const onInput = (files: Iterable<File>) => void add(filesOfInput(files));
  const onDrop = useCallback((items: DataTransferItemList) => void add(filesOfDrop(items)), [add]);
  const showExample = async () => onInput((await import('./example.js')).exampleFiles());

  return (
    <section class={isEmpty ? 'start' : 'add'}>
      {isStandIn && isEmpty && <p class="notice stand-in">{t('standIn')}</p>}
      {isEmpty && <p class="lead">{t('lead')}</p>}
      <p class="choices">
        <FileInput id="files" label={isEmpty ? 'choose' : 'addFiles'} className="main" onInput={onInput} />
        <FileInput
          id="folder"
          label={isEmpty ? 'chooseFolder' : 'addFolder'}
          className="button"
          onInput={onInput}
          isFolder
        />
        {isStandIn && isEmpty && <Button text={t('example')} onClick={() => void showExample()} />}
        <ArrivalHint isEmpty={isEmpty} />
      </p>
      <div role="status">
        {problem && <p class="notice problem">{t(problem)}</p>}
        <SheetNotice />
        {remark && <p class="hint">{remark}</p>}
      </div>
      <DropOverlay onDrop={onDrop} />
    </section>
  );
}

function ArrivalHint({ isEmpty }: { isEmpty: boolean }) {
  const { isArriving } = useStore();
  if (isArriving.value) return <span class="hint">{t('adding')}</span>;
  return isEmpty ? <span class="hint drop-hint">{t('dropHint')}</span> : null;
}

/** What was chosen, in numbers and the names of sheets: nothing may hold a file that has left the list. */
type Found = Pick<ChosenFiles, 'skipped' | 'unreadable'> & { files: number; sheets: string[] };

/** What was left of the chosen files; empty when there is nothing to say. */
function remarkOn({ files, sheets, skipped, unreadable }: Found): string {
  const hasArchive = skipped.some((name) => /\.(?:zip|rar|7z)$/i.test(name));
  const sentences = [
    files + sheets.length === 0 && t('nothingFound'),
    skipped.length > 0 && t('skipped', { count: skipped.length }),
    hasArchive && t('unpack'),
    unreadable > 0 && t('unreadable', { count: unreadable }),
    sheets.length > 1 && t('sheetLast', { count: sheets.length, name: sheets.at(-1) ?? '' }),
  ];
  return sentences.filter(Boolean).join(' ');
}

interface FileInputProps {
  id: string;
  label: TextKey;
  className: string;
  isFolder?: boolean;
  onInput: (files: Iterable<File>) => void;
}

/** A label looks the same everywhere, which the input itself does not; the input keeps the keyboard's focus. */
function FileInput({ id, label, className, isFolder = false, onInput }: FileInputProps) {
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
        {...(!isFolder && { accept: '.lic,.xlsx,.xls,.xlsm,.csv' })}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <label class={className} for={id}>
        {t(label)}
      </label>
    </span>
  );
}
