import { isFailed, licenseOf, stateOf, type Item } from '../model/item.js';
import type { Known } from '../model/facts.js';
import type { List } from '../model/list.js';
import { cellTexts } from '../texts/cells.js';
import { language, t, tell } from '../texts/language.js';
import { BINDINGS, type TextKey } from '../texts/texts.js';
import { exportExcel, type ExcelColumn } from './excel.js';
import { headerOf, OWNER_KEYS } from './headers.js';

interface ExcelRow {
  item: Item;
  license: Known;
  expired: boolean;
  duplicate: boolean;
  replaced: boolean;
}

const MATCHES = { true: 'yes', false: 'no', null: 'notChecked' } as const;

/** What tells a person or a PIN code. */
const PRIVATE: ReadonlySet<TextKey> = new Set(['pin', 'previousPin', 'owner', ...OWNER_KEYS]);
/** The columns that can be read on paper: the first ones, up to this. */
const LAST_PRINTED: TextKey = 'replacedMark';

/** Letters that no name of a file may have on Windows. */
const FORBIDDEN = /[\\/:*?"<>|]/g;

/**
 * The shown licenses as an Excel workbook.
 * @param isPublic leaves out PIN codes and the owner's data
 */
export async function exportList(list: List, isPublic: boolean): Promise<{ name: string; content: Blob }> {
  const columns = excelColumns().filter(({ key }) => !isPublic || !PRIVATE.has(key));
  const today = list.today.value;
  const isPartial = list.shown.value.length < list.items.value.length;
  const rows = list.listed.value.map((item) => rowOf(list, item));
  const content = await exportExcel(rows, columns, {
    // The day and the word are read again when the list is given to the page.
    sheet: [t('results'), today, isPartial && t('sheetPartial')].filter(Boolean).join(' '),
    language: language.value,
    printed: columns.findIndex(({ key }) => key === LAST_PRINTED) + 1,
  });
  const filter = list.filter.value;
  const parts = [t('results'), today, filter !== 'all' && t(filter), list.search.value.trim()];
  return { name: `${parts.filter(Boolean).join(' ').replace(FORBIDDEN, '')}.xlsx`, content };
}

/** With the marks that it has on the page. */
function rowOf(list: List, item: Item): ExcelRow {
  const mark = list.markOf(item);
  return {
    item,
    license: licenseOf(item),
    expired: list.passes('expired', item),
    duplicate: mark === 'duplicate',
    replaced: mark === 'replacedMark',
  };
}

/** The columns of the Excel sheet: everything that is known of a license. */
function excelColumns(): (ExcelColumn<ExcelRow> & { key: TextKey })[] {
  const column = (key: TextKey, width: number, value: ExcelColumn<ExcelRow>['value'], date = false) => ({
    key,
    header: headerOf(key, language.value),
    width,
    value,
    ...(date && { date }),
  });
  const mark = (is: boolean) => (is ? t('yes') : null);
  return [
    column(
      'validUntil',
      14,
      ({ license }) => license.validUntil ?? (license.unlimited ? t('never') : null),
      true,
    ),
    column('owner', 32, ({ license }) => license.owner),
    column('product', 58, ({ license }) => license.product),
    column('seats', 10, ({ license }) => license.users),
    column('computer', 24, ({ license }) => license.computer),
    column('pin', 20, ({ license }) => license.pin),
    column('file', 22, ({ item }) => item.name),
    column('expiredMark', 10, ({ expired }) => mark(expired)),
    column('duplicate', 10, ({ duplicate }) => mark(duplicate)),
    column('replacedMark', 10, ({ replaced }) => mark(replaced)),
    column('folder', 20, ({ item }) => item.folder || null),
    column('type', 12, ({ item }) => cellTexts(item).type || null),
    column('registrationNumber', 18, ({ license }) => license.registrationNumber),
    column('state', 20, ({ item }) => t(stateOf(item).name)),
    column('error', 30, ({ item }) => {
      const state = stateOf(item);
      return isFailed(item) && state.failure ? tell(state.failure.problem).text : null;
    }),
    column('generatedAt', 20, ({ license }) => license.generatedAt, true),
    column('producedAt', 20, ({ license }) => license.producedAt, true),
    column('productCode', 16, ({ license }) => license.productCode),
    column('pinCount', 10, ({ license }) => license.pinCount),
    column('boundTo', 40, ({ license }) => license.boundTo),
    column('binding', 20, ({ license }) => (license.binding ? t(BINDINGS[license.binding]) : null)),
    column('previousPin', 22, ({ license }) => license.previousPin),
    column('matches', 14, ({ license }) => (license.pin === null ? null : t(MATCHES[`${license.valid}`]))),
    ...OWNER_KEYS.map((key) => column(key, 18, ({ license }) => license.customer?.[key] ?? null)),
    column('fingerprint', 18, ({ item }) => item.content.fingerprint),
  ];
}
