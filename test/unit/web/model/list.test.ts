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

function read({ content }: Item, clearText: string[] = []) {
  content.happens('asked');
  content.happens('sent');
  content.finish(decoded({ clearText }));
}

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
    ['errors', ['failed.lic']],
    ['noData', ['unknown.lic']],
    ['duplicates', []],
  ] as const)('%s', (filter, expected) => {
    const list = listOf(items);
    list.filter.value = filter;
    expect(names(list)).toEqual(expected);
    list.choose('all');
    expect(list.offered.value.includes(filter)).toBe(expected.length > 0);
  });

  it('show what expires within the chosen days, and give way to all when they are chosen again', () => {
    const list = listOf([...items].reverse());
    list.choose('expiring');
    list.horizon.value = 180;
    expect(names(list)).toEqual(['today.lic', '90 days.lic', '91 days.lic']);
    list.choose('expiring');
    expect(list.filter.value).toBe('all');
  });

  it('what is read stays among what has no data until that filter is chosen again', () => {
    const [first, second] = [item('a.lic'), item('b.lic')];
    const list = listOf([first, second]);
    list.choose('noData');
    expect(names(list)).toEqual(['a.lic', 'b.lic']);
    read(first);
    expect(names(list)).toEqual(['a.lic', 'b.lic']);
    list.choose('all');
    expect(names(list)).toHaveLength(2);
    list.choose('noData');
    expect(names(list)).toEqual(['b.lic']);
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

  it('a license is replaced when another one has its PIN code as the previous one; it has not expired', () => {
    const pin = '111222333444555';
    const old = item('old.lic', { answer: decoded({ pin, clearText: until('21.11.2026') }) });
    const next = item('new.lic', { answer: decoded({ pin: '999222333444555', previousPin: pin }) });
    const list = listOf([old, next]);
    expect(list.offered.value).toEqual(['all', 'replaced']);
    list.choose('replaced');
    expect(names(list)).toEqual(['old.lic']);
    expect(list.items.value.map((item) => list.markOf(item))).toEqual(['replacedMark', undefined]);
    expect(list.relativesOf(old)).toEqual({ successor: next, predecessor: undefined });
    expect(list.relativesOf(next)).toEqual({ successor: undefined, predecessor: old });
    list.goTo(next);
    expect([list.open.value, list.filter.value]).toEqual([next, 'all']);
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
    item('not read either', { answer: failure }),
    item('ended 90 days ago', { clearText: until('24.08.2026') }),
  ];
  const urgency = [
    ...['ended 90 days ago', 'ends today', 'ends in 90 days', 'ends in 91 days', 'unlimited', 'unknown'],
    ...['not read', 'not read either', 'ended 91 days ago', 'replaced'],
  ];

  it('puts first what ends or has just ended, and comes back with the third click on a heading', () => {
    const list = listOf(items);
    expect(names(list)).toEqual(urgency);
    for (const sorted of [true, true, false]) {
      list.sortBy('file');
      expect(list.sort.value !== undefined).toBe(sorted);
    }
    expect(names(list)).toEqual(urgency);
  });

  it('stays when a row is read or removed, until several were read or files come', () => {
    const given = signal<Item[]>([
      item('1', { clearText: until('31.12.2030') }),
      item('2'),
      item('3', { clearText: until('31.12.2026') }),
    ]);
    const readings = signal(0);
    const list = new List(given, signal('2026-11-22'), cellTexts, readings);
    expect(names(list)).toEqual(['3', '1', '2']);
    const [first, second, third] = given.value as [Item, Item, Item];
    read(second, until('22.11.2026'));
    expect(names(list)).toEqual(['3', '1', '2']);
    given.value = [second, third];
    expect(names(list)).toEqual(['3', '2']);
    readings.value += 1;
    expect(names(list)).toEqual(['2', '3']);
    given.value = [first, second, third];
    expect(names(list)).toEqual(['2', '3', '1']);
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

  it('decides what is counted, a filter does not', () => {
    const list = listOf(items);
    list.search.value = 'архив';
    list.choose('errors');
    expect(list.found.value).toHaveLength(1);
    expect(list.sums.value.licenses).toBe(1);
    expect(list.offered.value).toEqual(['all', 'expiring', 'clients', 'errors']);
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
  const list = new List(signal([here, gone]), signal('2026-11-22'), cellTexts, signal(0), changes);
  expect(names(list)).toEqual(['here.lic', 'gone.lic']);
  expect(list.listed.value).toEqual([here]);
  expect(list.markOf(here)).toBeUndefined();
  list.choose('changes');
  expect(names(list)).toEqual(['gone.lic']);
});
