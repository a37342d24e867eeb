import { pathOf } from '../model/state.js';
import { language, t } from '../texts/language.js';
import { missingPinText, noteOn, shortProduct, validityText } from '../ui/row-texts.js';
import type { ExportedLicense } from './exported-license.js';
import { TABS, wordIn } from './format.js';
import type { Color, Column, Table } from './write-workbook.js';

/** The tab for people: what the table of the page shows, without empty columns, and the sum of the users. */
export function summaryTable(
  licenses: readonly ExportedLicense[],
  /** Whether it has neither PIN codes nor owners. */
  isPublic: boolean,
): Table<ExportedLicense> {
  const columns = summaryColumns(isPublic).filter(({ value }) =>
    licenses.some((license) => value(license) !== null),
  );
  const total = totalOf(licenses);
  return {
    name: wordIn(language.value, TABS.summary),
    columns,
    rows: licenses,
    total: columns.map(({ key }) => total[key] ?? null),
  };
}

type SummaryKey =
  'state' | 'validUntil' | 'product' | 'users' | 'computer' | 'owner' | 'pin' | 'file' | 'change';
type SummaryColumn = Column<ExportedLicense> & { key: SummaryKey };

function summaryColumns(isPublic: boolean): SummaryColumn[] {
  const column = (
    key: SummaryKey,
    width: number,
    value: SummaryColumn['value'],
    more: Partial<SummaryColumn> = {},
  ) => ({ key, header: t(key), width, value, ...more });

  const columns = [
    column('state', 20, stateText, { color: colorOf }),
    column('validUntil', 14, ({ known }) => known.validUntil, { isDate: true, color: colorOf }),
    column('product', 50, productText),
    column('users', 8, ({ known }) => known.users),
    column('computer', 22, ({ known }) => known.computer),
    column('owner', 30, ({ known }) => known.owner),
    column('pin', 20, pinText),
    column('file', 40, ({ places }) => places.map(pathOf).join(', ')),
    column('change', 24, ({ change }) => change || null),
  ];
  return columns.filter(({ key }) => !isPublic || (key !== 'pin' && key !== 'owner'));
}

const stateText = (license: ExportedLicense) => validityText(license, license.validity, license.daysLeft);

/** The product, or why it is not known. */
function productText(license: ExportedLicense): string | null {
  const { product } = license.known;
  return product === null ? (noteOn(license)?.text ?? null) : shortProduct(product);
}

function pinText(license: ExportedLicense): string | null {
  return license.known.pin ?? (missingPinText(license) || null);
}

function colorOf({ validity }: ExportedLicense): Color | undefined {
  if (validity === 'expired') return 'red';
  return validity === 'soon' ? 'yellow' : undefined;
}

/** The users of the valid client licenses, summed up as on the page, and how many licenses may add to them. */
function totalOf(licenses: readonly ExportedLicense[]): Partial<Record<SummaryKey, string | number>> {
  let users = 0;
  let unknown = 0;
  for (const { known, countsUsers, mayAddUsers } of licenses) {
    if (countsUsers) users += known.users ?? 0;
    if (mayAddUsers) unknown += 1;
  }

  const label = t('validClients');
  const state = unknown === 0 ? label : `${label} (${t('usersUnknown', { count: unknown })})`;
  return { users, state };
}
