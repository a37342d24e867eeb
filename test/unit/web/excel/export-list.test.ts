import { strFromU8, unzipSync } from 'fflate';
import { beforeEach, expect, it } from 'vitest';
import { exportList } from '../../../../src/web/page/excel/export-list.js';
import { readWorkbook, type Tab } from '../../../../src/web/page/excel/workbook.js';
import type { Change } from '../../../../src/web/page/model/comparison.js';
import type { License } from '../../../../src/web/page/model/license.js';
import type { View } from '../../../../src/web/page/model/view.js';
import { language } from '../../../../src/web/page/texts/language.js';
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

const SUMMARY = 0;
const DATA = 1;

async function tabsOf(of: View, isPublic: boolean): Promise<Tab[]> {
  const { content } = await exportList(of, isPublic);
  return readWorkbook(new Uint8Array(await content.arrayBuffer()));
}

/** The rows of a tab by their headers; an empty cell is left out. */
async function rowsOf(isPublic: boolean, of = view, tab = DATA): Promise<Record<string, unknown>[]> {
  const tabs = await tabsOf(of, isPublic);
  const rows = [...(tabs[tab]?.rows() ?? [])];
  if (tab === SUMMARY) rows.shift();
  const header = rows.shift();
  return rows.map((row) =>
    Object.fromEntries(Array.from(row, ([column, cell]) => [String(header?.get(column)), cell])),
  );
}

beforeEach(() => {
  language.value = 'en';
});

it('a sheet says of each license what is known', async () => {
  const [unread, read, failed] = await rowsOf(false);
  expect(read).toMatchObject({
    File: 'read.lic\ncopy.lic',
    Folder: 'srv\n',
    Files: 2,
    'PIN code': '111-222-333-444-555',
    'Previous PIN code': '999-888-777-666-555',
    'First name': 'Иван',
    // Days since 30 December 1899: a date, which can be sorted and filtered.
    'Valid until': 46_387,
  });
  expect(unread).toMatchObject({ 'Valid until': 44_196, State: 'not read' });
  expect(failed).toMatchObject({ State: 'Not recognized', Error: 'It is damaged.' });
});

it('a workbook without PIN codes and owners has no trace of them', async () => {
  const { content } = await exportList(view, true);
  const parts = Object.values(unzipSync(new Uint8Array(await content.arrayBuffer())));
  const texts = parts.map((part) => strFromU8(part)).join('\n');
  expect(texts).toContain('copy.lic');
  expect(texts).not.toMatch(/PIN code<|Owner|Иван|Лист|example|111-?222|999-?888/);
});

it('the first tab says in a few columns what the page says, and how many users there are', async () => {
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
  const rows = await rowsOf(false, of, SUMMARY);
  expect(rows).toEqual([
    { State: 'expired', 'Valid until': 44_196, File: 'expired.lic', 'PIN code': 'not read' },
    { State: '39 days', 'Valid until': 46_387, File: 'soon.lic', 'PIN code': 'not read' },
    { State: 'unlimited', Users: 20, File: 'srv/a.lic\ncopy.lic', 'PIN code': 'not read' },
    { State: 'unlimited', Users: 5, File: 'b.lic', 'PIN code': 'not read' },
    {
      State: 'not read',
      Product: 'old file: its term is known after reading',
      File: 'old.lic',
      'PIN code': 'not read',
    },
    { State: 'not recognized', Product: 'It is damaged.', File: 'failed.lic' },
    { State: 'In valid client licenses, at least', Users: 25 },
  ]);
});

it.each([
  ['a client license does not tell its users', ['Тип лицензии: клиент'], ', at least'],
  ['a license may be for clients', ['Регистрационный номер: 8100007919'], ', at least'],
  ['the others are for servers', ['Тип лицензии: сервер'], ''],
])('the sum says whether there may be more users: %s', async (_what, clearText, words) => {
  const client = item('a.lic', { clearText: ['Тип лицензии: клиент', 'Количество пользователей: 20'] });
  const of = viewOf([client, item('b.lic', { clearText })], '2026-11-22');
  const total = (await rowsOf(false, of, SUMMARY)).at(-1);
  expect(total).toEqual({ State: `In valid client licenses${words}`, Users: 20 });
});

it('there is no sum where no license tells its users', async () => {
  const of = viewOf([item('server.lic', { clearText: ['Тип лицензии: сервер'] })], '2026-11-22');
  expect(await rowsOf(false, of, SUMMARY)).toHaveLength(1);
});

it('the tab for people begins with what the workbook is called', async () => {
  view.choose('errors');
  const tabs = await tabsOf(view, false);
  view.choose('errors');
  const [title] = tabs[SUMMARY]?.rows() ?? [];
  expect([...(title?.values() ?? [])]).toEqual(['Licenses 2026-11-22 Errors']);
});

it.each([
  ['en', '', ['Summary', 'Data 2026-11-22']],
  ['ru', '', ['Сводка', 'Данные 2026-11-22']],
  ['en', 'unread', ['Summary', 'Data 2026-11-22 (part)']],
  ['ru', 'unread', ['Сводка', 'Данные 2026-11-22 (часть)']],
] as const)('in %s, with the search %j, its tabs are %j', async (words, search, names) => {
  language.value = words;
  view.search.value = search;
  const tabs = await tabsOf(view, false);
  view.search.value = '';
  expect(tabs.map(({ name }) => name)).toEqual(names);
});

it('the names of the two sheets differ, and only the private one has what was searched for', async () => {
  view.search.value = 'Лист';
  const names = [await exportList(view, false), await exportList(view, true)].map(({ name }) => name);
  view.search.value = '';
  expect(names).toEqual([
    'Licenses 2026-11-22 Лист.xlsx',
    'Licenses 2026-11-22 without PIN codes and owners.xlsx',
  ]);
});

/** A list that is compared with that of another day. */
const compared = (changes: ReadonlyMap<License, Change>) =>
  viewOf([...changes.keys()], '2026-11-22', new Map(Array.from(changes, ([{ id }, change]) => [id, change])));

it('a changed PIN code stays untold in the sheet without PIN codes', async () => {
  const now = item('a.lic', { answer: decoded({ pin: PIN }) });
  const before = item('a.lic', { answer: decoded({ pin: PREVIOUS_PIN }) });
  const differences = ['users', 'pin'] as const;
  const changed = compared(new Map([[now, { name: 'changed', before, differences }]]));
  const pins = '999-888-777-666-555 → 111-222-333-444-555';
  expect((await rowsOf(false, changed))[0]).toMatchObject({ Change: `users:  → ; pin code: ${pins}` });
  expect((await rowsOf(true, changed))[0]).toMatchObject({ Change: 'users:  → ; pin code' });
});

it('a sheet of changes has what is gone', async () => {
  const [fresh, gone] = [item('fresh.lic'), item('gone.lic')];
  const changed = compared(
    new Map<License, Change>([
      [fresh, { name: 'new' }],
      [gone, { name: 'gone' }],
    ]),
  );
  changed.choose('changes');
  expect(await rowsOf(false, changed)).toMatchObject([
    { File: 'gone.lic', Change: 'gone' },
    { File: 'fresh.lic', Change: 'new' },
  ]);
});
