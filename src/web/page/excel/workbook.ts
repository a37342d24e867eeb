import { budget, openArchive, type Spend } from './archive.js';

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
  /** Read one by one when they are asked for. */
  rows: Iterable<Row>;
}

/**
 * Reads the cells of an Excel workbook (.xlsx), tab by tab, in bounded time and memory: no cell takes up space by its
 * place.
 * @throws Error when it is no workbook, TooLargeError when it is too large
 */
export function* readWorkbook(archive: Uint8Array): Generator<Tab> {
  const part = openArchive(archive, budget(MAX_BYTES));
  const spend = budget(MAX_CHARS);
  const paths = new Map<string, string>();
  for (const { name, tag } of tagsOf(part('xl/_rels/workbook.xml.rels')))
    if (name === 'Relationship') paths.set(attribute(tag, 'Id'), attribute(tag, 'Target'));
  let texts: string[] | undefined;
  let firstDay = 0;
  for (const { name, tag } of tagsOf(part('xl/workbook.xml'))) {
    if (name === 'workbookPr' && /^(?:1|true)$/.test(attribute(tag, 'date1904'))) firstDay = DAYS_TO_1904;
    if (name !== 'sheet') continue;
    // 1C writes `SharedStrings.xml`.
    texts ??= textsOf(part('xl/sharedStrings.xml'));
    // From `xl/` on, or from the root.
    const path = new URL(paths.get(attribute(tag, ':id')) ?? '', 'file:///xl/').pathname.slice(1);
    yield { name: unescape(attribute(tag, 'name')), firstDay, rows: rowsOf(part(path), texts, spend) };
  }
  if (!texts) throw new Error('no workbook');
}

function textsOf(xml: string): string[] {
  const texts: string[] = [];
  for (const { name, text } of tagsOf(xml)) {
    if (name === 'si') texts.push('');
    else if (name === 't') texts.push((texts.pop() ?? '') + unescape(text));
  }
  return texts;
}

function* rowsOf(xml: string, texts: readonly string[], spend: Spend): Generator<Row> {
  let row = new Map<number, Cell>();
  let [column, type, value] = [0, '', ''];
  for (const { name, tag, text } of tagsOf(xml)) {
    if (name === 'c') {
      // Where a program leaves out its place, a cell comes after the one before.
      column = columnOf(/\br="([A-Z]{1,3})\d/.exec(tag)?.[1]) ?? column + 1;
      [type, value] = [/\bt="(\w+)"/.exec(tag)?.[1] ?? 'n', ''];
    } else if (name === 'v' || name === 't') value += text;
    else if (name === '/c' && value !== '') {
      const cell = type === 's' ? (texts[Number(value)] ?? '') : cellOf(type, value);
      if (type === 's') spend(String(cell).length);
      row.set(column, cell);
    } else if (name === '/row') {
      yield row;
      row = new Map();
      column = 0;
    }
  }
}

/** The number of a column: 1 for `A`, 27 for `AA`. */
const columnOf = (letters?: string) =>
  letters?.split('').reduce((number, letter) => 26 * number + letter.charCodeAt(0) - 64, 0);

/** @param type ST_CellType of ECMA-376, but for shared texts */
function cellOf(type: string, value: string): Cell {
  if (type === 'n') return Number(value);
  return type === 'e' ? NaN : unescape(value);
}

/** The tags of an XML text, each with the text up to the next one; names without their prefix. */
function* tagsOf(xml: string): Generator<{ name: string; tag: string; text: string }> {
  let isHint = false;
  for (let start = xml.indexOf('<'); start >= 0;) {
    const end = xml.indexOf('>', start);
    if (end < 0) return;
    const next = xml.indexOf('<', end);
    const tag = xml.slice(start + 1, end);
    const [, slash = '', name = ''] = /^(\/?)(?:\w+:)?(\w+)/.exec(tag) ?? [];
    // How Japanese is pronounced is no part of its text.
    if (name === 'rPh') isHint = slash === '';
    const text = next < 0 || isHint || tag.endsWith('/') ? '' : xml.slice(end + 1, next);
    yield { name: slash + name, tag, text };
    start = next;
  }
}

const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** What XML and Excel (`_x000D_`) write in place of characters. */
const unescape = (text: string) =>
  text
    .replace(
      /&(?:(\w+)|#(\d{1,6})|#x([\da-f]{1,5}));/gi,
      (all, name?: string, number?: string, hex?: string) =>
        name
          ? (ENTITIES.get(name) ?? all)
          : String.fromCodePoint(number ? Number(number) : parseInt(hex ?? '', 16)),
    )
    .replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
