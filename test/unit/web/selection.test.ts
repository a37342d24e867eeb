import { describe, expect, it } from 'vitest';
import { cellTextsIn } from '../../../src/web/page/cells.js';
import type { Item } from '../../../src/web/page/item.js';
import { select, type Choice, type Column } from '../../../src/web/page/selection.js';
import { done, failed, item } from './items.js';

const TODAY = '2026-11-22';

const choose = (items: Item[], choice: Partial<Choice> = {}) =>
  select(
    items,
    { filter: 'all', search: '', sort: undefined, descending: false, ...choice },
    cellTextsIn('ru'),
    TODAY,
  );
const names = (items: Item[], choice: Partial<Choice>) =>
  choose(items, choice).shown.map(({ file }) => file.name);

const until = (date: string) => [`Срок действия: ${date}`];

describe('filters', () => {
  const items = [
    item('yesterday.lic', { clearText: until('21.11.2026') }),
    item('today.lic', { clearText: until('22.11.2026') }),
    item('90 days.lic', { clearText: until('20.02.2027') }),
    item('91 days.lic', { clearText: until('21.02.2027') }),
    item('never.lic', { clearText: until('не ограничен') }),
    item('failed.lic', { state: failed }),
  ];

  it.each([
    ['all', items.map(({ file }) => file.name)],
    ['expired', ['yesterday.lic']],
    ['expiring', ['today.lic', '90 days.lic']],
    ['failed', ['failed.lic']],
    ['duplicates', []],
  ] as const)('%s', (filter, expected) => {
    expect(names(items, { filter })).toEqual(expected);
    expect(choose(items).counts[filter]).toBe(expected.length);
  });

  it('duplicates have the same bytes or the same PIN code', () => {
    const original = item('a.lic', { clearText: until('31.12.2026') });
    const decoded = item('c.lic', { state: done({ pin: '111222333444555' }) });
    const all = [
      original,
      item('b.lic', { content: original.content }),
      decoded,
      item('d.lic', { state: done({ pin: '111222333444555' }) }),
      item('e.lic', { state: done({ pin: '999222333444555' }) }),
    ];
    expect(names(all, { filter: 'duplicates' })).toEqual(['a.lic', 'b.lic', 'c.lic', 'd.lic']);
  });
});

describe('the search', () => {
  const items = [
    item('20240115.lic', {
      folder: 'srv-1c/архив',
      clearText: ['Привязка: BUH-PC, Intel64', 'Тип лицензии: клиент', 'Срок действия: 31.12.2026'],
    }),
    item('b.lic', { state: done({ pin: '332588056123456', owner: ['Компания: ООО "Жёлтый лист"'] }) }),
  ];

  it.each([
    ['архив', ['20240115.lic']],
    ['buh-pc', ['20240115.lic']],
    ['31.12.2026', ['20240115.lic']],
    ['клиент buh', ['20240115.lic']],
    ['желтый', ['b.lic']],
    ['332-588-056', ['b.lic']],
    ['332588056123456', ['b.lic']],
    ['58805', ['b.lic']],
    ['332-588-057', []],
    ['клиент желтый', []],
    ['   ', ['20240115.lic', 'b.lic']],
  ])('%j finds %j', (search, expected) => expect(names(items, { search })).toEqual(expected));

  it('leaves the numbers of the filters alone', () => {
    expect(choose(items, { search: 'nothing' }).counts.all).toBe(2);
  });
});

describe('sorting', () => {
  const items = [
    item('b10.lic', { clearText: ['Срок действия: не ограничен', 'Количество пользователей: 100'] }),
    item('b9.lic', { clearText: ['Срок действия: 31.12.2026', 'Количество пользователей: 20'] }),
    item('a.lic', { clearText: [] }),
    item('c.lic', { state: failed, clearText: ['Срок действия: 01.02.2025', 'Тип лицензии: клиент'] }),
  ];

  it.each<[Column, string[], string[]]>([
    ['file', ['a.lic', 'b9.lic', 'b10.lic', 'c.lic'], ['c.lic', 'b10.lic', 'b9.lic', 'a.lic']],
    ['users', ['b9.lic', 'b10.lic', 'a.lic', 'c.lic'], ['b10.lic', 'b9.lic', 'a.lic', 'c.lic']],
    ['validUntil', ['c.lic', 'b9.lic', 'b10.lic', 'a.lic'], ['b10.lic', 'b9.lic', 'c.lic', 'a.lic']],
    ['type', ['c.lic', 'b10.lic', 'b9.lic', 'a.lic'], ['c.lic', 'b10.lic', 'b9.lic', 'a.lic']],
    ['state', ['c.lic', 'b10.lic', 'b9.lic', 'a.lic'], ['b10.lic', 'b9.lic', 'a.lic', 'c.lic']],
  ])('by %s puts items without a value last, in either direction', (sort, ascending, descending) => {
    expect(names(items, { sort })).toEqual(ascending);
    expect(names(items, { sort, descending: true })).toEqual(descending);
  });
});
