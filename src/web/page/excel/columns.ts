import { formatPin } from '../../../ring/output/license-name.js';
import type { Known } from '../model/facts.js';
import type { License } from '../model/license.js';
import type { Place } from '../model/place.js';
import type { Standing } from '../model/standing.js';
import type { View } from '../model/view.js';
import { rowTexts, changeText } from '../ui/row-texts.js';
import { language, t, tell } from '../texts/language.js';
import { BINDINGS, type TextKey } from '../texts/texts.js';
import { exportExcel, MAX_TEXT_LENGTH, type ExcelColumn } from './excel.js';
import { checkOf, headerOf, OWNER_KEYS } from './headers.js';

interface ExcelRow {
  license: License;
  known: Known;
  standing: Standing | undefined;
  /** What became of it since the day of another list. */
  change: string;
}

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
export async function exportList(view: View, isPublic: boolean): Promise<{ name: string; content: Blob }> {
  const isCompared = view.changes.value.size > 0;
  const columns = excelColumns(isPublic).filter(
    ({ key }) => (!isPublic || !PRIVATE.has(key)) && (isCompared || key !== 'change'),
  );
  const today = view.today.value;
  const isPartial = view.isPart.value;
  const rows = view.shown.value.map((license) => ({
    license,
    known: license.known,
    standing: view.standingOf(license),
    change: changeText(license, view.changes.value.get(license.id), isPublic),
  }));
  const content = await exportExcel(rows, columns, {
    // The day and the word are read again when the list is given to the page.
    sheet: [t('results'), today, isPartial && t('sheetPartial')].filter(Boolean).join(' '),
    language: language.value,
    printed: columns.findIndex(({ key }) => key === LAST_PRINTED) + 1,
  });
  const tile = view.tile.value;
  const parts = [
    t('results'),
    today,
    tile !== 'all' && t(tile, { days: view.horizon.value }),
    // Who is searched for is often an owner.
    isPublic ? t('excelPublic') : view.search.value.trim(),
  ];
  return { name: `${parts.filter(Boolean).join(' ').replace(FORBIDDEN, '')}.xlsx`, content };
}

/** The columns of the Excel sheet: everything that is known of a license. */
function excelColumns(isPublic: boolean): (ExcelColumn<ExcelRow> & { key: TextKey })[] {
  const column = (key: TextKey, width: number, value: ExcelColumn<ExcelRow>['value'], date = false) => ({
    key,
    header: headerOf(key, language.value),
    width,
    value,
    ...(date && { date }),
  });
  const mark = (is: boolean) => (is ? t('yes') : null);
  return [
    column('validUntil', 14, ({ known }) => known.validUntil ?? (known.unlimited ? t('never') : null), true),
    column('owner', 32, ({ known }) => known.owner),
    column('product', 58, ({ known }) => known.product),
    column('users', 10, ({ known }) => known.users),
    column('computer', 24, ({ known }) => known.computer),
    column('pin', 20, ({ known }) => known.pin),
    column('file', 22, ({ license }) => linesOf(license, 'name')),
    column('files', 10, ({ license }) => license.places.length),
    column('expiredMark', 10, ({ standing }) => mark(standing === 'expired')),
    column('replacedMark', 10, ({ standing }) => mark(standing === 'replaced')),
    column('change', 24, ({ change }) => change || null),
    column('folder', 20, ({ license }) => linesOf(license, 'folder')),
    column('type', 12, ({ license }) => rowTexts(license).type || null),
    column('registrationNumber', 18, ({ known }) => known.registrationNumber),
    column('state', 20, ({ license: { isRefused, status } }) =>
      t(isRefused && status === 'failed' ? 'refused' : status),
    ),
    column('error', 30, ({ license: { isFailed, failure } }) =>
      isFailed && failure ? tell(failure.problem).text : null,
    ),
    column('generatedAt', 20, ({ known }) => known.generatedAt, true),
    column('producedAt', 20, ({ known }) => known.producedAt, true),
    column('productCode', 16, ({ known }) => known.productCode),
    column('pinCount', 10, ({ known }) => known.pinCount),
    column('boundTo', 40, ({ known }) => known.boundTo),
    column('binding', 20, ({ known }) => (known.binding ? t(BINDINGS[known.binding]) : null)),
    column('previousPin', 22, ({ known }) => known.previousPin && formatPin(known.previousPin)),
    ...OWNER_KEYS.map((key) => column(key, 18, ({ known }) => known.customer?.[key] ?? null)),
    column('fingerprint', 22, ({ license: { fingerprint }, known: { pin } }) => {
      return fingerprint && pin && !isPublic ? `${fingerprint}-${checkOf(fingerprint, pin)}` : fingerprint;
    }),
  ];
}

/** A line for each place, as far as the lines of both parts fit into a cell. */
function linesOf({ places }: License, part: 'name' | 'folder'): string | null {
  const length = { name: -1, folder: -1 };
  const isFit = ({ name, folder }: Place) =>
    (length.name += 1 + name.length) <= MAX_TEXT_LENGTH &&
    (length.folder += 1 + folder.length) <= MAX_TEXT_LENGTH;
  const end = places.findIndex((place) => !isFit(place));
  const lines = places.slice(0, end < 0 ? undefined : end).map((place) => place[part]);
  return lines.some(Boolean) ? lines.join('\n') : null;
}
