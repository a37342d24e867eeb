import { formatDate } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';

/** What the sheet is, how much of it is here, and what cannot be told from it. */
export function SheetNotice() {
  const store = useStore();
  const sheet = store.sheet.value;
  if (!sheet) return null;
  const sheetLicenses = store.sheetLicenses.value;
  const isCompared = store.isCompared.value;
  const here = store.matched.value.size;
  const isSecret = sheetLicenses.some(({ known }) => known.pin !== null || known.customer !== null);
  const isMostGone = isCompared && sheetLicenses.length > 2 * here;
  const sentences = [
    t('sheetOf', { day: formatDate(sheet.day, language.value), count: sheetLicenses.length }),
    isCompared && t('sheetHere', { here, count: sheetLicenses.length }),
    isCompared && t('sheetChanges', { count: store.changes.value.size }),
    !isCompared && t('sheetAlone'),
    sheet.isPart && t('sheetPart'),
    isMostGone && t('mostGone'),
    sheet.unclear > 0 && t('sheetUnclear', { count: sheet.unclear }),
    isSecret && t(isCompared ? 'sheetAsOf' : 'sheetSecret'),
  ];
  return (
    <p>
      {sentences.filter(Boolean).join(' ')}{' '}
      <Button class="link" text={t('removeSheet')} onClick={() => store.dispatch({ type: 'sheetRemoved' })} />
    </p>
  );
}
