import type { View } from '../model/view.js';
import { language, t } from '../texts/language.js';
import { summaryTable } from './summary-table.js';
import { writeWorkbook } from './write-workbook.js';

/** Letters that no name of a file may have on Windows. */
const FORBIDDEN = /[\\/:*?"<>|]/g;

/**
 * The shown licenses as an Excel workbook. This module brings the library with it, so the page imports it when
 * someone asks for the workbook.
 * @param isPublic leaves out PIN codes and the owner's data
 */
export async function exportList(view: View, isPublic: boolean): Promise<{ name: string; content: Blob }> {
  const title = titleOf(view, isPublic);
  const content = await writeWorkbook([summaryTable(view, { title, isPublic })], language.value);

  const fileName = title.replace(FORBIDDEN, '');
  return { name: `${fileName}.xlsx`, content };
}

/** Such as `Licenses 2026-11-24 Expired`. */
function titleOf(view: View, isPublic: boolean): string {
  const parts = [t('results'), view.today.value];
  const filter = view.filter.value;
  if (filter !== 'all') parts.push(t(filter));

  // Who is searched for is often an owner.
  const search = view.search.value.trim();
  if (isPublic) parts.push(t('excelPublic'));
  else if (search !== '') parts.push(search);
  return parts.join(' ');
}
