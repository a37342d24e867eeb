import { strToU8, Zip, ZipDeflate, ZipPassThrough, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { exportList } from '../../../../src/web/page/excel/export-list.js';
import { checkOf, HEADERS, type ColumnKey } from '../../../../src/web/page/excel/format.js';
import { readSheet as read } from '../../../../src/web/page/excel/read-sheet.js';
import { combine, type Facts } from '../../../../src/web/page/model/facts.js';
import { pathOf, type Sheet, type SheetRow } from '../../../../src/web/page/model/state.js';
import type { View } from '../../../../src/web/page/model/view.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { decoded, failure, license as item, listedAs, rowOf, viewOf } from '../model/licenses.js';

const CLEAR_TEXT = [
  'Тип лицензии: клиент',
  'Срок действия: 31.12.2026',
  'Количество пользователей: 20',
  'Привязка: ROMASHKA, OS',
];
const HEAD = ['File', 'Valid until', 'Company'];
const view = viewOf(
  [
    item('srv/1/read.lic', {
      fingerprint: '0012345678901234',
      clearText: CLEAR_TEXT,
      answer: decoded({
        pin: '012222333444555',
        previousPin: '999888777666555',
        owner: ['Имя: Иван', 'Фамилия: Лист', 'Индекс: 012345'],
        clearText: CLEAR_TEXT,
      }),
    }),
    item('unlimited.lic', { clearText: ['Срок действия: не ограничен'] }),
    item('unknown.lic', { answer: failure }),
  ],
  '2026-10-01',
);

const readSheet = async (file: File) => (await read(file)) as Sheet;
const licenseIn = (row: SheetRow) =>
  combine({ answer: null, clearText: null, ofSheet: { ...row, day: '2026-10-01' } });

function packed(parts: Record<string, string>): File {
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)] as const);
  return new File([zipSync(Object.fromEntries(files))], 'x.xlsx');
}

/** An archive that was written without going back: it tells the size of a file behind the file only. */
function streamed(parts: Record<string, string>): File {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const archive = new Zip((_error, chunk) => void chunks.push(chunk));
  for (const [index, [name, xml]] of Object.entries(parts).entries()) {
    // One is not compressed.
    const file = index === 0 ? new ZipPassThrough(name) : new ZipDeflate(name);
    archive.add(file);
    file.push(strToU8(xml), true);
  }
  archive.end();
  return new File(chunks, 'x.xlsx');
}

/** An archive whose parts declare to unpack to nothing. */
async function lying(archive: File): Promise<File> {
  const bytes = Buffer.from(await archive.arrayBuffer());
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4))
    bytes.writeUInt32LE(0, at + 24);
  return new File([bytes], 'x.xlsx');
}

function cell(value: string | number, place: string): string {
  if (typeof value === 'string') return `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
  return Number.isNaN(value)
    ? `<c r="${place}" t="e"><v>#N/A</v></c>`
    : `<c r="${place}"><v>${value}</v></c>`;
}

/** A workbook of one tab, whose texts are shared. */
const shared = (texts: string[], rows: number[][], tabs = 1): File =>
  packed({
    'xl/workbook.xml': '<sheet name="x" r:id="r"/>'.repeat(tabs),
    'xl/_rels/workbook.xml.rels': '<Relationship Id="r" Target="worksheets/1.xml"/>',
    'xl/sharedStrings.xml': texts.map((text) => `<si><t>${text}</t></si>`).join(''),
    'xl/worksheets/1.xml': rows
      .map((cells) => `<row>${cells.map((text) => `<c t="s"><v>${text}</v></c>`).join('')}</row>`)
      .join(''),
  });

const archiveOf = (files: number) =>
  packed(Object.fromEntries(Array.from({ length: files }, (_, index) => [`${index}.xml`, ''])));

/** @param more stands below the last row of each tab */
function workbook(tabs: Record<string, (string | number)[][]>, more = ''): File {
  const names = Object.keys(tabs);
  const sheets = Object.values(tabs).map((rows, tab): [string, string] => [
    `xl/worksheets/${tab}.xml`,
    rows
      .map(
        (cells, row) =>
          `<row>${cells.map((value, i) => cell(value, `${'ABCDEFG'[i]}${row + 1}`)).join('')}</row>`,
      )
      .join('') + more,
  ]);
  return packed({
    'xl/workbook.xml': names.map((name, tab) => `<sheet name="${name}" r:id="r${tab}"/>`).join(''),
    'xl/_rels/workbook.xml.rels': names
      .map((_, tab) => `<Relationship Id="r${tab}" Target="worksheets/${tab}.xml"/>`)
      .join(''),
    ...Object.fromEntries(sheets),
  });
}

it.each(['en', 'ru'] as const)(
  'a sheet that was written in %s is read with all that was known',
  async (name) => {
    language.value = name;
    const { content } = await exportList(view, false);
    language.value = 'en';
    const { day, isPart, rows } = await readSheet(new File([content], 'x.xlsx'));
    expect({ day, isPart }).toEqual({ day: '2026-10-01', isPart: false });
    const [read, unlimited, unknown] = rows;
    expect(read).toMatchObject({
      places: [{ name: 'read.lic', folder: 'srv/1' }],
      fingerprint: '0012345678901234',
    });
    expect(rows.map(licenseIn)[0]).toMatchObject({
      pin: '012-222-333-444-555',
      previousPin: '999888777666555',
      owner: 'Лист Иван',
      customer: { postalCode: '012345', company: null },
      kind: 'client',
      users: 20,
      computer: 'ROMASHKA',
      validUntil: '2026-12-31',
      registrationNumber: '800123456G0',
      asOf: '2026-10-01',
    });
    expect(unlimited?.facts).toMatchObject({ unlimited: true, validUntil: null });
    expect(unknown).toMatchObject({
      places: [{ name: 'unknown.lic' }],
      facts: { pin: null, product: null },
      failure: { problem: { quoted: 'It is damaged.', language: 'en' } },
    });
  },
);

const FP = '0012345678901234';
const [SURE, OTHER] = ['332588056123456', '111222333444555'];
const proof = `${FP}-${checkOf(FP, SURE)}`;
it.each<[string, string, string | number, string | null, object]>([
  ['as it was written', proof, SURE, FP, { pin: '332-588-056-123-456' }],
  ['of another row', proof, OTHER, FP, { pin: null }],
  ['that lost its digits', proof, 3.32588e14, FP, { pin: null }],
  ['typed where there was none', FP, SURE, FP, { pin: null }],
  ['beside a check of other bytes', `f${proof.slice(1)}`, SURE, `f${FP.slice(1)}`, { pin: null }],
  ['beside what is no fingerprint', `${proof}0`, SURE, null, { pin: null }],
])('a PIN code %s is known for sure or not', async (_what, cell, pin, fingerprint, facts: object) => {
  const file = workbook({
    x: [
      ['File', 'Valid until', 'PIN code', 'Fingerprint', 'Product'],
      ['a.lic', '', pin, cell, 'P'],
    ],
  });
  const [row] = (await readSheet(file)).rows;
  expect(row).toMatchObject({
    fingerprint,
    facts,
  });
});

it('a sheet without PIN codes has no trace of them beside the fingerprint', async () => {
  const proofs = async (of: View, isPublic: boolean) => {
    const { rows } = await readSheet(new File([(await exportList(of, isPublic)).content], 'x.xlsx'));
    return rows.map(({ facts }) => facts.pin !== null);
  };
  expect(await proofs(view, false)).toEqual([true, false, false]);
  expect(await proofs(view, true)).toEqual([false, false, false]);
});

it('a PIN code that came from a sheet keeps the day of that sheet in the next one', async () => {
  const facts = { pin: '332-588-056-123-456' };
  const of = viewOf([listedAs(rowOf('a.lic', facts, { fingerprint: FP }))], '2026-11-01');
  const [row] = (await readSheet(new File([(await exportList(of, false)).content], 'x.xlsx'))).rows;
  expect(row).toMatchObject({ facts, asOf: '2026-10-01' });
});

it('what ring refused and what failed otherwise are told apart', async () => {
  const failures = [{ ...failure, canRetry: true }, failure].map((answer) => item('a.lic', { answer }));
  const of = viewOf(failures, '2026-10-01');
  const { rows } = await readSheet(new File([(await exportList(of, false)).content], 'x.xlsx'));
  expect(rows).toMatchObject([
    { failure: { canRetry: true } },
    { failure: { problem: { quoted: 'It is damaged.' }, canRetry: false } },
  ]);
});

it('a sheet with some of the licenses is a part of the list, one without PIN codes is whole', async () => {
  const isPart = async () =>
    (await readSheet(new File([(await exportList(view, false)).content], 'x.xlsx'))).isPart;
  expect(await isPart()).toBe(false);
  view.search.value = 'read';
  expect(await isPart()).toBe(true);
  view.search.value = '';
  const { content } = await exportList(view, true);
  expect((await readSheet(new File([content], 'x.xlsx'))).isPart).toBe(false);
});

it.each(['Users', 'Мест', 'Пользователей', 'Число пользователей'])(
  'the column %s, as it was or is called, has the users',
  async (header) => {
    const { rows } = await readSheet(
      workbook({
        x: [
          ['File', 'Valid until', header],
          ['a.lic', '', 5],
        ],
      }),
    );
    expect(rows).toMatchObject([{ facts: { users: 5 } }]);
  },
);

it('reads the tab for its way back, wherever it stands, and never the one for people', async () => {
  const people = [
    ['State', 'Valid until', 'File'],
    ['unlimited', '', 'folder/a.lic'],
  ];
  const data = [HEAD, ['a.lic']];
  const both = await readSheet(workbook({ Сводка: people, 'Данные 2026-10-01 (часть)': data }));
  expect(both).toMatchObject({ day: '2026-10-01', isPart: true, rows: [{ places: [{ name: 'a.lic' }] }] });
  expect(await read(workbook({ Summary: people }))).toBe('sheetForeign');
});

it.each([
  ['Data 2026-10-01', '2026-10-01', false],
  ['Data 2026-10-01 (part)', '2026-10-01', true],
  ['Данные 2026-10-01 (часть) (2)', '2026-10-01', true],
  ['Data 2026-10-01 (2)', '2026-10-01', false],
  ['Licenses 2026-10-01', '2026-10-01', false],
  ['Лицензии 2026-10-01 частично', '2026-10-01', true],
  ['Licenses 2026-10-01 (2)', '2026-10-01', false],
  ['Licenses 2026-99-99', '2026-02-03', false],
  ['Sheet1', '2026-02-03', false],
])('the tab %s is of %s', async (tab, day, isPart) => {
  const file = workbook({ [tab]: [HEAD, ['a.lic']] });
  const saved = new File([file], 'x.xlsx', { lastModified: new Date(2026, 1, 3).getTime() });
  expect(await readSheet(saved)).toMatchObject({ day, isPart });
});

it.each([
  ['fit into a cell', 210, 'a folder with a long name/'.repeat(2), 210, 0],
  ['have too long folders for one', 2000, 'a folder with a long name/'.repeat(2), 630, 1],
  ['have too long names for one', 5000, '', 3764, 1],
])(
  'a license with copies that %s is read with as many of them',
  async (_what, copies, folder, listed, unclear) => {
    const paths = Array.from({ length: copies }, (_, i) => `${folder}${i}.lic`);
    const copied = viewOf([item(paths.join(', '))], '2026-10-01');
    const { content } = await exportList(copied, false);
    const sheet = await readSheet(new File([content], 'x.xlsx'));
    const [row] = sheet.rows;
    expect(row?.places.map(pathOf)).toEqual(paths.slice(0, listed));
    expect(sheet.unclear).toBe(unclear);
  },
);

it('the lines of a cell are places, of which the first may have no folder', async () => {
  const head = ['File', 'Valid until', 'Folder'];
  const { rows } = await readSheet(workbook({ x: [head, ['b.lic\n c.lic', '', '\nsrv']] }));
  expect(rows.map(({ places }) => places.map(pathOf))).toEqual([['b.lic', 'srv/c.lic']]);
});

it('finds the columns by their headers, below a title and on any tab, and ignores others', async () => {
  const file = workbook({
    Notes: [['File']],
    'Licenses 2026-10-01': [
      ['Our licenses'],
      ['Remark', 'Действует\nдо', ' file\u00a0', 'Users', 'Change', 'Error'],
      ['x', '31.12.2026', ' a.lic ', 5, 'new', 'It is damaged.'],
      ['no file'],
      ['', '', 'gone.lic', 5, 'Gone'],
    ],
  });
  const { day, rows, unclear } = await readSheet(file);
  expect({ day, unclear }).toEqual({ day: '2026-10-01', unclear: 0 });
  expect(rows).toMatchObject([
    {
      places: [{ name: 'a.lic', folder: '' }],
      failure: { problem: { quoted: 'It is damaged.' } },
      facts: { validUntil: '2026-12-31', users: 5 },
    },
  ]);
});

const UNCLEAR = {};
it.each<[ColumnKey, string | number, Partial<Facts> & { wasReplaced?: true }]>([
  ['pin', 'on the box', UNCLEAR],
  ['previousPin', '999-888-777-666-555', { previousPin: '999888777666555' }],
  ['previousPin', 12_345, UNCLEAR],
  ['replacedMark', 'Да', { wasReplaced: true }],
  ['replacedMark', 'perhaps', UNCLEAR],
  ['validUntil', 46_387, { validUntil: '2026-12-31' }],
  ['validUntil', '2026-12-31', { validUntil: '2026-12-31' }],
  ['validUntil', '28.11.26', { validUntil: '2026-11-28' }],
  ['validUntil', '1.2.2026 г.', { validUntil: '2026-02-01' }],
  ['validUntil', '31.12.2026 00:00:00', { validUntil: '2026-12-31' }],
  ['validUntil', '2026-12-31T00:00:00Z', { validUntil: '2026-12-31' }],
  ['validUntil', '2026-12-31T00:00:00.000Z', { validUntil: '2026-12-31' }],
  ['validUntil', 'не ограничен', { unlimited: true }],
  ['validUntil', '2026-31-12', UNCLEAR],
  ['validUntil', '31.02.2026', UNCLEAR],
  ['validUntil', '12/31/2026', UNCLEAR],
  ['validUntil', '28.11.126', UNCLEAR],
  ['validUntil', 60, UNCLEAR],
  ['validUntil', 1e300, UNCLEAR],
  ['validUntil', NaN, UNCLEAR],
  ['generatedAt', 43_516.5, { generatedAt: '2019-02-20T12:00:00' }],
  ['users', '1\u00a0000', { users: 1000 }],
  ['users', 'many', UNCLEAR],
  ['users', 2.5, UNCLEAR],
  ['users', -1, UNCLEAR],
  ['fingerprint', 12_345_678_901_234, UNCLEAR],
])('in the column %s it takes %j for %j', async (key, cell, known) => {
  const columns = ['File', 'Valid until', HEADERS[key][0]];
  const { rows, unclear } = await readSheet(workbook({ x: [columns, ['a.lic', '—', cell]] }));
  const { facts, wasReplaced } = rows[0] ?? {};
  const said = Object.entries({
    ...facts,
    wasReplaced: wasReplaced === true ? true : null,
  }).filter(([, value]) => value != null);
  expect(Object.fromEntries(said)).toEqual(known);
  expect(unclear).toBe(known === UNCLEAR ? 1 : 0);
});

it('leaves out a text that is longer than a cell can be', async () => {
  const [row, other] = ['x'.repeat(32_768), 'x'.repeat(32_767)].map((company) => ['a.lic', '', company]);
  const { rows, unclear } = await readSheet(workbook({ x: [HEAD, row, other] as string[][] }));
  expect(rows.map(({ facts }) => facts.customer?.company?.length)).toEqual([undefined, 32_767]);
  expect(unclear).toBe(1);
});

it.each([
  ...['XFD1048576', 'XFD20000', 'A99999999999'].map((place) => [`a cell at ${place}`, cell('x', place)]),
  ['a cell of 8 MB', cell('x'.repeat(8_000_000), 'C2')],
  ['tags that never end', '<'.repeat(8_000_000)],
])('%s costs no more than its bytes', async (_what, xml) => {
  const file = workbook({ x: [HEAD, ['a.lic', '31.12.2026']] }, `<row>${xml}</row>`);
  const { rows } = await readSheet(file);
  expect(rows[0]?.facts.validUntil).toBe('2026-12-31');
});

it.each([
  ['another table', workbook({ x: [['File', 'Price']] }), 'sheetForeign'],
  ['headers alone', workbook({ x: [HEAD] }), 'sheetEmpty'],
  ['an archive', new File([zipSync({ a: new Uint8Array(9) })], 'x.xlsx'), 'sheetBroken'],
  ['no archive', new File(['x'], 'x.xlsx'), 'sheetBroken'],
  ['another format', new File(['x'], 'x.XLSM'), 'sheetFormat'],
  ['more than 5 MB', new File([new Uint8Array(5 * 1024 ** 2 + 1)], 'x.xlsx'), 'sheetTooLarge'],
  ['more than 20 MB unpacked', workbook({ x: [HEAD] }, ' '.repeat(20 * 1024 ** 2)), 'sheetTooLarge'],
  [
    'more than 8,000 files',
    workbook({ x: [HEAD, ...Array<string[]>(8001).fill(['a.lic'])] }),
    'sheetTooLarge',
  ],
  [
    'more than 8,000 files in few rows',
    shared([...HEAD, 'a\n'.repeat(1000)], [[0, 1], ...Array<number[]>(9).fill([3])]),
    'sheetTooLarge',
  ],
  [
    'a long text in thousands of cells',
    shared([...HEAD, '&amp;'.repeat(10_000)], [[0, 1, 2], ...Array<number[]>(8000).fill([3, 3, 3])]),
    'sheetTooLarge',
  ],
  ['one large tab named 2,000 times', shared(['a'], Array<number[]>(50_000).fill([0]), 2000), 'sheetForeign'],
  ['an archive of 2,000 files', archiveOf(2000), 'sheetTooLarge'],
  [
    'a part that declares to be smaller',
    await lying(workbook({ x: [HEAD] }, ' '.repeat(30_000_000))),
    'sheetTooLarge',
  ],
])('%s is refused', async (_what, file, key) => {
  expect(await read(file)).toBe(key);
});

it('reads dates that count from 1904 on, cells without a place, and archives that were streamed', async () => {
  const file = streamed({
    'xl/workbook.xml': '<workbookPr date1904="1"/><sheet name="x" r:id="r"/>',
    'xl/_rels/workbook.xml.rels': '<Relationship Id="r" Target="worksheets/1.xml"/>',
    'xl/sharedStrings.xml': '<si><t>File</t></si><si><t>Valid until</t></si><si><t>東京</t></si>',
    'xl/worksheets/1.xml':
      '<row><c/><c t="s"><v>0</v></c><c r="AB1" t="s"><v>1</v></c><c t="inlineStr"><is><t>Users</t></is></c></row>' +
      '<row><c r="B2" t="s"><v>2</v></c><c r="AB2"><v>44925</v></c><c><v>5</v></c></row>',
  });
  const { rows } = await readSheet(file);
  expect(rows).toMatchObject([{ places: [{ name: '東京' }], facts: { validUntil: '2026-12-31', users: 5 } }]);
});

it('replaces the references of XML once, and leaves those that it does not know', async () => {
  const { rows } = await readSheet(workbook({ x: [HEAD, ['&constructor;&lt;&__proto__;&amp;#65;']] }));
  expect(rows).toMatchObject([{ places: [{ name: '&constructor;<&__proto__;&#65;' }] }]);
});

it('reads what other programs write: namespaces with a prefix, shared texts in parts, escaped characters', async () => {
  const file = packed({
    'xl/workbook.xml': '<x:workbook><x:sheet name="a &amp; b 2026-10-01" r:id="R7"/></x:workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationship Id="R7" Target="/xl/worksheets/tab.xml"/>',
    'xl/SharedStrings.xml':
      '<x:sst><x:si><x:t>File</x:t></x:si><x:si/><x:si><x:r><x:t>Valid </x:t></x:r><x:r><x:t>until</x:t></x:r></x:si></x:sst>',
    'xl/worksheets/tab.xml': `<x:row><x:c r="B1" t="s"><x:v>0</x:v></x:c><x:c r="C1" t="s"><x:v>2</x:v></x:c></x:row>
      <x:row><x:c r="A2"/><x:c r="B2" t="str"><x:f>1&lt;2</x:f><x:v>&#x41;&#66;&quot;_x0043_</x:v></x:c></x:row>`,
  });
  const { day, rows } = await readSheet(file);
  expect({ day, names: rows.map(({ places }) => places[0]?.name) }).toEqual({
    day: '2026-10-01',
    names: ['AB"C'],
  });
});
