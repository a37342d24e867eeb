import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { SheetProblem } from '../model/problem.js';
import type { Sheet } from '../model/sheet.js';
import { t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';
import { filesOfDrop, filesOfInput, type ChosenFiles } from './dropped-files.js';
import { SheetNotice } from './sheet-notice.js';

/** How files and sheets come into the list, and what is to be said of the last ones. */
export interface Adding {
  onInput: (files: Iterable<File>) => void;
  onDrop: (items: DataTransferItemList) => void;
  found: Found | undefined;
  problem: SheetProblem | undefined;
}

/** For the page, which adds files in the same way with a list and without one. */
export function useAdding(readSheet: (file: File) => Promise<Sheet | SheetProblem>): Adding {
  const store = useStore();
  const [found, setFound] = useState<Found | undefined>();
  const [problem, setProblem] = useState<SheetProblem | undefined>();

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
  const onInput = useCallback((files: Iterable<File>) => void add(filesOfInput(files)), [add]);
  const onDrop = useCallback((items: DataTransferItemList) => void add(filesOfDrop(items)), [add]);
  return { onInput, onDrop, found, problem };
}

/** What an empty page shows: what it is for, and where files come from. */
export function Start({ adding }: { adding: Adding }) {
  const store = useStore();
  const { onInput } = adding;
  const [isStandIn, setStandIn] = useState(false);
  useEffect(() => {
    // The demo's stand-in for ring says in its version what it is.
    void store.checkService().then(({ ring }) => setStandIn(ring.endsWith('stand-in')));
  }, [store]);
  const showExample = async () => onInput((await import('./example.js')).exampleFiles());
  return (
    <section class="start">
      {isStandIn && <p class="notice stand-in">{t('standIn')}</p>}
      <p class="lead">{t('lead')}</p>
      <p class="choices">
        <FileInput id="files" label="choose" className="main" onInput={onInput} />
        <FileInput id="folder" label="chooseFolder" className="button" onInput={onInput} isFolder />
        {isStandIn && <Button text={t('example')} onClick={() => void showExample()} />}
        <ArrivalHint />
      </p>
      <Remarks adding={adding} />
    </section>
  );
}

/** The buttons that add files to a list. */
export function AddButtons({ onInput }: Adding) {
  return (
    <>
      <FileInput id="files" label="addFiles" className="button" onInput={onInput} />
      <FileInput id="folder" label="addFolder" className="button" onInput={onInput} isFolder />
    </>
  );
}

/** What is to be said of the last files, and of the sheet. */
export function Remarks({ adding: { found, problem } }: { adding: Adding }) {
  const remark = found ? remarkOn(found) : '';
  return (
    <div role="status" class="remarks">
      {problem && <p class="notice problem">{t(problem)}</p>}
      <SheetNotice />
      {remark && <p class="hint">{remark}</p>}
    </div>
  );
}

function ArrivalHint() {
  const { isArriving } = useStore();
  return <span class="hint drop-hint">{t(isArriving.value ? 'adding' : 'dropHint')}</span>;
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
