import writeExcelFile, { type CellObject } from 'write-excel-file/browser';
import { getCellAddress } from 'write-excel-file/utility';
import type { Language } from '../../errors/catalog.js';

/** A column of the sheet. */
export interface ExcelColumn<Row> {
  header: string;
  /** In characters. */
  width: number;
  /** A string becomes a text cell, whatever it looks like, and a number a number cell. */
  value: (row: Row) => string | number | null;
  /** Dates and local times (`2026-12-31`, `2026-12-31T10:26:05`) become dates; other strings stay text. */
  date?: boolean;
}

/** Excel calls a file with a longer text damaged. */
const MAX_TEXT_LENGTH = 32_767;

/** Before it, Excel counts a day that never was: 29 February 1900. */
const FIRST_DATE = Date.UTC(1900, 2, 1);

const DATE_FORMAT: Record<Language, string> = { en: 'yyyy-mm-dd', ru: 'dd.mm.yyyy' };

/**
 * Writes a table as an Excel workbook (.xlsx) of one sheet, with a frozen header row and filters. This module
 * brings the library with it, so the page imports it when someone asks for the workbook.
 * @param sheet - name of the sheet: 31 letters, digits and blanks at most
 */
export function exportExcel<Row>(
  rows: readonly Row[],
  columns: readonly ExcelColumn<Row>[],
  sheet: string,
  language: Language,
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
  const options = { sheet, stickyRowsCount: 1, columns: columns.map(({ width }) => ({ width })) };
  const features = [filters(sheet, getCellAddress(rows.length, columns.length - 1))];
  return writeExcelFile([header, ...body], options, { features }).toBlob();
}

/** The format `@` keeps Excel from making a number of it when someone edits the cell. */
function textCell(text: string): CellObject {
  // The library keeps texts as keys of an object, where it finds `constructor` before anyone put it there.
  const value = text in {} ? `${text} ` : text.slice(0, MAX_TEXT_LENGTH);
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
 * What the library cannot do: filters in the header, which LibreOffice shows only with their defined name, and no
 * green triangles at numbers that are meant as text. The order of elements is that of CT_Worksheet in ECMA-376.
 */
function filters(sheet: string, lastCell: string) {
  const area = `A1:${lastCell}`;
  const ignored = `<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors>`;
  const inSheet = (xml: string) =>
    xml.replace('</sheetData>', `$&<autoFilter ref="${area}"/>`).replace('<drawing ', `${ignored}$&`);

  const absolute = `'${sheet}'!${area.replace(/([A-Z]+)(\d+)/g, '$$$1$$$2')}`;
  const name = `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${absolute}</definedName>`;
  const inWorkbook = (xml: string) =>
    xml.replace('<definedNames/>', () => `<definedNames>${name}</definedNames>`);

  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': { transform: inSheet },
        'xl/workbook.xml': { transform: inWorkbook },
      },
    },
  };
}
