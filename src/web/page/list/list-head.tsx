import { ExcelMenu } from '../excel/excel-menu.js';
import { AddButtons } from '../files/file-input.js';
import { Strip } from '../reading/strip.js';
import { t } from '../texts/language.js';
import { Icon } from '../ui/icon.js';
import { focusMenuButton, Menu, MenuButton, MenuItem } from '../ui/menu.js';
import { useStore } from '../ui/use-store.js';
import { askToClear, ClearDialog } from './clear-dialog.js';
import { Summary } from './summary.js';

/** What there is to say of the list and of its reading, and what can be done with it. */
export const ListHead = () => (
  <header class="list-head">
    <Summary />
    <div class="actions">
      <AddButtons />
      <ExcelMenu />
      <MoreMenu />
    </div>
    <Strip />
    <Found />
  </header>
);

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
