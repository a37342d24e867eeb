import type { StructuredLicense } from '../../../license/schema.js';
import { cellTexts } from '../model/cells.js';
import type { Filter, List } from '../model/list.js';
import { isExpired, rowOf, type Row } from '../model/row.js';
import { countedOf, groupsOf, isReplaced } from '../model/standing.js';
import { stateOf, type Item } from '../model/item.js';
import { language, t } from '../texts/language.js';
import { BINDINGS, type TextKey } from '../texts/texts.js';
import { exportExcel, type ExcelColumn } from './excel.js';

const OWNER_KEYS = [
  'company',
  'lastName',
  'firstName',
  'middleName',
  'email',
  'country',
  'postalCode',
  'region',
  'district',
  'city',
  'street',
  'house',
  'building',
  'apartment',
] as const satisfies (keyof StructuredLicense['owner'])[];

interface ExcelRow {
  item: Item;
  row: Row;
  license: StructuredLicense | undefined;
  file: StructuredLicense['file'];
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
  const today = list.today.value;
  const columns = excelColumns().filter(({ key }) => !isPublic || !PRIVATE.has(key));
  const content = await exportExcel(excelRows(list.shown.value, list.replaced.value, today), columns, {
    sheet: t('results'),
    language: language.value,
    printed: columns.findIndex(({ key }) => key === LAST_PRINTED) + 1,
  });
  const parts = [t('results'), today, filterName(list), list.search.value.trim()];
  return { name: `${parts.filter(Boolean).join(' ').replace(FORBIDDEN, '')}.xlsx`, content };
}

const FILTER_NAMES: Partial<Record<Filter, TextKey>> = {
  client: 'clientLicenses',
  server: 'sumServer',
  problems: 'sumProblems',
  failed: 'failedFilter',
};

function filterName({ filter, horizon }: List): string {
  const name = filter.value;
  return name === 'all' ? '' : t(FILTER_NAMES[name] ?? (name as TextKey), { days: horizon.value });
}

/** Of the rows that are neither expired nor duplicates nor replaced the sums are those of the page. */
function excelRows(items: readonly Item[], replaced: ReadonlySet<string>, today: string): ExcelRow[] {
  const counted = new Set([...groupsOf(items).values()].map(countedOf));
  return items.map((item) => {
    const state = stateOf(item);
    const row = rowOf(item);
    const license = state.name === 'done' ? state.result.structured : undefined;
    return {
      item,
      row,
      license,
      file: license ? license.file : item.content.clearText,
      expired: isExpired(row, today),
      duplicate: !counted.has(item),
      replaced: isReplaced(item, replaced),
    };
  });
}

/** The columns of the Excel sheet: everything that is known of a license. */
function excelColumns(): (ExcelColumn<ExcelRow> & { key: TextKey })[] {
  const column = (key: TextKey, width: number, value: ExcelColumn<ExcelRow>['value'], date = false) => ({
    key,
    header: t(key).replace(/^./, (letter) => letter.toUpperCase()),
    width,
    value,
    ...(date && { date }),
  });
  const mark = (is: boolean) => (is ? t('yes') : null);
  return [
    column('file', 22, ({ item }) => item.file.name),
    column('pin', 20, ({ row }) => row.pin),
    column('owner', 32, ({ row }) => row.owner),
    column('product', 58, ({ row }) => row.product),
    column('seats', 10, ({ row }) => row.users),
    column('computer', 24, ({ row }) => row.computer),
    column('validUntil', 14, ({ row }) => row.validUntil ?? (row.unlimited ? t('never') : null), true),
    column('expiredMark', 10, ({ expired }) => mark(expired)),
    column('duplicate', 10, ({ duplicate }) => mark(duplicate)),
    column('replacedMark', 10, ({ replaced }) => mark(replaced)),
    column('folder', 20, ({ item }) => item.folder || null),
    column('type', 12, ({ item }) => cellTexts(item).type || null),
    column('registrationNumber', 18, ({ row }) => row.registrationNumber),
    column('state', 20, ({ item }) => t(stateOf(item).name)),
    column('error', 30, ({ item }) => {
      const state = stateOf(item);
      return state.name === 'failed' ? state.problem.text : null;
    }),
    column('generatedAt', 20, ({ license }) => license?.product.generatedAt ?? null, true),
    column('producedAt', 20, ({ file }) => file?.producedAt ?? null, true),
    column(
      'productCode',
      16,
      ({ license, file }) => license?.product.productCode ?? file?.productCode ?? null,
    ),
    column('pinCount', 10, ({ file }) => file?.pinCount ?? null),
    column('boundTo', 40, ({ file }) => file?.boundTo ?? null),
    column('binding', 20, ({ license }) => (license?.binding ? t(BINDINGS[license.binding]) : null)),
    column('previousPin', 22, ({ license }) => license?.previousPin ?? null),
    column('matches', 14, ({ license }) => (license ? t(MATCHES[`${license.valid}`]) : null)),
    ...OWNER_KEYS.map((key) => column(key, 18, ({ license }) => license?.owner[key] ?? null)),
    column('fileSize', 10, ({ item }) => item.file.size),
  ];
}
