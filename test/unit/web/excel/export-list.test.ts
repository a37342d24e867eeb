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

/** The rows below the title by their headers; an empty cell is left out. */
async function tableOf(of = view, isPublic = false): Promise<Record<string, unknown>[]> {
  const { content } = await exportList(of, isPublic);
  const [, header, ...rows] = await rowsOf(content);
  return rows.map((row) =>
    Object.fromEntries(Array.from(row, ([column, cell]) => [String(header?.get(column)), cell])),
  );
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

it('a table says in a few columns what the page says, and how many users there are', async () => {
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
  const rows = await tableOf(of);
  expect(rows).toEqual([
    { State: 'expired', 'Valid until': 44_196, File: 'expired.lic', 'PIN code': 'not read' },
    { State: '39 days', 'Valid until': 46_387, File: 'soon.lic', 'PIN code': 'not read' },
    { State: 'unlimited', Users: 20, File: 'srv/a.lic\ncopy.lic', 'PIN code': 'not read' },
    { State: 'unlimited', Users: 5, File: 'b.lic', 'PIN code': 'not read' },
    {
      State: 'not read',
      Product: 'old file: it states no term',
      File: 'old.lic',
      'PIN code': 'not read',
    },
    { State: 'not recognized', Product: 'It is damaged.', File: 'failed.lic' },
    { State: 'In valid client licenses', Users: 25 },
  ]);
});

it('the sum counts the users of client licenses that are known to be valid', async () => {
  const client = (...lines: string[]) => ['Тип лицензии: клиент', 'Количество пользователей: 20', ...lines];
  const of = viewOf(
    [
      item('valid.lic', { clearText: client('Срок действия: не ограничен') }),
      item('expired.lic', { clearText: client('Срок действия: 31.12.2020') }),
      item('no term.lic', { clearText: client() }),
      item('no users.lic', { clearText: ['Тип лицензии: клиент', 'Срок действия: не ограничен'] }),
    ],
    '2026-11-22',
  );
  const total = (await tableOf(of)).at(-1);
  expect(total).toEqual({ State: 'In valid client licenses', Users: 20 });
});

it('there is no sum where no license tells its users', async () => {
  const of = viewOf([item('server.lic', { clearText: ['Тип лицензии: сервер'] })], '2026-11-22');
  expect(await tableOf(of)).toHaveLength(1);
});

it('the table begins with what the workbook is called', async () => {
  view.choose('errors');
  const { content } = await exportList(view, false);
  view.choose('errors');
  const [title] = await rowsOf(content);
  expect([...(title?.values() ?? [])]).toEqual(['Licenses 2026-11-22 Errors']);
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
