import { budget, openArchive, type Spend } from './archive.js';
import { attributeOf, tagsOf, unescape } from './xml.js';

/** Bytes, packed and unpacked. The parts of a workbook with two thousand licenses come to three million. */
const MAX_BYTES = 20 * 1024 ** 2;
/** Characters of shared texts, counted for each cell that has one: they take no more time than texts of their own. */
const MAX_CHARS = 20 * 1024 ** 2;
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
  /** Unpacks and reads the tab, row by row. */
  rows: () => Generator<Row>;
}

/**
 * Reads the cells of an Excel workbook (.xlsx), in bounded time and memory: no cell takes up space by its place. What the
 * rows of all tabs cost is counted together.
 * @throws Error when it is no workbook, TooLargeError when it is too large
 */
export function readWorkbook(archive: Uint8Array): Tab[] {
  const textOf = openArchive(archive, budget(MAX_BYTES));
  const spend = budget(MAX_CHARS);
  // 1C writes `SharedStrings.xml`.
  const texts = sharedTexts(textOf('xl/sharedStrings.xml'));
  const targets = targetsOf(textOf('xl/_rels/workbook.xml.rels'));

  const tabs: Tab[] = [];
  let firstDay = 0;
  for (const { name, tag } of tagsOf(textOf('xl/workbook.xml'))) {
    if (name === 'workbookPr' && /^(?:1|true)$/.test(attributeOf(tag, 'date1904'))) firstDay = DAYS_TO_1904;
    if (name !== 'sheet') continue;
    const path = tabPathOf(targets.get(attributeOf(tag, ':id')) ?? '');
    tabs.push({
      name: unescape(attributeOf(tag, 'name')),
      firstDay,
      rows: () => rowsOf(textOf(path), texts, spend),
    });
  }
  if (tabs.length === 0) throw new Error('no workbook');
  return tabs;
}

/** The paths of the tabs, by their ids. */
function targetsOf(xml: string): Map<string, string> {
  const targets = new Map<string, string>();
  for (const { name, tag } of tagsOf(xml)) {
    if (name === 'Relationship') targets.set(attributeOf(tag, 'Id'), attributeOf(tag, 'Target'));
  }
  return targets;
}

/** A target counts from `xl/` on, or from the root. */
const tabPathOf = (target: string) => new URL(target, 'file:///xl/').pathname.slice(1);

/** The texts that cells share. One may come in parts, each with letters of another kind. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = [];
  for (const { name, text } of tagsOf(xml)) {
    if (name === 'si') texts.push('');
    if (name === 't') texts.push((texts.pop() ?? '') + unescape(text));
  }
  return texts;
}

function* rowsOf(xml: string, texts: readonly string[], spend: Spend): Generator<Row> {
  let row = new Map<number, Cell>();
  let column = 0;
  let type = '';
  let value = '';
  for (const { name, tag, text } of tagsOf(xml)) {
    if (name === 'c') {
      // A program may leave out the place of a cell. Then it comes after the one before.
      column = columnOf(attributeOf(tag, 'r')) ?? column + 1;
      type = attributeOf(tag, 't') || 'n';
      value = '';
    } else if (name === 'v' || name === 't') {
      value += text;
    } else if (name === '/c' && value !== '') {
      const cell = cellOf(type, value, texts);
      if (type === 's') spend(String(cell).length);
      row.set(column, cell);
    } else if (name === '/row') {
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
  let number = 0;
  for (const letter of letters) number = LETTERS * number + letter.charCodeAt(0) - BEFORE_A;
  return number;
}

/** @param type ST_CellType of ECMA-376 */
function cellOf(type: string, value: string, texts: readonly string[]): Cell {
  switch (type) {
    case 's':
      return texts[Number(value)] ?? '';
    case 'n':
      return Number(value);
    case 'e':
      return NaN;
    default:
      return unescape(value);
  }
}
