import { beforeEach, expect, it } from 'vitest';
import { exportList } from '../../../../src/web/page/excel/export-list.js';
import { seatsText } from '../../../../src/web/page/texts/seat-texts.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { partsOf, rowsOf } from '../../../support/workbook.js';
import { decoded, refused, license as item, viewOf } from '../model/licenses.js';

const PIN = '111222333444555';
const PREVIOUS_PIN = '999888777666555';
const TODAY = '2026-11-22';
const PRODUCT = '1С:Предприятие 8 ПРОФ. Клиентская лицензия на 20 рабочих мест';

const client = (users: number, ...lines: string[]) => [
  'Тип лицензии: клиент',
  `Количество пользователей: ${users}`,
  ...lines,
];

/** A license that was read, one that was not, and what is no license. */
const view = viewOf(
  [
    item('srv/read.lic, copy.lic', {
      answer: decoded({
        pin: PIN,
        previousPin: PREVIOUS_PIN,
        owner: ['Имя: Иван', 'Компания: ООО "Лист"', 'Электронная почта: a@example.org'],
        description: PRODUCT,
        clearText: client(20, 'Срок действия: 31.12.2026'),
      }),
    }),
    item('unread.lic', { clearText: client(5, 'Срок действия: 31.12.2020') }),
    item('failed.lic', { answer: refused }),
  ],
  TODAY,
);

const ALL = { hasOwners: true, hasPins: true };
const NO_PINS = { hasOwners: true, hasPins: false };
const PUBLIC = { hasOwners: false, hasPins: false };

interface Sheet {
  title: unknown;
  summary: unknown;
  headers: string[];
  /** The rows by their headers; empty cells are left out. */
  rows: Record<string, unknown>[];
}

async function sheetOf(of = view, parts = ALL): Promise<Sheet> {
  const { content } = await exportList(of, parts);
  const [title, summary, header, ...others] = await rowsOf(content);
  const headers = [...(header ?? [])].map(([column, text]) => [column, String(text)] as const);
  const rows = others.map((row) => {
    const cells = headers.map(([column, text]) => [text, row.get(column)] as const);
    const filled = cells.filter(([, cell]) => cell !== undefined);
    return Object.fromEntries<unknown>(filled);
  });
  return {
    title: title?.get('A'),
    summary: summary?.get('A'),
    headers: headers.map(([, text]) => text),
    rows,
  };
}

beforeEach(() => {
  language.value = 'en';
  view.showAll();
});

it('a workbook without owners and PIN codes has no trace of them', async () => {
  const { content } = await exportList(view, PUBLIC);
  const texts = Object.values(await partsOf(content)).join('\n');
  expect(texts).toContain('copy.lic');
  expect(texts).not.toMatch(/PIN code|Owner|Иван|Лист|example|111-?222|999-?888/);
});

it('owners and PIN codes have columns where they are wanted, and the other columns are always there', async () => {
  const before = [
    'Valid until',
    'Product',
    'Kind',
    'Seats',
    'Expired or replaced seats',
    'Reg. number',
    'Computer',
  ];
  const headers = async (parts: typeof ALL) => (await sheetOf(view, parts)).headers;
  expect(await headers(ALL)).toEqual([...before, 'Owner', 'PIN code', 'Note', 'File']);
  expect(await headers(NO_PINS)).toEqual([...before, 'Owner', 'Note', 'File']);
  expect(await headers(PUBLIC)).toEqual([...before, 'Note', 'File']);

  const unread = viewOf([item('a.lic', { clearText: client(5, 'Срок действия: не ограничен') })], TODAY);
  expect((await sheetOf(unread, PUBLIC)).headers).toEqual([...before, 'Note', 'File']);
});

it('has the rows of the page in its order, with full names, dates and numbers', async () => {
  const { rows } = await sheetOf();
  expect(rows).toEqual([
    {
      'Valid until': 46_387,
      Product: PRODUCT,
      Kind: 'Client',
      Seats: 20,
      'Reg. number': '800123456G0',
      Owner: 'ООО "Лист"',
      'PIN code': '111-222-333-444-555',
      File: 'srv/read.lic\ncopy.lic',
    },
    {
      'Valid until': 44_196,
      Kind: 'Client',
      'Expired or replaced seats': 5,
      Note: 'Expired; Not read yet',
      File: 'unread.lic',
    },
    { Note: 'It is damaged', File: 'failed.lic' },
  ]);

  view.choose('expired');
  expect((await sheetOf()).rows.map(({ File }) => File)).toEqual(['unread.lic']);
});

it('sums the seats as the page does, and says why others do not count', async () => {
  const forever = 'Срок действия: не ограничен';
  const kit = (pin: string, previousPin?: string) =>
    decoded({
      pin,
      ...(previousPin && { previousPin }),
      registrationNumber: '7',
      clearText: client(50, forever),
    });
  const of = viewOf(
    [
      item('old.lic', { answer: kit('100000000000001') }),
      item('new.lic', { answer: kit('100000000000002', '100000000000001') }),
      item('rival.lic', { answer: kit('100000000000003') }),
      item('server.lic', { clearText: ['Тип лицензии: сервер', 'Количество пользователей: 3', forever] }),
      item('termless.lic', { clearText: client(7) }),
      item('hours.lic', { clearText: client(1, 'Срок действия: 25.11.2026 09:15:00') }),
    ],
    TODAY,
  );
  const { rows, summary } = await sheetOf(of);
  const figures = rows.map(({ File, Seats, 'Expired or replaced seats': others, Note }) => [
    File,
    Seats,
    others,
    Note,
  ]);
  expect(figures).toEqual([
    ['hours.lic', 1, undefined, 'Not read yet'],
    ['new.lic', 50, undefined, 'May have been replaced'],
    ['rival.lic', 50, undefined, 'May have been replaced'],
    ['server.lic', undefined, undefined, 'Not read yet'],
    ['termless.lic', undefined, undefined, '7, not counted: term unknown; Not read yet'],
    ['old.lic', undefined, 50, 'Replaced'],
  ]);
  const sum = rows.reduce((all, { Seats = 0 }) => all + Number(Seats), 0);
  expect(sum).toBe(of.seats.value.total);
  expect(summary).toBe(`6 licenses · ${seatsText(of.seats.value)}`);
  expect(summary).toContain('up to 101 seats · 2 may have been replaced · 1 more not counted');
  expect(rows[0]?.['Valid until']).toBeCloseTo(46_351 + 9.25 / 24);
  expect(rows[1]?.['Valid until']).toBe('Perpetual');
});

it('the title tells the day of the export and the filter', async () => {
  view.choose('notRead');
  expect(await sheetOf(view, PUBLIC)).toMatchObject({
    title: 'Licenses as of Nov 22, 2026, Not read',
    summary: '1 of 2 licenses',
  });
});

it.each([
  ['Лист', ALL, 'Licenses 2026-11-22 Лист with PIN codes (1 of 1).xlsx'],
  ['Лист', NO_PINS, 'Licenses 2026-11-22 Лист.xlsx'],
  ['Лист', PUBLIC, 'Licenses 2026-11-22.xlsx'],
  // It may be of a PIN code.
  ['111-222', ALL, 'Licenses 2026-11-22 111-222 with PIN codes (1 of 1).xlsx'],
  ['111-222', NO_PINS, 'Licenses 2026-11-22.xlsx'],
])('names the search %s only where the sheet has what it may be of', async (search, parts, name) => {
  view.search.value = search;
  const exported = await exportList(view, parts);
  expect(exported.name).toBe(name);
  expect(String((await sheetOf(view, parts)).title).includes(search)).toBe(name.includes(search));
});

it('says the same in Russian', async () => {
  language.value = 'ru';
  const { title, headers } = await sheetOf();
  expect(title).toBe('Лицензии на 22.11.2026, с пин-кодами (1 из 2)');
  expect(headers).toContain('Мест истекло или заменено');
});

it('the PIN code of a copy is known, too, so that a sheet of copies can have it', () => {
  const answer = decoded({ pin: PIN });
  const copies = viewOf([item('a.lic', { answer }), item('b.lic', { answer })], TODAY);
  copies.search.value = 'b.lic';
  expect(copies.licensesIn(copies.shown.value)).toEqual([]);
  expect(copies.knownShown.value).toMatchObject({ pins: 1, count: 1 });
});
