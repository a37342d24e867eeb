import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { BAD, writeWorkbook, type Column } from '../../../../src/web/page/excel/write-workbook.js';
import { zip } from '../../../../src/web/page/excel/fflate-in-place.js';

type Row = (string | number | null)[];

const columnsOf = (row: Row): Column<Row>[] =>
  row.map((_, i) => ({ header: `Column ${i + 1}`, value: (cells) => cells[i] ?? null }));

/** The parts of the workbook, as text. */
async function parts(rows: Row[], columns = columnsOf(rows[0] ?? []), language: 'en' | 'ru' = 'en') {
  const blob = await writeWorkbook([{ name: 'Licenses', columns, rows }], language);
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
  const styles = Array.from(part('xl/styles.xml').matchAll(/<xf (?:numFmtId="(\d+)")?/g), ([, id]) =>
    new Map(formats).get(id),
  );
  const sheet = part('xl/worksheets/sheet1.xml');
  /** Cells as [kind, value, format]. */
  const cells = Object.fromEntries(
    Array.from(sheet.matchAll(/<c ([^>]*)><v>([^<]*)<\/v><\/c>/g), ([, attributes = '', value = '']) => {
      const name = /r="(\w+)"/.exec(attributes)?.[1] ?? '';
      const format = styles[Number(/s="(\d+)"/.exec(attributes)?.[1] ?? 0)];
      return [
        name,
        attributes.includes('t="s"') ? ['text', texts[Number(value)], format] : ['number', value, format],
      ];
    }),
  );
  return { sheet, cells, blob, workbook: part('xl/workbook.xml') };
}

it('freezes and repeats the headers, filters all rows, and prints on A4 with lines', async () => {
  const { sheet, cells, blob, workbook } = await parts([
    Array<string>(30).fill('a'),
    Array<string>(30).fill('b'),
  ]);
  expect(sheet).toContain('</sheetData><autoFilter ref="A1:AD3"/>');
  expect(sheet).toContain('<ignoredError sqref="A1:AD3" numberStoredAsText="1"/>');
  expect(workbook).toContain(`hidden="1">'Licenses'!$A$1:$AD$3</definedName>`);
  expect(workbook).toContain(`"_xlnm.Print_Titles" localSheetId="0">'Licenses'!$1:$1</definedName>`);
  expect(sheet).toContain('<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>');
  expect(sheet).toMatch(
    /<printOptions gridLines="1"\/><pageMargins left="0.4" right="0.4" [^>]*><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"\/>/,
  );
  expect(sheet).toMatch(/<pane ySplit="1" xSplit="0" topLeftCell="A2" activePane="\w+" state="frozen"\/>/);
  expect(cells['AD1']).toEqual(['text', 'Column 30', '@']);
  expect(blob.type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
});

const TEXTS = ['0012345678', '800123456E0', '332588056123456', '=1+1', '@A1', '2026-12-31', ' a ', 'TRUE'];
it.each(TEXTS)('keeps %j a text', async (text) => {
  const { cells, sheet } = await parts([[text]]);
  expect(cells['A2']).toEqual(['text', text, '@']);
  expect(sheet).not.toContain('<f>');
});

it.each(['constructor', '__proto__', 'toString'])('writes the text %s', async (text) => {
  const { cells } = await parts([[text]]);
  expect(cells['A2']).toEqual(['text', `${text} `, '@']);
});

it.each([
  ['markup', '<a href="x">&amp;</a>]]>', '&lt;a href="x"&gt;&amp;amp;&lt;/a&gt;]]&gt;'],
  ['characters that XML forbids', 'a\u0000\u0001\u001b\u000b\ud800\uffffb', 'ab'],
  ['a text that is too long for a cell', 'x'.repeat(40_000), 'x'.repeat(32_767)],
])('survives %s', async (_what, text, written) => {
  const { cells } = await parts([[text]]);
  expect(cells['A2']?.[1]).toBe(written);
});

it('writes what Excel would take for another character so that it stays', async () => {
  const { cells } = await parts([['srv_x0041__x005f_']]);
  expect(cells['A2']?.[1]).toBe('srv_x005F_x0041__x005F_x005f_');
});

it('writes numbers as numbers and leaves out what is empty', async () => {
  const { cells } = await parts([[20, 0, null, '']]);
  expect(cells).toMatchObject({ A2: ['number', '20', undefined], B2: ['number', '0', undefined] });
  expect(cells).not.toHaveProperty('C2');
  expect(cells).not.toHaveProperty('D2');
});

it.each([
  // Days since 30 December 1899.
  ['2026-12-31', 'number', '46387', 'yyyy-mm-dd', 'dd.mm.yyyy'],
  ['2019-02-20T12:00:00', 'number', '43516.5', 'yyyy-mm-dd hh:mm:ss', 'dd.mm.yyyy hh:mm:ss'],
  ['1900-03-01', 'number', '61', 'yyyy-mm-dd', 'dd.mm.yyyy'],
  ['1900-02-28', 'text', '1900-02-28', '@', '@'],
  ['2026-13-01', 'text', '2026-13-01', '@', '@'],
  ['не ограничен', 'text', 'не ограничен', '@', '@'],
])('writes %s of a date column as a %s', async (text, kind, value, en, ru) => {
  const columns = columnsOf([text]).map((column) => ({ ...column, isDate: true }));
  expect((await parts([[text]], columns, 'en')).cells['A2']).toEqual([kind, value, en]);
  expect((await parts([[text]], columns, 'ru')).cells['A2']).toEqual([kind, value, ru]);
});

it('puts a title above the headers, totals below what filters hide, and colors cells', async () => {
  const column: Column<number> = {
    header: 'Users',
    value: (users) => users,
    look: (users) => (users > 5 ? BAD : undefined),
    total: 0,
  };
  const tables = [
    { name: 'Notes', columns: [column], rows: [] },
    { name: 'Users (2)', title: 'Our users', columns: [column], rows: [5, 6] },
  ];
  const blob = await writeWorkbook(tables, 'en');
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  const part = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const sheet = part('xl/worksheets/sheet2.xml');
  expect(part('xl/sharedStrings.xml')).toContain('Our users');
  expect(sheet).toContain('<autoFilter ref="A2:A4"/>');
  expect(sheet).toContain('<pane ySplit="2" ');
  expect(sheet).toMatch(/<c r="A5"[^>]*><v>0</);
  const styleOf = (cell: string) => new RegExp(`<c r="${cell}"(?: s="(\\d+)")?`).exec(sheet)?.[1];
  expect(styleOf('A3')).not.toBe(styleOf('A4'));
  expect(part('xl/styles.xml')).toContain('FFC7CE');
  const workbook = part('xl/workbook.xml');
  expect(workbook).toContain(`localSheetId="1" hidden="1">'Users (2)'!$A$2:$A$4<`);
  expect(workbook).toContain(`localSheetId="1">'Users (2)'!$2:$2<`);
});

it('makes each column as wide as its texts, and a row as high as its lines', async () => {
  const [short, text, long] = ['a', 'b'.repeat(30), 'c'.repeat(100)];
  const { sheet, blob } = await parts([
    [short, text, long],
    [short, short, 'first\nsecond'],
    [short, short, 'line\n'.repeat(1000)],
  ]);
  const widths = Array.from(sheet.matchAll(/<col [^>]*width="(\d+)"/g), ([, width]) => Number(width));
  expect(widths).toEqual(['Column 1'.length + 5, text.length + 2, 50]);
  const heights = Array.from(sheet.matchAll(/<row [^>]* ht="(\d+)"/g), ([, height]) => Number(height));
  expect(heights).toEqual([15, 45, 30, 405]);

  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  const styles = strFromU8(files['xl/styles.xml'] ?? new Uint8Array());
  expect(styles).toContain('<alignment vertical="top" wrapText="1"/>');
});

it('is a workbook without rows too', async () => {
  const { sheet, cells } = await parts([], columnsOf(['a', 'b']));
  expect(sheet).toContain('<autoFilter ref="A1:B1"/>');
  expect(Object.keys(cells)).toEqual(['A1', 'B1']);
});

it('compresses a large part before it returns, without a worker', () => {
  const part = new Uint8Array(1_000_000);
  let archive = new Uint8Array();
  zip({ part }, (_error, bytes) => {
    archive = bytes;
  });
  expect(unzipSync(archive)).toEqual({ part });
});
