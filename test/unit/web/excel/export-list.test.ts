import { beforeEach, expect, it } from 'vitest';
import { exportList } from '../../../../src/web/page/excel/export-list.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { partsOf, rowsOf } from '../../../support/workbook.js';
import { decoded, failure, license as item, viewOf } from '../model/licenses.js';

const PIN = '111222333444555';
const PREVIOUS_PIN = '999888777666555';
const view = viewOf(
  [
    item('srv/read.lic, copy.lic', {
      answer: decoded({
        pin: PIN,
        previousPin: PREVIOUS_PIN,
        owner: ['Имя: Иван', 'Компания: ООО "Лист"', 'Электронная почта: a@example.org'],
        clearText: ['Срок действия: 31.12.2026'],
      }),
    }),
    item('unread.lic', { clearText: ['Срок действия: 31.12.2020'] }),
    item('failed.lic', { answer: failure }),
  ],
  '2026-11-22',
);

interface Sheet {
  title: unknown;
  headers: string[];
  /** The rows by their headers; empty cells are left out. */
  rows: Record<string, unknown>[];
}

async function sheetOf(of = view, isPublic = false): Promise<Sheet> {
  const { content } = await exportList(of, isPublic);
  const rows = await rowsOf(content);
  const headers = [...(rows[1] ?? [])].map(([column, header]) => [column, String(header)] as const);
  const table = rows.slice(2).map((row) => {
    const cells = headers.map(([column, header]) => [header, row.get(column)] as const);
    const filled = cells.filter(([, cell]) => cell !== undefined);
    return Object.fromEntries<unknown>(filled);
  });
  return {
    title: rows[0]?.get('A'),
    headers: headers.map(([, header]) => header),
    rows: table,
  };
}

beforeEach(() => {
  language.value = 'en';
});

it('a workbook without PIN codes and owners has no trace of them', async () => {
  const { content } = await exportList(view, true);
  const texts = Object.values(await partsOf(content)).join('\n');
  expect(texts).toContain('copy.lic');
  expect(texts).not.toMatch(/PIN code<|Owner|Иван|Лист|example|111-?222|999-?888/);
});

it('the columns are always the same, and PIN codes and owners are in the private workbook alone', async () => {
  expect((await sheetOf(view, false)).headers).toEqual([
    'State',
    'Valid until',
    'Product',
    'Seats',
    'Computer',
    'Owner',
    'Registration number',
    'PIN code',
    'File',
  ]);
  expect((await sheetOf(view, true)).headers).toEqual([
    'State',
    'Valid until',
    'Product',
    'Seats',
    'Computer',
    'Registration number',
    'File',
  ]);
});

it('a table says what the page says', async () => {
  const clients = (users: string) => ['Тип лицензии: клиент', users, 'Срок действия: не ограничен'];
  const of = viewOf(
    [
      item('srv/a.lic, copy.lic', { clearText: clients('Количество пользователей: 20') }),
      item('b.lic', { clearText: clients('Количество пользователей: 5') }),
      item('expired.lic', { clearText: ['Тип лицензии: клиент', 'Срок действия: 31.12.2020'] }),
      item('soon.lic', { clearText: ['Тип лицензии: сервер', 'Срок действия: 31.12.2026'] }),
      item('old.lic'),
      item('failed.lic', { answer: failure }),
    ],
    '2026-11-22',
  );
  const { rows } = await sheetOf(of);
  const unread = { 'PIN code': 'not known yet' };
  expect(rows).toEqual([
    { State: 'term unknown', Product: 'It is damaged', File: 'failed.lic' },
    { ...unread, State: '39 days', 'Valid until': 46_387, Product: 'server', File: 'soon.lic' },
    { ...unread, State: 'expired', 'Valid until': 44_196, Product: 'client', File: 'expired.lic' },
    { ...unread, State: 'perpetual', Product: 'client', Seats: 20, File: 'srv/a.lic\ncopy.lic' },
    { ...unread, State: 'perpetual', Product: 'client', Seats: 5, File: 'b.lic' },
    { ...unread, State: 'term unknown', File: 'old.lic' },
  ]);
});

it('a license that ends at a time of its last day says so', async () => {
  const of = viewOf([item('days.lic', { clearText: ['Срок действия: 25.11.2026 09:15:00'] })], '2026-11-22');
  const { rows } = await sheetOf(of);
  expect(rows[0]?.['Valid until']).toBeCloseTo(46_351 + 9.25 / 24);
});

it('the title tells the day of the export, and which licenses it shows', async () => {
  view.choose('notRead');
  const { title } = await sheetOf(view, true);
  view.choose('notRead');
  expect(title).toBe('Licenses as of Nov 22, 2026, Not read, without PIN codes and owners');
});

it('the names of the two workbooks differ, and only the private one has what was searched for', async () => {
  view.search.value = 'Лист';
  const names = [await exportList(view, false), await exportList(view, true)].map(({ name }) => name);
  view.search.value = '';
  expect(names).toEqual([
    'Licenses 2026-11-22 Лист.xlsx',
    'Licenses 2026-11-22 without PIN codes and owners.xlsx',
  ]);
});
