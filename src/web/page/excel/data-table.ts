import { formatPin } from '../../../ring/output/license-name.js';
import type { Place } from '../model/state.js';
import { language, t, tell } from '../texts/language.js';
import type { ExportedLicense } from './exported-license.js';
import { checkOf, HEADERS, nameOfDataTab, OWNER_KEYS, wordIn, WORDS, type ColumnKey } from './format.js';
import { MAX_TEXT_LENGTH, type Column, type Table, type Value } from './write-workbook.js';

/** What tells a person or a PIN code. */
const PRIVATE: ReadonlySet<ColumnKey> = new Set(['pin', 'asOf', 'previousPin', ...OWNER_KEYS]);

interface DataOptions {
  /** YYYY-MM-DD */
  day: string;
  /** Whether some licenses of the list are not in it. */
  isPart: boolean;
  /** Whether it has neither PIN codes nor the owner's data. */
  isPublic: boolean;
}

/** The tab that is read back: everything that is known of a license, in the words of the file format. */
export function dataTable(
  licenses: readonly ExportedLicense[],
  { day, isPart, isPublic }: DataOptions,
): Table<ExportedLicense> {
  return {
    name: nameOfDataTab(day, isPart, language.value),
    columns: dataColumns(isPublic).filter(({ key }) => !isPublic || !PRIVATE.has(key)),
    rows: licenses,
  };
}

type DataColumn = Column<ExportedLicense> & { key: ColumnKey };

function dataColumns(isPublic: boolean): DataColumn[] {
  const column = (key: ColumnKey, width: number, value: (license: ExportedLicense) => Value) => ({
    key,
    header: wordIn(language.value, HEADERS[key]),
    width,
    value,
  });
  const dates = (key: ColumnKey, width: number, value: DataColumn['value']) => ({
    ...column(key, width, value),
    isDate: true,
  });

  return [
    column('file', 22, ({ places }) => linesOf(places, 'name')),
    column('folder', 20, ({ places }) => linesOf(places, 'folder')),
    column('files', 10, ({ places }) => places.length),
    dates('validUntil', 14, ({ known }) => known.validUntil ?? (known.unlimited ? word('unlimited') : null)),
    column('product', 58, ({ known }) => known.product),
    column('users', 10, ({ known }) => known.users),
    column('computer', 24, ({ known }) => known.computer),
    column('type', 12, ({ type }) => type || null),
    column('registrationNumber', 18, ({ known }) => known.registrationNumber),
    column('productCode', 16, ({ known }) => known.productCode),
    column('pin', 20, ({ known }) => known.pin),
    dates('asOf', 14, ({ known }) => known.asOf),
    column('previousPin', 22, ({ known }) => known.previousPin && formatPin(known.previousPin)),
    ...OWNER_KEYS.map((key) => column(key, 18, ({ known }) => known.customer?.[key] ?? null)),
    dates('generatedAt', 20, ({ known }) => known.generatedAt),
    dates('producedAt', 20, ({ known }) => known.producedAt),
    column('pinCount', 10, ({ known }) => known.pinCount),
    column('boundTo', 40, ({ known }) => known.boundTo),
    column('replacedMark', 10, ({ validity }) => (validity === 'replaced' ? word('yes') : null)),
    column('change', 24, ({ change, validity }) => (validity === 'gone' ? word('gone') : change || null)),
    column('state', 20, stateWord),
    column('error', 30, errorText),
    column('fingerprint', 22, (license) => identityOf(license, isPublic)),
  ];
}

const word = (name: keyof typeof WORDS) => wordIn(language.value, WORDS[name]);

function stateWord({ status, isRefused }: ExportedLicense): string {
  if (status === 'unfit') return word('unfit');
  if (status === 'failed' && isRefused) return word('refused');
  return t(status);
}

function errorText({ isFailed, failure }: ExportedLicense): string | null {
  return isFailed && failure ? tell(failure.problem).text : null;
}

/** The fingerprint, and after it the check of a PIN code that is in the sheet. */
function identityOf({ fingerprint, known: { pin } }: ExportedLicense, isPublic: boolean): string | null {
  const hasCheck = fingerprint !== null && pin !== null && !isPublic;
  return hasCheck ? `${fingerprint}-${checkOf(fingerprint, pin)}` : fingerprint;
}

/** A line for each place, for as many as fit into both cells. */
function linesOf(places: readonly Place[], part: keyof Place): string | null {
  const lines = fitting(places).map((place) => place[part]);
  return lines.some(Boolean) ? lines.join('\n') : null;
}

function fitting(places: readonly Place[]): readonly Place[] {
  let names = 0;
  let folders = 0;
  for (const [index, { name, folder }] of places.entries()) {
    const lineBreaks = index;
    names += name.length;
    folders += folder.length;
    const longest = Math.max(names, folders) + lineBreaks;
    if (longest > MAX_TEXT_LENGTH) return places.slice(0, index);
  }
  return places;
}
