import { ExcelMenu } from '../excel/excel-menu.js';
import { AddButtons } from '../files/file-input.js';
import { t } from '../texts/language.js';
import { Icon } from '../ui/icon.js';
import { focusMenuButton, Menu, MenuButton, MenuItem } from '../ui/menu.js';
import { useStore } from '../ui/use-store.js';
import { askToClear, ClearDialog } from './clear-dialog.js';

/** What is shown, in numbers, and what can be done with it. Of a single license its card says all. */
export function ListHead() {
  const { only } = useStore();
  const isList = only.value === undefined;
  return (
    <header class="list-head">
      <div class="summary">
        <h2 id="results-title" tabIndex={-1}>
          <Count />
        </h2>{' '}
        {isList && (
          <>
            <Sum /> <Tally />
          </>
        )}
      </div>
      <Found />
      <div class="actions">
        <AddButtons />
        <ExcelMenu />
        <MoreMenu />
      </div>
    </header>
  );
}

/** How many licenses there are, or how many of them a filter and a search show. */
function Count() {
  const { files, licenses, view } = useStore();
  const count = licenses.value.length;
  const fileCount = files.value.length;
  if (view.isPart.value) return <>{t('shownOf', { count: view.shown.value.length, total: count })}</>;

  // What ring refused may be no license.
  const areLicenses = licenses.value.every(({ isRefused }) => !isRefused);
  if (!areLicenses) return <>{t('fileCount', { count: fileCount })}</>;
  return <>{t(count === fileCount ? 'licenseCount' : 'licensesInFiles', { count, fileCount })}</>;
}

/** For how many users the shown licenses are good, and how many of them do not say it. */
function Sum() {
  const { users, unknown } = useStore().view.users.value;
  return (
    <>
      {users > 0 && <p title={t('sumUsers', { users })}>{t('validUsers', { users })}</p>}{' '}
      {unknown > 0 && <p title={t('sumLeavesOut', { unknown })}>{t('unknownUsers', { unknown })}</p>}
    </>
  );
}

/** How many PIN codes of the shown licenses are known. While files are read, the strip counts them. */
function Tally() {
  const { isReadingSeveral, view } = useStore();
  const shown = view.shown.value;
  if (shown.length === 0) return null;

  const read = shown.filter(({ status }) => status === 'done').length;
  return (
    <p class={isReadingSeveral.value ? 'tally hidden' : 'tally'}>
      {t('tally', { read, total: shown.length })}
    </p>
  );
}

/** What a search has found, for screen readers. */
function Found() {
  const { licenses, view } = useStore();
  const total = licenses.value.length;
  return (
    <p class="unseen" role="status">
      {view.isSearch.value && t('found', { count: view.shown.value.length, total })}
    </p>
  );
}

const MORE = 'more-menu';

/** Prints what is shown, without what must not get into everybody's hands; print.css hides it. */
function printPublic(): void {
  const { classList } = document.body;
  classList.add('public');
  addEventListener('afterprint', () => classList.remove('public'), { once: true });
  print();
}

/** What is seldom done with the list. */
function MoreMenu() {
  const store = useStore();
  const shown = store.view.shown.value;
  const isSelection = store.view.isPart.value && shown.length > 0;
  const { retriable } = store;
  const canRetry = retriable.length > 0 && store.canRead.value;
  const clear = () => {
    // The menu closes, and its button stays.
    focusMenuButton(MORE);
    askToClear();
  };

  const item = (text: string, onClick: () => void) => <MenuItem menu={MORE} text={text} onClick={onClick} />;
  return (
    <>
      <MenuButton menu={MORE} aria-label={t('more')} title={t('more')}>
        <Icon name="dots" />
      </MenuButton>
      <Menu id={MORE}>
        {canRetry && item(t('retryAll'), () => store.read(retriable))}
        {item(t('print'), () => print())}
        {store.view.hasSecrets.value && item(t('printPublic'), printPublic)}
        {isSelection && item(t('removeShown', { count: shown.length }), () => store.remove(shown))}
        {item(`${t('clearAll')}…`, clear)}
      </Menu>
      <ClearDialog />
    </>
  );
}
