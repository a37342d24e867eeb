import type { Language } from '../../errors/catalog.js';
import type { StructuredLicense } from '../../license/schema.js';
import { cellTextsIn } from './cells.js';
import type { ExcelColumn } from './excel.js';
import type { Item } from './item.js';
import { tellProblem } from './problem.js';
import { rowOf, type Row } from './row.js';
import { BINDINGS, textsIn, type TextKey } from './texts.js';

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
}

export const excelRow = (item: Item): ExcelRow => {
  const license = item.state.name === 'done' ? item.state.result.structured : undefined;
  return { item, row: rowOf(item), license, file: license ? license.file : item.clearText };
};

/** The columns of the Excel sheet: everything that is known of a license. */
export function excelColumns(language: Language): ExcelColumn<ExcelRow>[] {
  const t = textsIn(language);
  const column = (key: TextKey, width: number, value: ExcelColumn<ExcelRow>['value'], date = false) => ({
    header: t(key),
    width,
    value,
    ...(date && { date }),
  });
  const textsOf = cellTextsIn(language);
  return [
    column('file', 24, ({ row }) => row.file),
    column('folder', 20, ({ row }) => row.folder || null),
    column('pin', 22, ({ row }) => row.pin),
    column('owner', 28, ({ row }) => row.owner),
    column('product', 44, ({ row }) => row.product),
    column('users', 10, ({ row }) => row.users),
    column('type', 14, ({ item }) => textsOf(item).type || null),
    column('registrationNumber', 18, ({ row }) => row.registrationNumber),
    column('computer', 20, ({ row }) => row.computer),
    column('validUntil', 14, ({ row }) => row.validUntil ?? (row.unlimited ? t('never') : null), true),
    column('state', 20, ({ item }) => t(item.state.name)),
    column('error', 30, ({ item: { state } }) =>
      state.name === 'failed' ? tellProblem(state.problem, language).text : null,
    ),
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
    column('matches', 14, ({ license }) => (license ? t(license.valid ? 'yes' : 'no') : null)),
    ...OWNER_KEYS.map((key) => column(key, 18, ({ license }) => license?.owner[key] ?? null)),
    column('fileSize', 10, ({ item }) => item.file.size),
  ];
}
