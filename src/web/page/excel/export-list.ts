import { countText, seatsText } from '../texts/seat-texts.js';
import { SOON_DAYS } from '../model/validity.js';
import type { View } from '../model/view.js';
import { formatDate } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { columnsOf, type SheetParts } from './license-columns.js';
import { writeWorkbook } from './write-workbook.js';

/** Letters that no name of a file may have on Windows. */
const FORBIDDEN = /[\\/:*?"<>|]/g;

/**
 * The shown licenses as an Excel workbook: one sheet, with the rows of the table in its order. This module brings the
 * library with it, so the page loads it later than itself.
 */
export async function exportList(view: View, parts: SheetParts): Promise<{ name: string; content: Blob }> {
  const today = view.today.value;
  const about = aboutOf(view, parts);

  const date = formatDate(today, language.value);
  const seats = seatsText(view.seats.value);
  const table = {
    name: t('results'),
    title: [t('resultsOn', { date }), ...about].join(', '),
    summary: [countText(view), seats].filter(Boolean).join(' · '),
    columns: columnsOf(view, parts),
    rows: view.shown.value,
  };
  const content = await writeWorkbook(table, language.value);

  const fileName = [t('results'), today, ...about].join(' ');
  return { name: `${fileName.replace(FORBIDDEN, '')}.xlsx`, content };
}

/** What the sheet is about, in words: the filter, the search, and that it has PIN codes. */
function aboutOf(view: View, parts: SheetParts): string[] {
  const filter = view.filter.value;
  const values = { days: SOON_DAYS, count: view.counts.value[filter] };
  const about = filter === 'all' ? [] : [t(filter, values)];

  const search = view.search.value.trim();
  if (search !== '' && isNamed(search, parts)) about.push(search);
  if (parts.hasPins) {
    about.push(t('excelWithPins', view.knownShown.value));
  }
  return about;
}

/** Whether a search may be named: what people search for is often an owner, and digits may be of a PIN code. */
function isNamed(search: string, { hasOwners, hasPins }: SheetParts): boolean {
  const mayBePin = /\d{3}/.test(search);
  return hasOwners && (hasPins || !mayBePin);
}
