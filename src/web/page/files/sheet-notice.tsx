import { formatDate } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { useModel } from '../ui/use-model.js';
import { Button } from '../ui/controls.js';

/** What the sheet is, how much of it is here, and what cannot be told from it. */
export function SheetNotice() {
  const { inventory, edits } = useModel();
  const sheet = inventory.sheet.value;
  if (!sheet) return null;
  const { all, given, isCompared, comparison, matched } = inventory;
  const { changes, isPart } = comparison.value;
  const [count, here] = [all.value.length - given.value.length, matched.value.size];
  const isSecret = all.value.some(({ isGiven, known }) => !isGiven && (known.pin ?? known.customer));
  return (
    <p>
      {t('sheetOf', { day: formatDate(sheet.day, language.value), count })}{' '}
      {isCompared.value && `${t('sheetHere', { here, count: changes.size })} `}
      {given.value.length === 0 && `${t('sheetAlone')} `}
      {(isPart || sheet.isPart) && `${t('sheetPart')} `}
      {isCompared.value && count > 2 * here && `${t('mostGone')} `}
      {sheet.unclear > 0 && `${t('sheetUnclear', { count: sheet.unclear })} `}
      {isSecret && `${t(isCompared.value ? 'sheetAsOf' : 'sheetSecret')} `}
      <Button class="link" text={t('removeSheet')} onClick={() => edits.take(undefined)} />
    </p>
  );
}
