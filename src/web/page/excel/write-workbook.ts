import writeExcelFile, { type CellObject, type Sheet } from 'write-excel-file/browser';
import { getCellAddress } from 'write-excel-file/utility';
import type { Language } from '../../../errors/catalog.js';
import { sheetFeatures } from './sheet-features.js';

/** A day (`2026-12-31`), and a local time on it (`10:26:05`) if there is one. */
interface Moment {
  date: string;
  time: string | null;
}

/**
 * What a cell holds. A string becomes a text cell, whatever it looks like, a number a number cell, and a moment a date. Null
 * and an empty string leave it empty.
 */
export type Value = string | number | Moment | null;

const isEmpty = (value: Value): value is null | '' => value === null || value === '';

/** A column of the table. */
export interface Column<Row> {
  header: string;
  value: (row: Row) => Value;
  /** How a cell stands out. */
  look?: (row: Row) => Look | undefined;
}

/** The sheet of the workbook. */
export interface Table<Row> {
  /** At most 31 characters: letters, digits, blanks, hyphens and round brackets. */
  name: string;
  title: string;
  /** What the rows come to, below the title. */
  summary: string;
  columns: readonly Column<Row>[];
  /** At least one. */
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
/** Of the headers. */
const HEADER: Look = { backgroundColor: '#1D5FB8', textColor: '#FFFFFF' };

/** That of Excel. Without it LibreOffice takes another one for cells with a style of their own. */
const FONT = { fontFamily: 'Calibri', fontSize: 11 };
/** Points. */
const LINE_HEIGHT = 15;
const TITLE = { fontSize: 14, height: 20 };
/** Keeps words away from a number before them. */
const APART = { align: 'left', indent: 1 } as const;

/** Characters of a cell. Excel calls a file with a longer text damaged. */
const MAX_TEXT_LENGTH = 32_767;

/** Characters that a header needs besides its text, for the button of the filter and for bold letters. */
const HEADER_MARGIN = 5;
/** Characters that a cell needs besides its text, for the indent and for letters that are wider than a digit. */
const CELL_MARGIN = 3;
/** Characters. A longer text takes several lines, so that the letters of a printed page stay large enough. */
const MAX_WIDTH = 32;
/** Excel allows rows of 409 points. */
const MAX_LINES = 27;

/** As the page writes dates. `$-409` keeps the names of the months English. */
const DATE_FORMAT: Record<Language, string> = { en: '[$-409]mmm d, yyyy', ru: 'dd.mm.yyyy' };

/** The row of the headers, below the title and the summary. Excel counts rows from 1. */
const HEADER_ROW = 3;

/**
 * Writes an Excel workbook (.xlsx): a title, a summary, and below them a table with frozen headers, filters, and pages in
 * A4 that repeat the headers.
 */
export async function writeWorkbook<Row>(table: Table<Row>, language: Language): Promise<Blob> {
  const { name, columns, rows } = table;
  // The library counts rows and columns from 0.
  const lastCell = getCellAddress(HEADER_ROW - 1 + rows.length, columns.length - 1);
  const sheet = sheetOf(table, DATE_FORMAT[language]);
  return writeExcelFile([sheet], {
    ...FONT,
    features: [sheetFeatures({ name, headerRow: HEADER_ROW, lastCell })],
  }).toBlob();
}

function sheetOf<Row>(table: Table<Row>, dateFormat: string): Sheet<Blob> {
  const { name, title, summary, rows } = table;
  const columns = table.columns.map((column) => ({ ...column, width: widthOf(column, rows) }));
  const data = rows.map((row) => {
    const height = heightOf(row, columns);
    return columns.map((column) => cellOf(column, row, { dateFormat, height }));
  });

  return {
    sheet: name,
    data: [
      [{ ...boldCell(title), ...TITLE }],
      [plainCell(summary)],
      columns.map(({ header }) => headerCell(header)),
      ...data,
    ],
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: HEADER_ROW,
    orientation: 'landscape',
  };
}

function linesIn(value: Value): string[] {
  const isMoment = typeof value === 'object' && value !== null;
  return isMoment ? [`${value.date} ${value.time ?? ''}`] : String(value ?? '').split('\n');
}

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

/** How many lines a value takes in a column of some width: a line breaks between words, and within one that is longer. */
function lineCountOf(value: Value, width: number): number {
  const room = width - CELL_MARGIN;
  const lines = linesIn(value);
  let count = lines.length;
  for (const line of lines) {
    let used = 0;
    for (const word of line.split(' ')) {
      if (used > 0 && used + word.length > room) {
        count += 1;
        used = 0;
      }
      count += Math.floor(word.length / (room + 1));
      used += word.length + 1;
    }
  }
  return count;
}

function boldCell(content: string): CellObject {
  return { ...plainCell(content), fontWeight: 'bold', height: LINE_HEIGHT };
}

const headerCell = (header: string): CellObject => ({ ...boldCell(header), ...HEADER, ...APART });

/** How the cells of a row are written. */
interface CellOptions {
  dateFormat: string;
  height: number;
}

function cellOf<Row>(column: Column<Row>, row: Row, { dateFormat, height }: CellOptions): CellObject | null {
  const value = column.value(row);
  if (isEmpty(value)) return null;

  const content = typeof value === 'object' ? dateCell(value, dateFormat) : plainCell(value);
  const place = typeof value === 'number' ? undefined : APART;
  const look = column.look?.(row);
  return { ...content, ...place, ...look, height, wrap: true, alignVertical: 'top' };
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

function dateCell({ date, time }: Moment, dateFormat: string): CellObject {
  // Excel knows no time zones, so a local time is written as if it were one in UTC.
  const value = new Date(`${date}T${time ?? '00:00'}Z`);
  const format = time === null ? dateFormat : `${dateFormat} hh:mm`;
  return { value, type: Date, format };
}
