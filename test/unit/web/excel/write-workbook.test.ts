import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import {
  BAD,
  writeWorkbook,
  type Column,
  type Table,
  type Value,
} from '../../../../src/web/page/excel/write-workbook.js';
import { zip } from '../../../../src/web/page/excel/fflate-in-place.js';

type Row = Value[];

const columnsOf = (row: Row): Column<Row>[] =>
  row.map((_, i) => ({ header: `Column ${i + 1}`, value: (cells) => cells[i] ?? null }));

/** A table whose headers are in row 3. */
const tableOf = (rows: Row[]): Table<Row> => ({
  name: 'Licenses',
  title: 'Our licenses',
  summary: '2 licenses',
  columns: columnsOf(rows[0] ?? []),
  rows,
});

/** The parts of the workbook, as text. */
async function parts<Row>(table: Table<Row>, language: 'en' | 'ru' = 'en') {
  const blob = await writeWorkbook(table, language);
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  const part = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const texts = Array.from(
    part('xl/sharedStrings.xml').matchAll(/<t(?: [^>]*)?>([^<]*)<\/t>/g),
    ([, text]) => text,
  );
  const formats = Array.from(
    part('xl/styles.xml').matchAll(/numFmtId="(\d+)" formatCode="([^"]*)"/g),
    ([, id, code]) => [id, code] as const,
  );
  const formatOfStyle = Array.from(part('xl/styles.xml').matchAll(/<xf (?:numFmtId="(\d+)")?/g), ([, id]) =>
    new Map(formats).get(id),
  );
  const sheet = part('xl/worksheets/sheet1.xml');
  /** Cells as [kind, value, format]. */
  const cells = Object.fromEntries(
    Array.from(sheet.matchAll(/<c ([^>]*)><v>([^<]*)<\/v><\/c>/g), ([, attributes = '', value = '']) => {
      const name = /r="(\w+)"/.exec(attributes)?.[1] ?? '';
      const format = formatOfStyle[Number(/s="(\d+)"/.exec(attributes)?.[1] ?? 0)];
      return [
        name,
        attributes.includes('t="s"') ? ['text', texts[Number(value)], format] : ['number', value, format],
      ];
    }),
  );
  return { sheet, cells, blob, styles: part('xl/styles.xml'), workbook: part('xl/workbook.xml') };
}

it('has a title, a summary and headers that are filled and frozen, and filters all rows', async () => {
  const { sheet, cells, blob, styles, workbook } = await parts(
    tableOf([Array<string>(30).fill('a'), Array<string>(30).fill('b')]),
  );
  expect(styles).toContain('1D5FB8');
  expect(sheet).toContain('</sheetData><autoFilter ref="A3:AD5"/>');
  expect(sheet).toContain('<ignoredError sqref="A3:AD5" numberStoredAsText="1"/>');
  expect(workbook).toContain(`hidden="1">'Licenses'!$A$3:$AD$5</definedName>`);
  expect(sheet).toMatch(/<pane ySplit="3" xSplit="0" topLeftCell="A4" activePane="\w+" state="frozen"\/>/);
  expect(cells).toMatchObject({
    A1: ['text', 'Our licenses', '@'],
    A2: ['text', '2 licenses', '@'],
    AD3: ['text', 'Column 30', '@'],
  });
  expect(blob.type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
});

const TEXTS = [
  '0012345678',
  '800123456E0',
  '332588056123456',
  '=1+1',
  '+1+1',
  '-1+1',
  '@A1',
  '2026-12-31',
  ' a ',
  'TRUE',
];
it.each(TEXTS)('keeps %j a text', async (text) => {
  const { cells, sheet } = await parts(tableOf([[text]]));
  expect(cells['A4']).toEqual(['text', text, '@']);
  expect(sheet).not.toContain('<f>');
});

it.each([
  ['markup', '<a href="x">&amp;</a>]]>', '&lt;a href="x"&gt;&amp;amp;&lt;/a&gt;]]&gt;'],
  ['characters that XML forbids', 'a\u0000\u0001\u001b\u000b\ud800\uffffb', 'ab'],
  ['what Excel would take for another character', 'srv_x0041__x005f_', 'srv_x005F_x0041__x005F_x005f_'],
  ['the name of what each object has', 'constructor', 'constructor '],
  ['the name of its prototype', '__proto__', '__proto__ '],
  ['a text that is too long for a cell', 'x'.repeat(40_000), 'x'.repeat(32_767)],
])('survives %s', async (_what, text, written) => {
  const { cells } = await parts(tableOf([[text]]));
  expect(cells['A4']?.[1]).toBe(written);
});

it('writes numbers as numbers and leaves out what is empty', async () => {
  const { cells } = await parts(tableOf([[20, 0, null, '']]));
  expect(cells).toMatchObject({ A4: ['number', '20', undefined], B4: ['number', '0', undefined] });
  expect(cells).not.toHaveProperty('C4');
  expect(cells).not.toHaveProperty('D4');
});

it.each([
  // Days since 30 December 1899.
  ['2026-12-31', null, '46387', '[$-409]mmm d, yyyy', 'dd.mm.yyyy'],
  ['2026-11-25', '09:15:00', '46351.38541666667', '[$-409]mmm d, yyyy hh:mm', 'dd.mm.yyyy hh:mm'],
])('writes the moment %s %s as a date in the form of the reader', async (date, time, value, en, ru) => {
  const table = tableOf([[{ date, time }]]);
  expect((await parts(table, 'en')).cells['A4']).toEqual(['number', value, en]);
  expect((await parts(table, 'ru')).cells['A4']).toEqual(['number', value, ru]);
});

it('is printed on pages of A4 in landscape that are as wide as the table and repeat the headers', async () => {
  const { sheet, workbook } = await parts(tableOf([['a']]));
  expect(sheet).toMatch(/<worksheet [^>]*><sheetPr><pageSetUpPr fitToPage="1"\/><\/sheetPr>/);
  expect(sheet).toContain('<pageSetup fitToHeight="0" paperSize="9" orientation="landscape"/>');
  expect(workbook).toContain(`name="_xlnm.Print_Titles" localSheetId="0">'Licenses'!$3:$3</definedName>`);
});

it('colors cells', async () => {
  const columns: Column<Row>[] = [
    {
      header: 'Users',
      value: ([users]) => users ?? null,
      look: ([users]) => (users === 6 ? BAD : undefined),
    },
  ];
  const { sheet, styles } = await parts({ ...tableOf([[5], [6]]), columns });
  const styleOf = (cell: string) => new RegExp(`<c r="${cell}"(?: s="(\\d+)")?`).exec(sheet)?.[1];
  expect(styleOf('A4')).not.toBe(styleOf('A5'));
  expect(styles).toContain('FFC7CE');
});

it('makes each column as wide as its texts, and a row as high as its lines', async () => {
  const [short, text, long] = ['a', 'b'.repeat(20), 'c'.repeat(80)];
  const { sheet, styles } = await parts(
    tableOf([
      [short, text, long],
      [short, short, 'first\nsecond'],
      [short, short, 'line\n'.repeat(1000)],
      [short, short, 'a name of several words, cut between them'],
      [short, short, 'twenty-one characters and ten-thousand more'],
    ]),
  );
  const widths = Array.from(sheet.matchAll(/<col [^>]*width="(\d+)"/g), ([, width]) => Number(width));
  expect(widths).toEqual(['Column 1'.length + 5, text.length + 3, 32]);
  const heights = Array.from(sheet.matchAll(/<row [^>]* ht="(\d+)"/g), ([, height]) => Number(height));
  // Those of the title, the headers and the rows; the summary has the height of a line by itself.
  expect(heights).toEqual([20, 15, 45, 30, 405, 30, 30]);

  expect(styles).toContain('<alignment horizontal="left" vertical="top" indent="1" wrapText="1"/>');
});

it('compresses a large part before it returns, without a worker', () => {
  const part = new Uint8Array(1_000_000);
  let archive = new Uint8Array();
  zip({ part }, (_error, bytes) => {
    archive = bytes;
  });
  expect(unzipSync(archive)).toEqual({ part });
});
