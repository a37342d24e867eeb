import { SOON_DAYS } from '../model/validity.js';
import type { View } from '../model/view.js';
import { formatDate } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { licenseTable } from './license-table.js';
import { writeWorkbook } from './write-workbook.js';

/** Letters that no name of a file may have on Windows. */
const FORBIDDEN = /[\\/:*?"<>|]/g;

/**
 * The shown licenses as an Excel workbook. This module brings the library with it, so the page loads it later than itself.
 * @param isPublic leaves out PIN codes and the owner's data
 */
export async function exportList(view: View, isPublic: boolean): Promise<{ name: string; content: Blob }> {
  const today = view.today.value;
  const part = partOf(view, isPublic);

  const date = formatDate(today, language.value);
  const title = [t('resultsOn', { date }), ...part].join(', ');
  const content = await writeWorkbook(licenseTable(view, { title, isPublic }), language.value);

  const fileName = [t('results'), today, ...part].join(' ');
  return { name: `${fileName.replace(FORBIDDEN, '')}.xlsx`, content };
}

/** Which part of the list it is, in words, such as `Expired`. */
function partOf(view: View, isPublic: boolean): string[] {
  const filter = view.filter.value;
  const values = { days: SOON_DAYS, count: view.counts.value[filter] };
  const filterTexts = filter === 'all' ? [] : [t(filter, values)];
  // Who is searched for is often an owner.
  if (isPublic) return [...filterTexts, t('excelPublic')];

  const search = view.search.value.trim();
  return search === '' ? filterTexts : [...filterTexts, search];
}
