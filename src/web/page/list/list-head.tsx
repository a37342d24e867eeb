import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { Dropdown } from '../ui/dropdown.js';
import { Icon } from '../ui/icon.js';
import { useStore } from '../ui/use-store.js';

/**
 * How many licenses there are and how far their reading is, in a row whose parts keep their places.
 * @param children what can be done with the list
 */
export function ListHead({ children }: { children: ComponentChildren }) {
  const { view } = useStore();
  const rows = view.present.value;
  // A PDF or a text is no license, although it is in the list.
  const areLicenses = rows.every(({ status }) => status !== 'unfit');
  return (
    <header class="list-head">
      <h2 id="results-title" tabIndex={-1}>
        {t(areLicenses ? 'licenseCount' : 'fileCount', { count: rows.length })}
      </h2>
      <Tally />
      <Reading />
      <div class="actions">
        {children}
        <MoreMenu />
      </div>
    </header>
  );
}

/** How many of the files that the user gave are read. */
function Tally() {
  const { given, readCount } = useStore();
  const total = given.value.length;
  return <p class="tally">{total > 1 && t('tally', { read: readCount.value, total })}</p>;
}

/** How far the reading is of what was asked for, and the way to cancel it. Its place stays when it is over. */
function Reading() {
  const store = useStore();
  const { asked, decided } = store.progress.value;
  const cancel = () => {
    store.cancel(store.given.value.filter(({ isPending }) => isPending));
    document.getElementById('strip')?.focus();
  };
  return (
    <div class={store.isReading.value ? 'reading' : 'reading over'}>
      <progress aria-label={t('readingProgress')} value={decided} max={Math.max(asked, 1)} />
      <Button text={t('cancelReading')} onClick={cancel} />
    </div>
  );
}

/** What is seldom done with the list. */
function MoreMenu() {
  const store = useStore();
  const [isOpen, setOpen] = useState(false);
  const shown = store.view.shown.value;
  const isSelection = store.view.isPart.value && shown.length > 0;
  const { retriable } = store;
  const canRetry = retriable.length > 0 && store.canRead.value;

  const clear = () => {
    store.clear();
    // Not to Undo, where the next press of Enter would bring everything back.
    document.getElementById('page-title')?.focus();
  };
  const act = (action: () => void) => () => {
    setOpen(false);
    action();
  };
  return (
    <Dropdown id="more-menu" label={<Icon name="dots" />} name={t('more')} isOpen={isOpen} onToggle={setOpen}>
      {canRetry && <Button text={t('retryAll')} onClick={act(() => store.read(retriable))} />}
      <Button text={t('print')} onClick={act(() => print())} />
      {isSelection && (
        <Button text={t('removeShown', { count: shown.length })} onClick={act(() => store.remove(shown))} />
      )}
      <Button text={t('clearAll')} onClick={act(clear)} />
    </Dropdown>
  );
}
