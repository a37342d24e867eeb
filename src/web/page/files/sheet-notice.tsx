import { useEffect } from 'preact/hooks';
import { isSecret } from '../model/facts.js';
import { formatDate } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { useStore } from '../ui/use-store.js';

/** What the sheet is, how much of it is here, and what cannot be told from it. */
export function SheetNotice() {
  const store = useStore();
  const facts = useSheetFacts();
  useAnnouncement(facts);
  if (facts.length === 0) return null;
  return (
    <ul class="sheet">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
      <li>
        <Button
          class="link"
          text={t('removeSheet')}
          onClick={() => store.dispatch({ type: 'sheetRemoved' })}
        />
      </li>
    </ul>
  );
}

/** Short lines; none without a sheet. */
function useSheetFacts(): string[] {
  const store = useStore();
  const sheet = store.sheet.value;
  if (!sheet) return [];

  const sheetLicenses = store.sheetLicenses.value;
  const count = sheetLicenses.length;
  const day = formatDate(sheet.day, language.value);
  const facts = [t('sheetOf', { day, count })];
  if (store.isCompared.value) {
    const here = store.matched.value.size;
    const found = t('sheetHere', { here, count });
    const isMostGone = count > 2 * here;
    facts.push(isMostGone ? `${found} (${t('mostGone')})` : found);
    facts.push(t('sheetChanges', { count: store.changes.value.size }));
  } else {
    facts.push(t('sheetAlone'));
  }
  if (sheet.isPart) facts.push(t('sheetPart'));
  if (sheet.unclear > 0) facts.push(t('sheetUnclear', { count: sheet.unclear }));
  const hasSecrets = sheetLicenses.some(({ known }) => isSecret(known));
  if (hasSecrets) facts.push(t('sheetSecret'));
  return facts;
}

/**
 * Tells screen readers of a sheet that has come, and of the comparison as soon as there are files. The facts change with
 * answers of the service, too; they are not said again then.
 */
function useAnnouncement(facts: readonly string[]): void {
  const { isArriving, isCompared, sheet, view } = useStore();
  const day = sheet.value?.day;
  const isSettled = !isArriving.value;
  useEffect(() => {
    if (day !== undefined && isSettled) view.announce(`${facts.join('. ')}.`);
  }, [view, day, isCompared.value, isSettled]);
}
