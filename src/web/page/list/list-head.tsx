import { ExcelDialog } from '../excel/excel-dialog.js';
import { AddButtons } from '../files/file-input.js';
import { Strip } from '../reading/strip.js';
import { t } from '../texts/language.js';
import { countText } from '../texts/seat-texts.js';
import { Dialog, DialogButton, DialogItem } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { useStore } from '../ui/use-store.js';
import { askToClear, askToRemoveShown, ClearDialog, RemoveDialog } from './removal.js';
import { Summary } from './summary.js';

/** What there is to say of the list and of its reading, and what can be done with it. */
export const ListHead = () => (
  <header class="list-head">
    <Summary />
    <div class="actions">
      <AddButtons />
      <ExcelDialog />
      <MoreDialog />
    </div>
    <Strip />
    <Found />
  </header>
);

/** What a search has found, for screen readers. */
function Found() {
  const { view } = useStore();
  return (
    <p class="unseen" role="status">
      {view.isSearch.value && countText(view)}
    </p>
  );
}

const MORE = 'more-dialog';

/** Prints what is shown, without what must not get into everybody's hands; print.css hides it. */
function printPublic(): void {
  const { classList } = document.body;
  classList.add('public');
  addEventListener('afterprint', () => classList.remove('public'), { once: true });
  print();
}

/** What is seldom done with the list. */
function MoreDialog() {
  const store = useStore();
  const shown = store.view.shown.value;
  const hasSecrets = shown.some(({ facts }) => facts.pin !== null || facts.customer !== null);
  const isSelection = store.view.isPart.value && shown.length > 0;

  const item = (text: string, onClick: () => void) => (
    <DialogItem dialog={MORE} text={text} onClick={onClick} />
  );
  return (
    <>
      <DialogButton dialog={MORE} aria-label={t('more')} title={t('more')}>
        <Icon name="dots" />
      </DialogButton>
      <Dialog id={MORE} title={t('more')}>
        {item(t('print'), () => print())}
        {hasSecrets && item(t('printPublic'), printPublic)}
        {isSelection && item(`${t('removeShown', { count: shown.length })}…`, askToRemoveShown)}
        {item(`${t('clearAll')}…`, askToClear)}
      </Dialog>
      <RemoveDialog />
      <ClearDialog />
    </>
  );
}
