import writeExcelFile, { type CellObject, type Sheet } from 'write-excel-file/browser';
import { getCellAddress } from 'write-excel-file/utility';
import type { Language } from '../../../errors/catalog.js';
import { filtersAndPages, type FilteredTab } from './filters-and-pages.js';

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

/** Characters of a cell. Excel calls a file with a longer text damaged. */
const MAX_TEXT_LENGTH = 32_767;

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
  const dateFormat = DATE_FORMAT[language];
  const sheets = tables.map((table) => sheetOf(table, dateFormat));
  const features = [filtersAndPages(tables.map(filteredTab))];
  return writeExcelFile(sheets, { ...FONT, features }).toBlob();
}

function sheetOf<Row>(table: Table<Row>, dateFormat: string): Sheet<Blob> {
  const { name, title, rows } = table;
  const columns = table.columns.map((column) => ({ ...column, width: widthOf(column, rows) }));

  const data = rows.map((row) => {
    const height = heightOf(row, columns);
    return columns.map((column) => cellOf(column, row, { dateFormat, height }));
  });

  const headers = columns.map(({ header }) => boldCell(header));
  data.unshift(headers);
  if (title !== undefined) data.unshift([{ ...boldCell(title), ...TITLE }]);

  const totals = columns.map(({ total = null }) => (isEmpty(total) ? null : boldCell(total)));
  if (totals.some(Boolean)) data.push(totals);

  return {
    sheet: name,
    data,
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: headerRowOf(table),
    orientation: 'landscape',
  };
}

/** The number of the row with the headers, as Excel counts. */
const headerRowOf = <Row>({ title }: Table<Row>) => (title === undefined ? 1 : 2);

function filteredTab<Row>(table: Table<Row>): FilteredTab {
  const { name, rows, columns } = table;
  const headerRow = headerRowOf(table);
  const lastRow = headerRow + rows.length;
  // The library counts from 0.
  const lastCell = getCellAddress(lastRow - 1, columns.length - 1);
  return { name, headerRow, area: `A${headerRow}:${lastCell}` };
}

const linesIn = (value: Value) => String(value ?? '').split('\n');

/** Characters that a line takes. */
const spaceFor = (line: string) => line.length + CELL_MARGIN;

/** In characters. */
function widthOf<Row>({ header, value }: Column<Row>, rows: readonly Row[]): number {
  let width = header.length + HEADER_MARGIN;
  for (const row of rows) {
    for (const line of linesIn(value(row))) width = Math.max(width, spaceFor(line));
  }
  return Math.min(width, MAX_WIDTH);
}

type SizedColumn<Row> = Column<Row> & { width: number };

/** In points. Excel would find it out by itself, but LibreOffice shows one line of a row without a height. */
function heightOf<Row>(row: Row, columns: readonly SizedColumn<Row>[]): number {
  const lineCounts = columns.map(({ value, width }) => lineCountOf(value(row), width));
  const highest = Math.max(...lineCounts);
  return LINE_HEIGHT * Math.min(highest, MAX_LINES);
}

/** How many lines a value takes in a column of some width. */
function lineCountOf(value: Value, width: number): number {
  let count = 0;
  for (const line of linesIn(value)) count += Math.ceil(spaceFor(line) / width);
  return count;
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
  const shortened = text.slice(0, MAX_TEXT_LENGTH);
  return shortened.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
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
