import { budget, openArchive, type Spend } from './archive.js';
import { attributeOf, tagsOf, unescape } from './xml.js';

/**
 * Bytes that are unpacked, and characters of shared texts, which are counted for each cell that has one. A workbook with
 * two thousand licenses costs some four million.
 */
const MAX_COST = 20 * 1024 ** 2;
/** Days from 30 December 1899 to the first day in a workbook that counts from 1904 on. */
const DAYS_TO_1904 = 1462;

/** A text, or a number. NaN stands for an error of Excel. */
export type Cell = string | number;
/** The cells of a row that are not empty, by the numbers of their columns. */
export type Row = ReadonlyMap<number, Cell>;

export interface Tab {
  name: string;
  /** Days from 30 December 1899 to that from which its dates count. */
  firstDay: number;
  /** Unpacks and reads the tab, row by row. It can be read once. */
  rows: () => Generator<Row>;
}

/**
 * Reads the cells of an Excel workbook (.xlsx), in bounded time and memory: no cell takes up space by its place.
 * @throws Error when it is no workbook, TooLargeError when it is too large
 */
export function readWorkbook(archive: Uint8Array): Tab[] {
  const spend = budget(MAX_COST);
  const textOf = openArchive(archive, spend);
  const workbook = textOf('xl/workbook.xml');
  const targets = targetsIn(textOf('xl/_rels/workbook.xml.rels'));
  // 1C writes `SharedStrings.xml`.
  const sharedTexts = sharedTextsIn(textOf('xl/sharedStrings.xml'));
  const firstDay = firstDayOf(workbook);

  const tabs: Tab[] = [];
  for (const { name, tag } of tagsOf(workbook)) {
    if (name !== 'sheet') continue;

    const target = targets.get(attributeOf(tag, ':id')) ?? '';
    tabs.push({
      name: unescape(attributeOf(tag, 'name')),
      firstDay,
      rows: () => rowsIn(textOf(tabPathOf(target)), sharedTexts, spend),
    });
  }
  if (tabs.length === 0) throw new Error('no workbook');
  return tabs;
}

function firstDayOf(workbook: string): number {
  for (const { name, tag } of tagsOf(workbook)) {
    if (name !== 'workbookPr') continue;
    const date1904 = attributeOf(tag, 'date1904');
    return date1904 === '1' || date1904 === 'true' ? DAYS_TO_1904 : 0;
  }
  return 0;
}

/** The paths of the tabs, by their ids. */
function targetsIn(relationships: string): Map<string, string> {
  const targets = new Map<string, string>();
  for (const { name, tag } of tagsOf(relationships)) {
    if (name === 'Relationship') targets.set(attributeOf(tag, 'Id'), attributeOf(tag, 'Target'));
  }
  return targets;
}

/** A target counts from `xl/` on, or from the root. */
const tabPathOf = (target: string) => new URL(target, 'file:///xl/').pathname.slice(1);

/** The texts that cells share. One may come in parts, each with letters of another kind. */
function sharedTextsIn(xml: string): string[] {
  const texts: string[] = [];
  for (const { name, text } of tagsOf(xml)) {
    if (name === 'si') texts.push('');
    if (name === 't') {
      const before = texts.pop() ?? '';
      texts.push(before + unescape(text));
    }
  }
  return texts;
}

function* rowsIn(xml: string, sharedTexts: readonly string[], spend: Spend): Generator<Row> {
  let row = new Map<number, Cell>();
  let column = 0;
  let type = '';
  let value = '';
  for (const { name, tag, text } of tagsOf(xml)) {
    switch (name) {
      case 'c':
        // A program may leave out the place of a cell. Then it comes after the one before.
        column = columnOf(attributeOf(tag, 'r')) ?? column + 1;
        type = attributeOf(tag, 't') || 'n';
        value = '';
        break;

      case 'v':
      case 't':
        value += text;
        break;

      case '/c': {
        if (value === '') break;
        const cell = cellOf(type, value, sharedTexts);
        if (type === 's') spend(String(cell).length);
        row.set(column, cell);
        break;
      }

      case '/row':
        yield row;
        row = new Map();
        column = 0;
    }
  }
}

const LETTERS = 26;
const BEFORE_A = 64;

/** The number of a column by the place of a cell: 1 for `A7`, 27 for `AA7`; undefined when that is no place. */
function columnOf(place: string): number | undefined {
  const letters = /^([A-Z]{1,3})\d/.exec(place)?.[1];
  if (letters === undefined) return undefined;

  let column = 0;
  for (const letter of letters) {
    const digit = letter.charCodeAt(0) - BEFORE_A;
    column = LETTERS * column + digit;
  }
  return column;
}

/** @param type ST_CellType of ECMA-376 */
function cellOf(type: string, value: string, sharedTexts: readonly string[]): Cell {
  switch (type) {
    case 's':
      return sharedTexts[Number(value)] ?? '';
    case 'n':
      return Number(value);
    case 'e':
      return NaN;
    default:
      return unescape(value);
  }
}
