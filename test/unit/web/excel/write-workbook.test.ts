import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import {
  BAD,
  writeWorkbook,
  type Column,
  type Table,
} from '../../../../src/web/page/excel/write-workbook.js';
import { zip } from '../../../../src/web/page/excel/fflate-in-place.js';

type Row = (string | number | null)[];

const columnsOf = (row: Row): Column<Row>[] =>
  row.map((_, i) => ({ header: `Column ${i + 1}`, value: (cells) => cells[i] ?? null }));

/** A table whose headers are in row 3. */
const tableOf = (rows: Row[]): Table<Row> => ({
  name: 'Licenses',
  title: 'Our licenses',
  hint: 'As of today',
  figures: [],
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

it('freezes and repeats the headers, filters all rows, and prints on A4 with lines', async () => {
  const { sheet, cells, blob, workbook } = await parts(
    tableOf([Array<string>(30).fill('a'), Array<string>(30).fill('b')]),
  );
  expect(sheet).toContain('</sheetData><autoFilter ref="A3:AD5"/>');
  expect(sheet).toContain('<ignoredError sqref="A3:AD5" numberStoredAsText="1"/>');
  expect(workbook).toContain(`hidden="1">'Licenses'!$A$3:$AD$5</definedName>`);
  expect(workbook).toContain(`"_xlnm.Print_Titles" localSheetId="0">'Licenses'!$3:$3</definedName>`);
  expect(sheet).toContain('<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>');
  expect(sheet).toMatch(
    /<printOptions gridLines="1"\/><pageMargins left="0.4" right="0.4" [^>]*><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"\/>/,
  );
  expect(sheet).toMatch(/<pane ySplit="3" xSplit="0" topLeftCell="A4" activePane="\w+" state="frozen"\/>/);
  expect(cells['AD3']).toEqual(['text', 'Column 30', '@']);
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

it.each(['constructor', '__proto__', 'toString'])('writes the text %s', async (text) => {
  const { cells } = await parts(tableOf([[text]]));
  expect(cells['A4']).toEqual(['text', `${text} `, '@']);
});

it.each([
  ['markup', '<a href="x">&amp;</a>]]>', '&lt;a href="x"&gt;&amp;amp;&lt;/a&gt;]]&gt;'],
  ['characters that XML forbids', 'a\u0000\u0001\u001b\u000b\ud800\uffffb', 'ab'],
  ['a text that is too long for a cell', 'x'.repeat(40_000), 'x'.repeat(32_767)],
])('survives %s', async (_what, text, written) => {
  const { cells } = await parts(tableOf([[text]]));
  expect(cells['A4']?.[1]).toBe(written);
});

it('writes what Excel would take for another character so that it stays', async () => {
  const { cells } = await parts(tableOf([['srv_x0041__x005f_']]));
  expect(cells['A4']?.[1]).toBe('srv_x005F_x0041__x005F_x005f_');
});

it('writes numbers as numbers and leaves out what is empty', async () => {
  const { cells } = await parts(tableOf([[20, 0, null, '']]));
  expect(cells).toMatchObject({ A4: ['number', '20', undefined], B4: ['number', '0', undefined] });
  expect(cells).not.toHaveProperty('C4');
  expect(cells).not.toHaveProperty('D4');
});

it.each([
  // Days since 30 December 1899.
  ['2026-12-31', '46387', '[$-409]mmm d, yyyy', 'dd.mm.yyyy'],
  ['2026-11-25T09:15:00', '46351.38541666667', '[$-409]mmm d, yyyy hh:mm', 'dd.mm.yyyy hh:mm'],
])('writes %s of a date column as a date in the form of the reader', async (text, value, en, ru) => {
  const table = tableOf([[text]]);
  const columns = table.columns.map((column) => ({ ...column, isDate: true }));
  expect((await parts({ ...table, columns }, 'en')).cells['A4']).toEqual(['number', value, en]);
  expect((await parts({ ...table, columns }, 'ru')).cells['A4']).toEqual(['number', value, ru]);
});

it('begins with a title and what to know of the figures', async () => {
  const { cells } = await parts(tableOf([['a']]));
  expect(cells['A1']).toEqual(['text', 'Our licenses', '@']);
  expect(cells['A2']).toEqual(['text', 'As of today', '@']);
});

it('puts figures above the table, as sums of hidden columns that the filter sorts and hides with their rows', async () => {
  const { sheet, workbook } = await parts<number>({
    name: 'Users (2)',
    title: 'Our users',
    hint: '',
    figures: [
      { label: 'large', value: (users) => (users > 5 ? 1 : 0) },
      { label: 'users', value: (users) => users },
    ],
    columns: [{ header: 'Users', value: (users) => users }],
    rows: [5, 6, 7],
  });

  expect(sheet).toMatch(/<c r="A3"[^>]*><f>SUBTOTAL\(109,B6:B8\)<\/f><v>2<\/v><\/c><c r="B3"/);
  expect(sheet).toMatch(/<c r="A4"[^>]*><f>SUBTOTAL\(109,C6:C8\)<\/f><v>18<\/v><\/c><c r="B4"/);
  expect(sheet).toMatch(/<c r="B7"[^>]*><v>1<\/v><\/c><c r="C7"[^>]*><v>6<\/v><\/c>/);
  expect(sheet).toMatch(
    /<col min="1" max="1" [^>]*customWidth="1"\/><col min="2" [^>]*hidden="1"\/><col min="3" [^>]*hidden="1"\/>/,
  );
  expect(sheet).toContain('<autoFilter ref="A5:C8"/>');
  expect(sheet).toContain('<pane ySplit="5" ');
  expect(workbook).toContain(`hidden="1">'Users (2)'!$A$5:$C$8<`);
  expect(workbook).toContain(`>'Users (2)'!$5:$5<`);
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
  const [short, text, long] = ['a', 'b'.repeat(30), 'c'.repeat(100)];
  const { sheet, styles } = await parts(
    tableOf([
      [short, text, long],
      [short, short, 'first\nsecond'],
      [short, short, 'line\n'.repeat(1000)],
    ]),
  );
  const widths = Array.from(sheet.matchAll(/<col [^>]*width="(\d+)"/g), ([, width]) => Number(width));
  expect(widths).toEqual(['Column 1'.length + 5, text.length + 3, 50]);
  const heights = Array.from(sheet.matchAll(/<row [^>]* ht="(\d+)"/g), ([, height]) => Number(height));
  // Those of the title, the hint, the headers and the rows.
  expect(heights).toEqual([20, 15, 15, 45, 30, 405]);

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
