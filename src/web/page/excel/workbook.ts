import { strFromU8, unzipSync } from 'fflate';

/** Bytes that the parts of a workbook may declare to unpack to. Two thousand licenses come to three million. */
const MAX_UNPACKED = 15 * 1024 ** 2;
/** 1C writes `SharedStrings.xml`. */
const PARTS = /^xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels|sharedstrings\.xml|worksheets\/[^/]+\.xml)$/i;

/** A text, or a number; a day is the number of days since 30 December 1899. NaN stands for an error of Excel. */
export type Cell = string | number;
/** The cells of a row that are not empty, by the letters of their columns. */
export type Row = ReadonlyMap<string, Cell>;

export interface Tab {
  name: string;
  /** Read one by one when they are asked for. */
  rows: Iterable<Row>;
}

export class TooLargeError extends Error {}

/**
 * Reads the cells of an Excel workbook (.xlsx), in time and memory that grow with its bytes alone: no cell takes up
 * space by its place.
 * @throws Error when it is no workbook; nothing of a workbook that is too large is unpacked
 */
export function readWorkbook(archive: Uint8Array): Tab[] {
  let unpacked = 0;
  const files = unzipSync(archive, {
    filter: ({ name, originalSize }) => {
      if (!PARTS.test(name)) return false;
      unpacked += originalSize;
      // No part becomes larger than it declares.
      if (unpacked > MAX_UNPACKED) throw new TooLargeError();
      return true;
    },
  });
  const parts = new Map(Object.entries(files).map(([name, bytes]) => [name.toLowerCase(), bytes]));
  const part = (path: string) => strFromU8(parts.get(path.toLowerCase()) ?? new Uint8Array());
  const paths = new Map<string, string>();
  for (const { name, tag } of tagsOf(part('xl/_rels/workbook.xml.rels')))
    if (name === 'Relationship') paths.set(attribute(tag, 'Id'), attribute(tag, 'Target'));
  const tabs: Tab[] = [];
  let texts: string[] | undefined;
  for (const { name, tag } of tagsOf(part('xl/workbook.xml'))) {
    if (name !== 'sheet') continue;
    // From `xl/` on, or from the root.
    const path = new URL(paths.get(attribute(tag, ':id')) ?? '', 'file:///xl/').pathname.slice(1);
    texts ??= textsOf(part('xl/sharedStrings.xml'));
    tabs.push({ name: unescape(attribute(tag, 'name')), rows: rowsOf(part(path), texts) });
  }
  if (tabs.length === 0) throw new Error('no workbook');
  return tabs;
}

function textsOf(xml: string): string[] {
  const texts: string[] = [];
  for (const { name, text } of tagsOf(xml)) {
    if (name === 'si') texts.push('');
    else if (name === 't') texts.push((texts.pop() ?? '') + text);
  }
  return texts;
}

function* rowsOf(xml: string, texts: readonly string[]): Generator<Row> {
  let row = new Map<string, Cell>();
  let [column, type, value] = ['', '', ''];
  for (const { name, tag, text } of tagsOf(xml)) {
    if (name === 'c')
      [column, type, value] = [/\br="([A-Z]+)/.exec(tag)?.[1] ?? '', /\bt="(\w+)"/.exec(tag)?.[1] ?? 'n', ''];
    else if (name === 'v' || name === 't') value += text;
    else if (name === '/c' && value !== '') row.set(column, cellOf(type, value, texts));
    else if (name === '/row') {
      yield row;
      row = new Map();
    }
  }
}

/** @param type ST_CellType of ECMA-376 */
function cellOf(type: string, value: string, texts: readonly string[]): Cell {
  if (type === 'n') return Number(value);
  if (type === 'e') return NaN;
  return unescape(type === 's' ? (texts[Number(value)] ?? '') : value);
}

/** The tags of an XML text, each with the text up to the next one; names without their prefix. */
function* tagsOf(xml: string): Generator<{ name: string; tag: string; text: string }> {
  for (let start = xml.indexOf('<'); start >= 0;) {
    const end = xml.indexOf('>', start);
    if (end < 0) return;
    const next = xml.indexOf('<', end);
    const tag = xml.slice(start + 1, end);
    const [, slash = '', name = ''] = /^(\/?)(?:\w+:)?(\w+)/.exec(tag) ?? [];
    const text = next < 0 || tag.endsWith('/') ? '' : xml.slice(end + 1, next);
    yield { name: slash + name, tag, text };
    start = next;
  }
}

const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What XML and Excel (`_x000D_`) write in place of characters. */
const unescape = (text: string) =>
  text
    .replace(
      /&(?:(\w+)|#(\d{1,6})|#x([\da-f]{1,5}));/gi,
      (all, name?: string, number?: string, hex?: string) =>
        name
          ? (ENTITIES[name] ?? all)
          : String.fromCodePoint(number ? Number(number) : parseInt(hex ?? '', 16)),
    )
    .replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
