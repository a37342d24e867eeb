import { signal } from '@preact/signals';
import { zipSync } from 'fflate';
import writeExcelFile, { type CellObject } from 'write-excel-file/browser';
import { expect, it } from 'vitest';
import { exportList } from '../../../../src/web/page/excel/columns.js';
import { unzip } from '../../../../src/web/page/excel/fflate-in-place.js';
import { readSheet as read } from '../../../../src/web/page/excel/read-sheet.js';
import { combine } from '../../../../src/web/page/model/facts.js';
import { List } from '../../../../src/web/page/model/list.js';
import type { Sheet, SheetRow } from '../../../../src/web/page/model/sheet.js';
import { cellTexts } from '../../../../src/web/page/texts/cells.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { decoded, item } from '../model/items.js';

const CLEAR_TEXT = [
  'Тип лицензии: клиент',
  'Срок действия: 31.12.2026',
  'Количество пользователей: 20',
  'Привязка: ROMASHKA, OS',
];
const list = new List(
  signal([
    item('read.lic', {
      folder: 'srv/1',
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
    item('unknown.lic'),
  ]),
  signal('2026-10-01'),
  cellTexts,
);

const readSheet = async (file: File) => (await read(file)) as Sheet;
const licenseIn = ({ source }: SheetRow) => combine(source ? [source] : []);
const workbook = async (tabs: Record<string, (CellObject | null)[][]>) =>
  new File(
    [await writeExcelFile(Object.entries(tabs).map(([sheet, data]) => ({ sheet, data }))).toBlob()],
    'x.xlsx',
  );
const texts = (...values: (string | number)[]) => values.map((value): CellObject => ({ value }));

it.each(['en', 'ru'] as const)(
  'a sheet that was written in %s is read with all that was known',
  async (name) => {
    language.value = name;
    const { content } = await exportList(list, false);
    language.value = 'en';
    const { day, isPartial, rows } = await readSheet(new File([content], 'x.xlsx'));
    expect({ day, isPartial }).toEqual({ day: '2026-10-01', isPartial: false });
    const [read, unlimited, unknown] = rows;
    expect(read).toMatchObject({ name: 'read.lic', folder: 'srv/1', fingerprint: '0012345678901234' });
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
      sheet: { day: '2026-10-01' },
    });
    expect(unlimited?.source?.facts).toMatchObject({ unlimited: true, validUntil: null });
    expect(unknown).toMatchObject({ name: 'unknown.lic', source: undefined });
  },
);

it('a sheet without PIN codes, or with some of the licenses, is a part of the list', async () => {
  const isPartial = async () =>
    (await readSheet(new File([(await exportList(list, false)).content], 'x.xlsx'))).isPartial;
  expect(await isPartial()).toBe(false);
  list.search.value = 'read';
  expect(await isPartial()).toBe(true);
  list.search.value = '';
  const { content } = await exportList(list, true);
  expect((await readSheet(new File([content], 'x.xlsx'))).isPartial).toBe(true);
});

it('finds the columns by their headers, below a title and on any tab, and ignores others', async () => {
  const file = await workbook({
    Notes: [texts('File')],
    'Licenses 2026-10-01': [
      texts('Our licenses'),
      texts('Remark', 'Действует до', ' file ', 'Users'),
      texts('x', '31.12.2026', ' a.lic ', 5),
      texts('no file'),
    ],
  });
  const { day, rows } = await readSheet(file);
  expect(day).toBe('2026-10-01');
  expect(rows).toMatchObject([{ name: 'a.lic', source: { facts: { validUntil: '2026-12-31', users: 5 } } }]);
});

it.each([
  ['332-588-056-123-456', '332-588-056-123-456', null],
  ['332588056123456', '332-588-056-123-456', null],
  ['1332588056123456', '1332-5880-5612-3456', null],
  [332_588_056_123_456, null, '332588056123456'],
  ['3,32588E+14', null, '3,32588E+14'],
  [12_345, null, '12345'],
])('of a PIN code that stands as %j there it knows %s', async (cell, pin, unsurePin) => {
  const { rows } = await readSheet(
    await workbook({ x: [texts('File', 'Valid until', 'PIN code'), texts('a.lic', '', cell)] }),
  );
  expect(rows[0]?.source?.facts.pin).toBe(pin);
  expect(rows[0]?.source?.unsurePin).toBe(unsurePin);
});

it.each([
  ['another table', () => workbook({ x: [texts('File', 'Price')] }), 'sheetForeign'],
  ['an archive', () => new File([zipSync({ a: new Uint8Array(9) })], 'x.xlsx'), 'sheetBroken'],
  ['no archive', () => new File(['x'], 'x.xlsx'), 'sheetBroken'],
  ['more than 5 MB', () => new File([new Uint8Array(5 * 1024 ** 2 + 1)], 'x.xlsx'), 'sheetTooLarge'],
])('%s is refused', async (_what, file, key) => {
  expect(await read(await file())).toBe(key);
});

it('unpacks nothing of an archive from the part on that makes it larger than 50 MB', () => {
  const bomb = zipSync({ 'a.xml': new Uint8Array(1), 'b.xml': new Uint8Array(50 * 1024 ** 2) });
  const results: unknown[] = [];
  unzip(bomb, (error, files) => results.push(error, files));
  expect(results).toMatchObject([{ name: 'Error' }, undefined]);
});
