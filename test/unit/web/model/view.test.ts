import { signal } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import { nameOf, type License } from '../../../../src/web/page/model/license.js';
import { View } from '../../../../src/web/page/model/view.js';
import { rowTexts, shortProduct } from '../../../../src/web/page/license/row-texts.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { columnOf, decoded, failure, license as item, viewOf } from './licenses.js';

const TODAY = '2026-11-22';
const listOf = (items: License[]) => viewOf(items, TODAY);
const names = ({ shown }: View) => shown.value.map(nameOf);
const until = (date: string) => [`Срок действия: ${date}`];

beforeEach(() => {
  language.value = 'ru';
});

describe('filters', () => {
  const items = [
    item('yesterday.lic', { clearText: until('21.11.2026') }),
    item('today.lic', { clearText: until('22.11.2026') }),
    item('91 days.lic', { clearText: until('21.02.2027') }),
    item('failed.lic', { answer: failure }),
  ];

  it('show what they count, and give way to all when they are chosen again', () => {
    const list = listOf([...items].reverse());
    expect(list.offered.value).toEqual(['all', 'expired', 'expiring', 'incomplete', 'errors']);
    list.choose('expiring');
    expect(names(list)).toEqual(['today.lic']);
    expect(list.counts.value.expiring).toBe(1);
    list.choose('expiring');
    expect(list.filter.value).toBe('all');
  });

  it('a license leads to the one that replaced it, in whatever filter that is', () => {
    const pin = '111222333444555';
    const old = item('old.lic', { answer: decoded({ pin }) });
    const next = item('new.lic', { answer: decoded({ pin: '999222333444555', previousPin: pin }) });
    const list = listOf([old, next]);
    list.choose('replaced');
    expect(names(list)).toEqual(['old.lic']);
    list.goTo(next);
    expect([[...list.opened.value], list.filter.value]).toEqual([[next.id], 'all']);
    // Where it is shown, nothing else changes.
    list.search.value = '.lic';
    list.goTo(old);
    expect([[...list.opened.value], list.search.value]).toEqual([[next.id, old.id], '.lic']);
  });

  it('show their own order, until the user sorts', () => {
    const list = listOf(items);
    list.sortBy(columnOf('file'));
    list.choose('expiring');
    expect(list.sort.value).toBeUndefined();
  });
});

describe('the default order', () => {
  const pin = '111222333444555';
  const items = [
    item('replaced', { answer: decoded({ pin, clearText: until('23.11.2026') }) }),
    item('ended 91 days ago', { clearText: until('23.08.2026') }),
    item('not read'),
    item('unknown', { clearText: ['Тип лицензии: клиент'] }),
    item('unlimited', {
      answer: decoded({ pin: '999222333444555', previousPin: pin, clearText: until('не ограничен') }),
    }),
    item('ends in 91 days', { clearText: until('21.02.2027') }),
    item('ends in 90 days', { clearText: until('20.02.2027') }),
    item('ends today', { clearText: until('22.11.2026') }),
    item('refused', { answer: failure }),
    item('timed out', { answer: { ...failure, canRetry: true } }),
    item('read without a term', { answer: decoded({ pin: '777222333444555' }) }),
    item('ended 90 days ago', { clearText: until('24.08.2026') }),
  ];
  const urgency = [
    ...['ends today', 'ends in 90 days', 'ended 90 days ago', 'ended 91 days ago', 'ends in 91 days'],
    ...['unlimited', 'not read', 'unknown', 'read without a term', 'timed out', 'refused', 'replaced'],
  ];

  it('is by urgency, and comes back with the third click on a heading', () => {
    const list = listOf(items);
    expect(names(list)).toEqual(urgency);
    for (const sorted of [true, true, false]) {
      list.sortBy(columnOf('file'));
      expect(list.sort.value !== undefined).toBe(sorted);
    }
    expect(names(list)).toEqual(urgency);
    list.sortBy(columnOf('users'));
    list.sortBy(columnOf('state'));
    expect(names(list)).toEqual(urgency);
  });

  it('of expired licenses begins with the one that has expired last', () => {
    const list = listOf([
      ...['01.01.2020', '21.11.2026', '24.08.2026', '23.08.2026'].map((day) =>
        item(day, { clearText: until(day) }),
      ),
      item('current', { clearText: until('22.11.2026') }),
    ]);
    list.choose('expired');
    expect(names(list)).toEqual(['21.11.2026', '24.08.2026', '23.08.2026', '01.01.2020']);
  });

  it('stays when a row is read or removed, until several were read or files come', () => {
    const [first, second, third] = [
      item('1', { clearText: until('31.12.2030') }),
      item('2'),
      item('3', { clearText: until('31.12.2026') }),
    ] as [License, License, License];
    const read = { ...item('2', { answer: decoded({ clearText: until('22.11.2026') }) }), id: second.id };
    const licenses = signal([first, second, third]);
    const isReadingSeveral = signal(true);
    const unchanging = { minute: signal(`${TODAY}T12:00`), isArriving: signal(false) };
    const list = new View({ ...unchanging, licenses, isReadingSeveral }, rowTexts);
    expect(names(list)).toEqual(['3', '1', '2']);
    licenses.value = [first, read, third];
    expect(names(list)).toEqual(['3', '1', '2']);
    licenses.value = [read, third];
    expect(names(list)).toEqual(['3', '2']);
    isReadingSeveral.value = false;
    expect(names(list)).toEqual(['2', '3']);
    licenses.value = [first, read, third];
    expect(names(list)).toEqual(['2', '3', '1']);
  });
});

describe('the search', () => {
  const items = [
    item('srv-1с/архив/20240115.lic', {
      clearText: ['Привязка: BUH-PC, Intel64', 'Тип лицензии: клиент', 'Срок действия: 31.12.2026'],
    }),
    item('b.lic', { answer: decoded({ pin: '332588056123456', owner: ['Компания: ООО "Жёлтый лист"'] }) }),
  ];

  it.each([
    ['архив', ['20240115.lic']],
    ['31.12.2026', ['20240115.lic']],
    ['клиент buh', ['20240115.lic']],
    ['желтый', ['b.lic']],
    ['332-588-056', ['b.lic']],
    ['58805', ['b.lic']],
    ['332-588-057', []],
    ['клиент желтый', []],
    ['SRV-1C', ['20240115.lic']],
    ['жёлтый'.normalize('NFD'), ['b.lic']],
    ['«жёлтый лист»', ['b.lic']],
    ['332–588', ['b.lic']],
    ['прочитан', []],
    ['   ', ['20240115.lic', 'b.lic']],
  ])('%j finds %j', (search, expected) => {
    const list = listOf(items);
    list.search.value = search;
    expect(names(list)).toEqual(expected);
  });

  it('decides what is counted, a filter does not', () => {
    const list = listOf(items);
    list.search.value = 'архив';
    list.choose('errors');
    expect(list.counts.value).toMatchObject({ all: 1, expiring: 1, clients: 1, errors: 0 });
    expect(list.offered.value).toEqual(['all', 'expiring', 'clients', 'incomplete', 'errors']);
  });

  it('finds a type in the language of the page and in that of the file', () => {
    language.value = 'en';
    const list = listOf([item('a.lic', { clearText: ['Тип лицензии: сервер 64'] })]);
    for (const search of ['server 64', 'сервер 64']) {
      list.search.value = search;
      expect(names(list)).toEqual(['a.lic']);
    }
  });
});

describe('sorting', () => {
  const items = [
    item('b10.lic', { clearText: ['Срок действия: не ограничен', 'Количество пользователей: 100'] }),
    item('b9.lic', { clearText: ['Срок действия: 31.12.2026', 'Количество пользователей: 20'] }),
    item('a.lic', { clearText: [] }),
    item('c.lic', { answer: failure, clearText: ['Срок действия: 01.02.2025', 'Тип лицензии: клиент'] }),
  ];

  it.each<[string, string[], string[]]>([
    ['file', ['a.lic', 'b9.lic', 'b10.lic', 'c.lic'], ['c.lic', 'b10.lic', 'b9.lic', 'a.lic']],
    ['users', ['b9.lic', 'b10.lic', 'a.lic', 'c.lic'], ['b10.lic', 'b9.lic', 'a.lic', 'c.lic']],
    ['validUntil', ['c.lic', 'b9.lic', 'b10.lic', 'a.lic'], ['b10.lic', 'b9.lic', 'c.lic', 'a.lic']],
  ])('by %s puts items without a value last, in either direction', (sort, ascending, descending) => {
    const list = listOf(items);
    list.sortBy(columnOf(sort));
    expect(names(list)).toEqual(ascending);
    list.sortBy(columnOf(sort));
    expect(names(list)).toEqual(descending);
  });
});

it.each([
  ['1С:Предприятие 8. Клиентская лицензия на 10 рабочих мест', 'Клиентская лицензия на 10 рабочих мест'],
  ['1С:Предприятие 8. Клиентская лицензия на 50 рабочих мест', 'Клиентская лицензия'],
  ['1С:Предприятие 8.3. Лицензия на сервер (x86-64)', 'Лицензия на сервер (x86-64)'],
  ['1С:Предприятие 8.3 ПРОФ. Лицензия на сервер МИНИ', 'ПРОФ. Лицензия на сервер МИНИ'],
  ['1С:Предприятие 8', '1С:Предприятие 8'],
  ['Клиентская лицензия. На 1С:Предприятие 8. Пять', 'Клиентская лицензия. На 1С:Предприятие 8. Пять'],
])('of the product %j the cell has %j', (product, cell) =>
  expect(shortProduct({ product, users: 50 })).toBe(cell),
);
