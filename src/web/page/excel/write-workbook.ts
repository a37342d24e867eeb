import writeExcelFile, { type CellObject, type Feature, type Sheet } from 'write-excel-file/browser';
import {
  getCellAddress,
  getOrderOfSiblings,
  insertElementMarkupAccordingToOrderOfSiblings as insertInOrder,
} from 'write-excel-file/utility';
import type { Language } from '../../../errors/catalog.js';

/**
 * What a cell holds. A string becomes a text cell, whatever it looks like, and a number a number cell. Null and an empty
 * string leave it empty.
 */
export type Value = string | number | null;

export const isEmpty = (value: Value): value is null | '' => value === null || value === '';

/** A column of a tab. */
export interface Column<Row> {
  header: string;
  value: (row: Row) => Value;
  /** Dates and local times (`2026-12-31`, `2026-12-31T10:26:05`) become dates; other strings stay text. */
  isDate?: boolean;
  /** How a cell stands out. */
  look?: (row: Row) => Look | undefined;
  /** What stands below the last row, where no filter hides it. */
  total?: Value;
}

/** A tab of the workbook. */
export interface Table<Row> {
  /** At most 31 characters: letters, digits, blanks, hyphens and round brackets. */
  name: string;
  /** A line above the headers. */
  title?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** Fill and letters of a cell. */
interface Look {
  backgroundColor: string;
  textColor: string;
}

/** As in the styles that Excel calls "Bad" and "Neutral". */
export const BAD: Look = { backgroundColor: '#FFC7CE', textColor: '#9C0006' };
export const NEUTRAL: Look = { backgroundColor: '#FFEB9C', textColor: '#7F5200' };

/** That of Excel. Without it LibreOffice takes another one for cells with a style of their own. */
const FONT = { fontFamily: 'Calibri', fontSize: 11 };
const TITLE = { fontSize: 14, height: 20 };

/** Excel calls a file with a longer text damaged. */
export const MAX_TEXT_LENGTH = 32_767;

/** Before it, Excel counts a day that never was: 29 February 1900. */
const FIRST_DATE = Date.UTC(1900, 2, 1);

/** Characters that a header needs besides its text, for the button of the filter and for bold letters. */
const HEADER_MARGIN = 5;
/** Characters that a cell needs besides its text, for letters that are wider than a digit. */
const CELL_MARGIN = 2;
/** Characters. A longer text takes several lines. */
const MAX_WIDTH = 50;
/** Points. */
const LINE_HEIGHT = 15;
/** Excel allows rows of 409 points. */
const MAX_LINES = 27;

const DATE_FORMAT: Record<Language, string> = { en: 'yyyy-mm-dd', ru: 'dd.mm.yyyy' };

/** Writes tables as the tabs of an Excel workbook (.xlsx), with frozen headers, filters, and pages in A4. */
export async function writeWorkbook<Row>(tables: readonly Table<Row>[], language: Language): Promise<Blob> {
  const sheets = tables.map((table) => sheetOf(table, DATE_FORMAT[language]));
  return writeExcelFile(sheets, { ...FONT, features: [filtersAndPages(tables)] }).toBlob();
}

function sheetOf<Row>(table: Table<Row>, dateFormat: string): Sheet<Blob> {
  const { name, title, rows } = table;
  const columns = table.columns.map((column) => ({ ...column, width: widthOf(column, rows) }));

  const data = rows.map((row) => {
    const height = heightOf(row, columns);
    return columns.map((column) => cellOf(column, row, { dateFormat, height }));
  });
  data.unshift(columns.map(({ header }) => boldCell(header)));
  if (title !== undefined) data.unshift([{ ...boldCell(title), ...TITLE }]);
  const totals = columns.map(({ total = null }) => (isEmpty(total) ? null : boldCell(total)));
  if (totals.some(Boolean)) data.push(totals);

  return {
    sheet: name,
    data,
    columns,
    stickyRowsCount: headerRowOf(table),
    orientation: 'landscape',
  };
}

/** The number of the row with the headers, as Excel counts. */
const headerRowOf = <Row>({ title }: Table<Row>) => (title === undefined ? 1 : 2);

const linesIn = (value: Value) => String(value ?? '').split('\n');

/** In characters. */
function widthOf<Row>({ header, value }: Column<Row>, rows: readonly Row[]): number {
  let width = header.length + HEADER_MARGIN;
  for (const row of rows) {
    for (const line of linesIn(value(row))) {
      width = Math.max(width, line.length + CELL_MARGIN);
    }
  }
  return Math.min(width, MAX_WIDTH);
}

/** In points. Excel would find it out by itself, but LibreOffice shows one line of a row without a height. */
function heightOf<Row>(row: Row, columns: readonly (Column<Row> & { width: number })[]): number {
  let most = 1;
  for (const { value, width } of columns) {
    let lineCount = 0;
    for (const line of linesIn(value(row))) {
      lineCount += Math.ceil((line.length + CELL_MARGIN) / width);
    }
    most = Math.max(most, lineCount);
  }
  return LINE_HEIGHT * Math.min(most, MAX_LINES);
}

function boldCell(content: string | number): CellObject {
  return { ...plainCell(content), fontWeight: 'bold', height: LINE_HEIGHT };
}

/** How the cells of a row are written. */
interface CellOptions {
  dateFormat: string;
  height: number;
}

function cellOf<Row>(column: Column<Row>, row: Row, { dateFormat, height }: CellOptions): CellObject | null {
  const value = column.value(row);
  if (isEmpty(value)) return null;

  const content = column.isDate ? dateCell(String(value), dateFormat) : plainCell(value);
  const look = column.look?.(row);
  return { ...content, ...look, height, wrap: true, alignVertical: 'top' };
}

/** A text or a number. The format `@` keeps Excel from making a number of a text when someone edits the cell. */
function plainCell(content: string | number): CellObject {
  if (typeof content === 'number') return { value: content };
  return { value: writable(content), type: String, format: '@' };
}

function writable(text: string): string {
  // The library keeps texts as keys of an object, where it finds `constructor` before anyone put it there.
  if (text in {}) return `${text} `;
  // Excel takes `_x0041_` for the letter A.
  return text.slice(0, MAX_TEXT_LENGTH).replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** The text itself when it is no date, or one that Excel cannot count. */
function dateCell(text: string, dateFormat: string): CellObject {
  const hasTime = LOCAL_TIME.test(text);
  if (!hasTime && !DATE.test(text)) return plainCell(text);

  // Excel knows no time zones, so a local time is written as if it were one in UTC.
  const value = new Date(hasTime ? `${text}Z` : text);
  const canBeWritten = value.getTime() >= FIRST_DATE;
  if (!canBeWritten) return plainCell(text);

  const format = hasTime ? `${dateFormat} hh:mm:ss` : dateFormat;
  return { value, type: Date, align: 'left', format };
}

type FileContent = Blob | ArrayBuffer;

const SHEET = 'xl/worksheets/sheet{id}.xml';

/**
 * What the library cannot do: filters in the headers, which LibreOffice shows only with their defined name, no green
 * triangles at numbers that are meant as text, and pages of A4 that are one sheet wide, have lines and repeat the headers.
 */
function filtersAndPages<Row>(tables: readonly Table<Row>[]): Feature<FileContent> {
  const names = tables.flatMap(definedNames).join('');
  return {
    files: {
      transform: {
        [SHEET]: {
          transform: (xml, _options, { sheetIndex }) => {
            const table = tables[sheetIndex];
            return table ? withFilter(xml, areaOf(table)) : xml;
          },
          transformElementAttributes: pageAttributes,
        },
        'xl/workbook.xml': {
          transform: (xml) => xml.replace('<definedNames/>', `<definedNames>${names}</definedNames>`),
        },
      },
    },
  };
}

/** From the headers to the last row that a filter may hide, such as `A1:H13`. */
function areaOf<Row>(table: Table<Row>): string {
  const { rows, columns } = table;
  const headerRow = headerRowOf(table);
  const lastRow = headerRow + rows.length;
  // The library counts from 0.
  const lastCell = getCellAddress(lastRow - 1, columns.length - 1);
  return `A${headerRow}:${lastCell}`;
}

function withFilter(xml: string, area: string): string {
  const elements = [
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
    `<autoFilter ref="${area}"/>`,
    '<printOptions gridLines="1"/>',
    `<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors>`,
  ];
  const order = getOrderOfSiblings(SHEET, 'worksheet') ?? [];
  return elements.reduce((whole, element) => insertInOrder(whole, element, order, 'worksheet'), xml);
}

function pageAttributes(element: string, attributes: Record<string, string | number>) {
  if (element === 'pageMargins') return { ...attributes, left: 0.4, right: 0.4 };
  // The paper size 9 is A4. A height of 0 means as many pages as it takes.
  if (element === 'pageSetup') return { ...attributes, paperSize: 9, fitToHeight: 0 };
  return attributes;
}

function definedNames<Row>(table: Table<Row>, index: number): string[] {
  // A name needs absolute places: `A1:B9` becomes `$A$1:$B$9`.
  const area = areaOf(table).replace(/[A-Z]+|\d+/g, (part) => `$${part}`);
  const headerRow = `$${headerRowOf(table)}`;
  const define = (name: string, range: string, attributes = '') =>
    `<definedName name="_xlnm.${name}" localSheetId="${index}"${attributes}>'${table.name}'!${range}</definedName>`;
  return [
    define('_FilterDatabase', area, ' hidden="1"'),
    define('Print_Titles', `${headerRow}:${headerRow}`),
  ];
}
