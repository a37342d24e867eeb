import writeExcelFile, { type CellObject } from 'write-excel-file/browser';
import { getCellAddress } from 'write-excel-file/utility';
import type { Language } from '../../../errors/catalog.js';

/** A column of the sheet. */
export interface ExcelColumn<Row> {
  header: string;
  /** In characters; at least that of the header. */
  width: number;
  /** A string becomes a text cell, whatever it looks like, and a number a number cell. */
  value: (row: Row) => string | number | null;
  /** Dates and local times (`2026-12-31`, `2026-12-31T10:26:05`) become dates; other strings stay text. */
  date?: boolean;
}

/** Excel calls a file with a longer text damaged. */
export const MAX_TEXT_LENGTH = 32_767;

/** Before it, Excel counts a day that never was: 29 February 1900. */
const FIRST_DATE = Date.UTC(1900, 2, 1);

/** Characters that a header needs besides its text, for the button of the filter and for bold letters. */
const HEADER_MARGIN = 5;

export interface ExcelOptions {
  /** Name of the sheet: 31 letters, digits and blanks at most. */
  sheet: string;
  language: Language;
  /** How many columns are printed, on one page in width. */
  printed: number;
}

const DATE_FORMAT: Record<Language, string> = { en: 'yyyy-mm-dd', ru: 'dd.mm.yyyy' };

/**
 * Writes a table as an Excel workbook (.xlsx) of one sheet, with a frozen header row, filters, and pages in A4. This
 * module brings the library with it, so the page imports it when someone asks for the workbook.
 */
export function exportExcel<Row>(
  rows: readonly Row[],
  columns: readonly ExcelColumn<Row>[],
  { sheet, language, printed }: ExcelOptions,
): Promise<Blob> {
  const header = columns.map((column): CellObject => ({ value: column.header, fontWeight: 'bold' }));
  const body = rows.map((row) =>
    columns.map(({ value, date }): CellObject | null => {
      const content = value(row);
      if (content === null) return null;
      if (typeof content === 'number') return { value: content };
      return (date ? dateCell(content, DATE_FORMAT[language]) : undefined) ?? textCell(content);
    }),
  );
  const options = {
    sheet,
    stickyRowsCount: 1,
    orientation: 'landscape' as const,
    columns: columns.map(({ header, width }) => ({ width: Math.max(width, header.length + HEADER_MARGIN) })),
  };
  const features = [
    sheetFeatures(
      sheet,
      getCellAddress(rows.length, columns.length - 1),
      getCellAddress(rows.length, printed - 1),
    ),
  ];
  return writeExcelFile([header, ...body], options, { features }).toBlob();
}

/** The format `@` keeps Excel from making a number of it when someone edits the cell. */
function textCell(text: string): CellObject {
  // The library keeps texts as keys of an object, where it finds `constructor` before anyone put it there.
  // Excel takes `_x0041_` for the letter A.
  const value =
    text in {} ? `${text} ` : text.slice(0, MAX_TEXT_LENGTH).replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
  return { value, type: String, format: '@' };
}

/** Excel knows no time zones: what counts as UTC here is shown as it is. */
function dateCell(text: string, format: string): CellObject | undefined {
  const match = /^\d{4}-\d\d-\d\d(?<time>T\d\d:\d\d:\d\d)?$/.exec(text);
  if (!match) return undefined;
  const time = match.groups?.['time'];
  const value = new Date(time ? `${text}Z` : text);
  if (!(value.getTime() >= FIRST_DATE)) return undefined;
  return { value, type: Date, format: time ? `${format} hh:mm:ss` : format };
}

/**
 * What the library cannot do: filters in the header, which LibreOffice shows only with their defined name, no green
 * triangles at numbers that are meant as text, and pages of A4 that are one sheet wide and repeat the header. The order
 * of elements is that of CT_Worksheet in ECMA-376.
 */
function sheetFeatures(sheet: string, lastCell: string, lastPrinted: string) {
  const area = `A1:${lastCell}`;
  const ignored = `<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors>`;
  const inSheet = (xml: string) =>
    xml
      .replace('</sheetData>', `$&<autoFilter ref="${area}"/>`)
      .replace('<drawing ', `${ignored}$&`)
      .replace(/(<pageMargins) left="[^"]*" right="[^"]*"/, '$1 left="0.4" right="0.4"')
      .replace(/<pageSetup[^>]*>/, '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>')
      .replace(/(<worksheet[^>]*>)/, '$1<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>');

  const absolute = (range: string) => `'${sheet}'!${range.replace(/([A-Z]+)(\d+)/g, '$$$1$$$2')}`;
  const name = (suffix: string, range: string, attributes = '') =>
    `<definedName name="_xlnm.${suffix}" localSheetId="0"${attributes}>${range}</definedName>`;
  const names = [
    name('_FilterDatabase', absolute(area), ' hidden="1"'),
    name('Print_Area', absolute(`A1:${lastPrinted}`)),
    name('Print_Titles', `'${sheet}'!$1:$1`),
  ].join('');
  const inWorkbook = (xml: string) =>
    xml.replace('<definedNames/>', () => `<definedNames>${names}</definedNames>`);

  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': { transform: inSheet },
        'xl/workbook.xml': { transform: inWorkbook },
      },
    },
  };
}
