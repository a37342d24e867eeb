import type { ComponentChildren } from 'preact';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { Icon } from '../ui/icon.js';
import { Menu, MenuButton, MenuItem } from '../ui/menu.js';
import { useStore } from '../ui/use-store.js';
import { askToClear, ClearDialog } from './clear-dialog.js';

/**
 * How many licenses there are and how far their reading is, in a row whose parts keep their places.
 * @param children what can be done with the list
 */
export function ListHead({ children }: { children: ComponentChildren }) {
  const rows = useStore().licenses.value;
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

/** How many licenses are read. */
function Tally() {
  const { licenses, readCount } = useStore();
  const total = licenses.value.length;
  return <p class="tally">{total > 1 && t('tally', { read: readCount.value, total })}</p>;
}

/** How far the reading is of what was asked for, and the way to cancel it. Its place stays when it is over. */
function Reading() {
  const store = useStore();
  const { asked, decided } = store.progress.value;
  const cancel = () => {
    store.cancel(store.licenses.value.filter(({ isPending }) => isPending));
    document.getElementById('strip')?.focus();
  };
  return (
    <div class={store.isReading.value ? 'reading' : 'reading over'}>
      <progress aria-label={t('readingProgress')} value={decided} max={Math.max(asked, 1)} />
      <Button text={t('cancelReading')} onClick={cancel} />
    </div>
  );
}

const MORE = 'more-menu';

/** What is seldom done with the list. */
function MoreMenu() {
  const store = useStore();
  const shown = store.view.shown.value;
  const isSelection = store.view.isPart.value && shown.length > 0;
  const { retriable } = store;
  const canRetry = retriable.length > 0 && store.canRead.value;

  const item = (text: string, onClick: () => void) => <MenuItem menu={MORE} text={text} onClick={onClick} />;
  return (
    <>
      <MenuButton menu={MORE} aria-label={t('more')} title={t('more')}>
        <Icon name="dots" />
      </MenuButton>
      <Menu id={MORE}>
        {canRetry && item(t('retryAll'), () => store.read(retriable))}
        {item(t('print'), () => print())}
        {isSelection && item(t('removeShown', { count: shown.length }), () => store.remove(shown))}
        {item(`${t('clearAll')}…`, () => askToClear(MORE))}
      </Menu>
      <ClearDialog />
    </>
  );
}
