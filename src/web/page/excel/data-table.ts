import { formatPin } from '../../../ring/output/license-name.js';
import type { Facts } from '../model/facts.js';
import type { License } from '../model/license.js';
import type { Place } from '../model/state.js';
import type { View } from '../model/view.js';
import { language, t, tell } from '../texts/language.js';
import { changeText, rowTexts } from '../ui/row-texts.js';
import {
  checkOf,
  HEADERS,
  MAX_TEXT_LENGTH,
  nameOfDataTab,
  OWNER_KEYS,
  wordIn,
  WORDS,
  type ColumnKey,
} from './format.js';
import type { Column, Table, Value } from './write-workbook.js';

type DataColumn = Column<License>;

/**
 * The tab that is read back. Its headers, and the words that are read back, are those of the file format; other texts are
 * the page's.
 * @param isPublic leaves out PIN codes and the owner's data
 */
export function dataTable(view: View, isPublic: boolean): Table<License> {
  return {
    name: nameOfDataTab(view.today.value, view.isPart.value, language.value),
    columns: dataColumns(view, isPublic),
    rows: view.shown.value,
  };
}

function dataColumns(view: View, isPublic: boolean): DataColumn[] {
  return [
    column('file', ({ places }) => linesOf(places, 'name')),
    column('folder', ({ places }) => linesOf(places, 'folder')),
    column('files', ({ places }) => places.length),
    { ...column('validUntil', termOf), isDate: true },
    factColumn('product'),
    factColumn('users'),
    factColumn('computer'),
    column('type', (license) => rowTexts(license).type),
    factColumn('registrationNumber'),
    factColumn('productCode'),
    ...(isPublic ? [] : secretColumns()),
    { ...factColumn('generatedAt'), isDate: true },
    { ...factColumn('producedAt'), isDate: true },
    factColumn('pinCount'),
    factColumn('boundTo'),
    column('replacedMark', (license) => replacedWord(license, view)),
    column('change', (license) => changeOf(license, view, isPublic)),
    column('state', stateWord),
    column('error', errorText),
    column('fingerprint', (license) => identityOf(license, isPublic)),
  ];
}

/** The columns that tell a person or a PIN code. */
function secretColumns(): DataColumn[] {
  const ownerColumns = OWNER_KEYS.map((key) => column(key, ({ known }) => known.customer?.[key] ?? null));
  return [
    factColumn('pin'),
    { ...column('asOf', ({ known }) => known.asOf), isDate: true },
    column('previousPin', ({ known }) => known.previousPin && formatPin(known.previousPin)),
    ...ownerColumns,
  ];
}

function column(key: ColumnKey, value: (license: License) => Value): DataColumn {
  const header = wordIn(language.value, HEADERS[key]);
  return { header, value };
}

/** A column that has the same key as what it says of a license. */
function factColumn(key: ColumnKey & keyof Facts): DataColumn {
  return column(key, ({ known }) => known[key]);
}

const word = (name: keyof typeof WORDS) => wordIn(language.value, WORDS[name]);

function termOf({ known }: License): string | null {
  if (known.validUntil !== null) return known.validUntil;
  return known.unlimited ? word('unlimited') : null;
}

function replacedWord(license: License, view: View): string {
  return view.validityOf(license) === 'replaced' ? word('yes') : '';
}

function changeOf(license: License, view: View, isPublic: boolean): string {
  if (view.isGone(license)) return word('gone');
  return changeText(license, view.changes.value.get(license.id), isPublic);
}

function stateWord({ status, isRefused }: License): string {
  if (status === 'unfit') return word('unfit');
  if (status === 'failed' && isRefused) return word('refused');
  return t(status);
}

function errorText({ isFailed, failure }: License): string | null {
  return isFailed && failure ? tell(failure.problem).text : null;
}

/** The fingerprint, and after it the check of a PIN code that is in the sheet. */
function identityOf({ fingerprint, known }: License, isPublic: boolean): string | null {
  if (fingerprint === null || known.pin === null || isPublic) return fingerprint;
  return `${fingerprint}-${checkOf(fingerprint, known.pin)}`;
}

/** A line for each place, for as many as fit into both cells. */
function linesOf(places: readonly Place[], part: keyof Place): string {
  const lines = fitting(places).map((place) => place[part]);
  return lines.some(Boolean) ? lines.join('\n') : '';
}

/** The first places whose names fit into one cell, and whose folders fit into another. */
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
