import { signal } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import { List, type Column } from '../../../../src/web/page/model/list.js';
import type { Item } from '../../../../src/web/page/model/item.js';
import type { Change } from '../../../../src/web/page/model/sheet.js';
import { cellTexts, shortProduct } from '../../../../src/web/page/texts/cells.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { decoded, failure, item } from './items.js';

const listOf = (items: Item[]) => new List(signal(items), signal('2026-11-22'), cellTexts);
const names = ({ shown }: List) => shown.value.map(({ name }) => name);
const until = (date: string) => [`Срок действия: ${date}`];

beforeEach(() => {
  language.value = 'ru';
});

describe('filters', () => {
  const items = [
    item('yesterday.lic', { clearText: until('21.11.2026') }),
    item('today.lic', { clearText: until('22.11.2026') }),
    item('90 days.lic', { clearText: until('20.02.2027') }),
    item('91 days.lic', { clearText: until('21.02.2027') }),
    item('never.lic', { clearText: until('не ограничен') }),
    item('failed.lic', { answer: failure }),
    item('unknown.lic'),
  ];

  it.each([
    ['all', items.map(({ name }) => name)],
    ['expired', ['yesterday.lic']],
    ['expiring', ['today.lic', '90 days.lic']],
    ['failed', ['failed.lic']],
    ['problems', ['yesterday.lic', 'failed.lic']],
    ['noClearText', ['unknown.lic']],
    ['duplicates', []],
  ] as const)('%s', (filter, expected) => {
    const list = listOf(items);
    list.filter.value = filter;
    expect(names(list)).toEqual(expected);
    expect(list.counts.value[filter]).toBe(expected.length);
  });

  it('show what expires within the chosen days, the next first, until the user sorts', () => {
    const list = listOf([...items].reverse());
    list.choose('expiring');
    list.horizon.value = 180;
    expect(names(list)).toEqual(['today.lic', '90 days.lic', '91 days.lic']);
    list.sortBy('validUntil');
    list.sortBy('validUntil');
    expect(names(list)).toEqual(['91 days.lic', '90 days.lic', 'today.lic']);
    list.choose('expiring');
    expect(list.filter.value).toBe('all');
  });

  it('duplicates have the same bytes or the same PIN code, and stand side by side', () => {
    const original = item('a.lic', { clearText: until('31.12.2026') });
    const list = listOf([
      original,
      item('c.lic', { answer: decoded({ pin: '111222333444555' }) }),
      item('b.lic', { content: original.content }),
      item('e.lic', { answer: decoded({ pin: '999222333444555' }) }),
      item('d.lic', { answer: decoded({ pin: '111222333444555' }) }),
    ]);
    list.choose('duplicates');
    expect(names(list)).toEqual(['a.lic', 'b.lic', 'c.lic', 'd.lic']);
    const marks = list.shown.value.map((item) => list.markOf(item));
    expect(marks).toEqual(['duplicated', 'duplicate', 'duplicated', 'duplicate']);
  });

  it('a license is replaced when another one has its PIN code as the previous one', () => {
    const list = listOf([
      item('old.lic', { answer: decoded({ pin: '111222333444555' }) }),
      item('new.lic', { answer: decoded({ pin: '999222333444555', previousPin: '111222333444555' }) }),
    ]);
    list.choose('replaced');
    expect(names(list)).toEqual(['old.lic']);
    expect(list.items.value.map((item) => list.markOf(item))).toEqual(['replacedMark', undefined]);
  });
});

describe('the search', () => {
  const items = [
    item('20240115.lic', {
      folder: 'srv-1с/архив',
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

  it('leaves the numbers of the filters alone, not the sums', () => {
    const list = listOf(items);
    list.search.value = 'архив';
    expect(list.counts.value.all).toBe(2);
    expect(list.sums.value.files).toBe(1);
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

  it.each<[Column, string[], string[]]>([
    ['file', ['a.lic', 'b9.lic', 'b10.lic', 'c.lic'], ['c.lic', 'b10.lic', 'b9.lic', 'a.lic']],
    ['users', ['b9.lic', 'b10.lic', 'a.lic', 'c.lic'], ['b10.lic', 'b9.lic', 'a.lic', 'c.lic']],
    ['validUntil', ['c.lic', 'b9.lic', 'b10.lic', 'a.lic'], ['b10.lic', 'b9.lic', 'c.lic', 'a.lic']],
    ['state', ['c.lic', 'b10.lic', 'b9.lic', 'a.lic'], ['b10.lic', 'b9.lic', 'a.lic', 'c.lic']],
  ])('by %s puts items without a value last, in either direction', (sort, ascending, descending) => {
    const list = listOf(items);
    list.sortBy(sort);
    expect(names(list)).toEqual(ascending);
    list.sortBy(sort);
    expect(names(list)).toEqual(descending);
  });
});

it.each([
  ['1С:Предприятие 8. Клиентская лицензия на 10 рабочих мест', 'Клиентская лицензия на 10 рабочих мест'],
  ['1С:Предприятие 8.3. Лицензия на сервер (x86-64)', 'Лицензия на сервер (x86-64)'],
  ['1С:Предприятие 8.3 ПРОФ. Лицензия на сервер МИНИ', 'ПРОФ. Лицензия на сервер МИНИ'],
  ['1С:Предприятие 8', '1С:Предприятие 8'],
  ['Клиентская лицензия. На 1С:Предприятие 8. Пять', 'Клиентская лицензия. На 1С:Предприятие 8. Пять'],
])('of the product %j the cell has %j', (product, cell) => expect(shortProduct(product)).toBe(cell));

it('what is gone is shown, and counts nowhere', () => {
  const here = item('here.lic', { clearText: until('31.12.2020') });
  const gone = item('gone.lic', { content: here.content });
  const changes = signal(new Map<Item, Change>([[gone, { name: 'gone' }]]));
  const list = new List(signal([here, gone]), signal('2026-11-22'), cellTexts, changes);
  expect(names(list)).toEqual(['here.lic', 'gone.lic']);
  expect(list.counts.value).toMatchObject({ all: 2, expired: 1, changes: 1, duplicates: 0 });
  expect(list.sums.value).toMatchObject({ files: 1, expired: 1 });
  list.choose('changes');
  expect(names(list)).toEqual(['gone.lic']);
});
