import writeExcelFile, { type CellObject, type Sheet } from 'write-excel-file/browser';
import { getCellAddress } from 'write-excel-file/utility';
import type { Language } from '../../../errors/catalog.js';

/** What a cell holds. A string becomes a text cell, whatever it looks like, and a number a number cell. */
export type Value = string | number | null;

/** A column of a tab. */
export interface Column<Row> {
  header: string;
  /** In characters; at least that of the header. */
  width: number;
  value: (row: Row) => Value;
  /** Dates and local times (`2026-12-31`, `2026-12-31T10:26:05`) become dates; other strings stay text. */
  isDate?: boolean;
  /** How a cell stands out. */
  color?: (row: Row) => Color | undefined;
}

/** A tab of the workbook. */
export interface Table<Row> {
  /** At most 31 characters: letters, digits, blanks, hyphens and round brackets. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** A last row, which no filter hides; a value for each column. */
  total?: readonly Value[] | undefined;
}

/** Fill and letters of the styles that Excel calls "Bad" and "Neutral". */
const COLORS = {
  red: { backgroundColor: '#FFC7CE', textColor: '#9C0006' },
  yellow: { backgroundColor: '#FFEB9C', textColor: '#7F5200' },
};
export type Color = keyof typeof COLORS;

/** That of Excel. Without it LibreOffice takes another one for cells with a style of their own. */
const FONT = { fontFamily: 'Calibri', fontSize: 11 };

/** Excel calls a file with a longer text damaged. */
export const MAX_TEXT_LENGTH = 32_767;

/** Before it, Excel counts a day that never was: 29 February 1900. */
const FIRST_DATE = Date.UTC(1900, 2, 1);

/** Characters that a header needs besides its text, for the button of the filter and for bold letters. */
const HEADER_MARGIN = 5;

const DATE_FORMAT: Record<Language, string> = { en: 'yyyy-mm-dd', ru: 'dd.mm.yyyy' };

/** Writes tables as the tabs of an Excel workbook (.xlsx), with a frozen header row, filters, and pages in A4. */
export async function writeWorkbook<Row>(tables: readonly Table<Row>[], language: Language): Promise<Blob> {
  const sheets = tables.map((table) => sheetOf(table, language));
  return writeExcelFile(sheets, { ...FONT, features: [inWorkbook(tables)] }).toBlob();
}

function sheetOf<Row>({ name, columns, rows, total }: Table<Row>, language: Language): Sheet<Blob> {
  const header = columns.map(({ header }): CellObject => ({ value: header, fontWeight: 'bold' }));
  const body = rows.map((row) => columns.map((column) => cellOf(column, row, language)));
  const data = [header, ...body];
  if (total) data.push(total.map((value) => totalCell(value)));
  return {
    sheet: name,
    data,
    stickyRowsCount: 1,
    orientation: 'landscape',
    columns: columns.map(({ header, width }) => ({ width: Math.max(width, header.length + HEADER_MARGIN) })),
  };
}

function cellOf<Row>(column: Column<Row>, row: Row, language: Language): CellObject | null {
  const dateFormat = column.isDate ? DATE_FORMAT[language] : undefined;
  const cell = valueCell(column.value(row), dateFormat);
  const color = column.color?.(row);
  return cell && color ? { ...cell, ...COLORS[color] } : cell;
}

function totalCell(value: Value): CellObject | null {
  const cell = valueCell(value);
  return cell && { ...cell, fontWeight: 'bold' };
}

function valueCell(value: Value, dateFormat?: string): CellObject | null {
  if (value === null) return null;
  if (typeof value === 'number') return { value, align: 'left' };
  const date = dateFormat === undefined ? undefined : dateCell(value, dateFormat);
  return date ?? textCell(value);
}

/** The format `@` keeps Excel from making a number of it when someone edits the cell. */
function textCell(text: string): CellObject {
  return { value: writable(text), type: String, format: '@' };
}

function writable(text: string): string {
  // The library keeps texts as keys of an object, where it finds `constructor` before anyone put it there.
  if (text in {}) return `${text} `;
  // Excel takes `_x0041_` for the letter A.
  return text.slice(0, MAX_TEXT_LENGTH).replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
}

/** Excel knows no time zones, so a local time is written as if it were one in UTC. */
function dateCell(text: string, format: string): CellObject | undefined {
  const match = /^\d{4}-\d\d-\d\d(?<time>T\d\d:\d\d:\d\d)?$/.exec(text);
  if (!match) return undefined;
  const hasTime = match.groups?.['time'] !== undefined;
  const value = new Date(hasTime ? `${text}Z` : text);
  const canBeWritten = value.getTime() >= FIRST_DATE;
  if (!canBeWritten) return undefined;
  return { value, type: Date, align: 'left', format: hasTime ? `${format} hh:mm:ss` : format };
}

/**
 * What the library cannot do: filters in the header, which LibreOffice shows only with their defined name, no green
 * triangles at numbers that are meant as text, and pages of A4 that are one sheet wide and repeat the header. The order
 * of elements is that of CT_Worksheet in ECMA-376.
 */
function inWorkbook<Row>(tables: readonly Table<Row>[]) {
  const inSheet = (xml: string, _options: unknown, { sheetIndex }: { sheetIndex: number }) => {
    const table = tables[sheetIndex];
    return table ? withFilter(xml, table) : xml;
  };
  const names = tables.flatMap(definedNames).join('');
  const inBook = (xml: string) =>
    xml.replace('<definedNames/>', () => `<definedNames>${names}</definedNames>`);
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': { transform: inSheet },
        'xl/workbook.xml': { transform: inBook },
      },
    },
  };
}

/** From the header to the last row that a filter may hide. */
const areaOf = <Row>({ rows, columns }: Table<Row>) =>
  `A1:${getCellAddress(rows.length, columns.length - 1)}`;

function withFilter<Row>(xml: string, table: Table<Row>): string {
  const area = areaOf(table);
  const filter = `<autoFilter ref="${area}"/>`;
  const ignored = `<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors>`;
  const fitToPage = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
  const margins = '<pageMargins left="0.4" right="0.4"';
  // The paper size 9 is A4. A height of 0 means as many pages as it takes.
  const pageSetup = '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>';
  return xml
    .replace(/<worksheet[^>]*>/, (tag) => tag + fitToPage)
    .replace('</sheetData>', (tag) => tag + filter)
    .replace(/<pageMargins left="[^"]*" right="[^"]*"/, margins)
    .replace(/<pageSetup[^>]*>/, pageSetup)
    .replace('<drawing ', (tag) => ignored + tag);
}

function definedNames<Row>(table: Table<Row>, index: number): string[] {
  // A name needs absolute places: `A1:B9` becomes `$A$1:$B$9`.
  const area = areaOf(table).replace(
    /([A-Z]+)(\d+)/g,
    (_, column: string, row: string) => `$${column}$${row}`,
  );
  const define = (name: string, range: string, attributes = '') =>
    `<definedName name="_xlnm.${name}" localSheetId="${index}"${attributes}>'${table.name}'!${range}</definedName>`;
  return [define('_FilterDatabase', area, ' hidden="1"'), define('Print_Titles', '$1:$1')];
}
