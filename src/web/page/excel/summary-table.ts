import { pathOf } from '../model/place.js';
import { waitInDays } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import { shortProduct } from '../ui/row-texts.js';
import type { ExportedLicense } from './exported-license.js';
import { TABS, wordIn } from './format.js';
import type { Color, Column, Table } from './write-workbook.js';

interface SummaryOptions {
  /** Whether it has neither PIN codes nor owners. */
  isPublic: boolean;
  /** Days before its end in which a license is said to expire soon. */
  horizon: number;
}

/** The tab for people: what the table of the page shows, without empty columns, and the sum of the users. */
export function summaryTable(
  licenses: readonly ExportedLicense[],
  { isPublic, horizon }: SummaryOptions,
): Table<ExportedLicense> {
  const columns = summaryColumns(isPublic, horizon).filter(({ value }) =>
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

function summaryColumns(isPublic: boolean, horizon: number): SummaryColumn[] {
  const column = (
    key: SummaryKey,
    width: number,
    value: SummaryColumn['value'],
    more: Partial<SummaryColumn> = {},
  ) => ({ key, header: t(key), width, value, ...more });
  const color = (license: ExportedLicense) => colorOf(license, horizon);

  const columns = [
    column('state', 20, termText, { color }),
    column('validUntil', 14, ({ known }) => known.validUntil, { isDate: true, color }),
    column('product', 50, ({ known }) => known.product && shortProduct(known.product)),
    column('users', 8, ({ known }) => known.users),
    column('computer', 22, ({ known }) => known.computer),
    column('owner', 30, ({ known }) => known.owner),
    column('pin', 20, pinText),
    column('file', 40, ({ places }) => places.map(pathOf).join(', ')),
    column('change', 24, ({ change }) => change || null),
  ];
  return columns.filter(({ key }) => !isPublic || (key !== 'pin' && key !== 'owner'));
}

/** How long it counts, or why it does not. */
function termText({
  known,
  standing,
  status,
  isFailed,
  isRefused,
  daysLeft,
  isGone,
}: ExportedLicense): string {
  if (isGone) return t('gone');
  if (isFailed) return t(isRefused && status === 'failed' ? 'refused' : status);
  if (standing === 'replaced') return t('replacedMark');
  if (standing === 'expired') return t('expiredMark');
  if (daysLeft !== null) return waitInDays(daysLeft, language.value);
  if (known.unlimited) return t('never');
  return status === 'done' ? t('termNotStated') : notRead();
}

/** A license of the sheet that is gone today cannot be read any more. */
function pinText({ known, isFailed, status, isGone }: ExportedLicense): string | null {
  if (known.pin !== null) return known.pin;
  const canBeRead = !isFailed && status !== 'done' && !isGone;
  return canBeRead ? notRead() : null;
}

const notRead = () => t('unread').toLowerCase();

function colorOf(license: ExportedLicense, horizon: number): Color | undefined {
  const { standing, daysLeft, isGone } = license;
  if (isGone) return undefined;
  if (standing === 'expired') return 'red';
  const isSoon = standing === 'current' && daysLeft !== null && daysLeft <= horizon;
  return isSoon ? 'yellow' : undefined;
}

/** The sum of the users of the client licenses that count, and how many of these do not say theirs. */
function totalOf(licenses: readonly ExportedLicense[]): Partial<Record<SummaryKey, string | number>> {
  const counted = licenses.filter(
    ({ standing, known, isGone }) => standing === 'current' && known.kind === 'client' && !isGone,
  );
  let users = 0;
  let unknown = 0;
  for (const { known } of counted) {
    if (known.users === null) unknown += 1;
    else users += known.users;
  }
  const label = t('clients');
  return { users, state: unknown === 0 ? label : `${label} (${t('noUsers')}: ${unknown})` };
}
