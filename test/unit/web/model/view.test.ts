import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { effect, signal } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import { nameOf, type License } from '../../../../src/web/page/model/license.js';
import type { View } from '../../../../src/web/page/model/view.js';
import { productText, rowTexts, shortProduct } from '../../../../src/web/page/license/row-texts.js';
import { language } from '../../../../src/web/page/texts/language.js';
import { decoded, failed, refused, knownAs, license as item, viewOf } from './licenses.js';

const TODAY = '2026-11-22';
const NOT_UNDERSTOOD = '1С Предприятие 8. Лицензия на 20 рабочих мест (программная защита)';
const listOf = (items: License[]) => viewOf(items, TODAY);
const names = ({ shown }: View) => shown.value.map(nameOf);
const until = (date: string) => [`Срок действия: ${date}`];

beforeEach(() => {
  language.value = 'ru';
});

it('a license leads to the one that replaced it, in whatever filter that is', () => {
  const pin = '111222333444555';
  const old = item('old.lic', { answer: decoded({ pin }) });
  const next = item('new.lic', { answer: decoded({ pin: '999222333444555', previousPin: pin }) });
  const list = listOf([old, next]);
  list.search.value = 'old';
  expect(names(list)).toEqual(['old.lic']);
  list.goTo(next);
  expect([[...list.opened.value], list.search.value]).toEqual([[next.id], '']);
  // Where it is shown, nothing else changes.
  list.search.value = '.lic';
  list.goTo(old);
  expect([[...list.opened.value], list.search.value]).toEqual([[next.id, old.id], '.lic']);
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
    item('refused', { answer: refused }),
    item('timed out', { answer: failed }),
    item('read without a term', { answer: decoded({ pin: '777222333444555' }) }),
    item('ended 90 days ago', { clearText: until('24.08.2026') }),
  ];
  const terms = [
    ['soon', ['ends today', 'ends in 90 days']],
    ['expired', ['ended 90 days ago', 'ended 91 days ago']],
    ['later', ['ends in 91 days']],
    ['unlimited', ['unlimited']],
    ['unknown', ['not read', 'unknown', 'refused', 'timed out', 'read without a term']],
    ['replaced', ['replaced']],
  ];
  const groups = (list: View) =>
    list.groups.value.map(({ heading, licenses }) => [heading, licenses.map(nameOf).sort()]);
  const sorted = terms.map(([heading, rows]) => [heading, Array.from(rows ?? []).sort()]);

  it('is by term, with headings, and comes back with the third click on a column', () => {
    const list = listOf(items);
    expect(groups(list)).toEqual(sorted);
    for (const order of [
      { column: 'product', descending: false },
      { column: 'product', descending: true },
      'term',
    ]) {
      list.sortBy('product');
      expect(list.order.value).toEqual(order);
    }
    expect(groups(list)).toEqual(sorted);
  });

  it('of a column is one list without headings', () => {
    const list = listOf(items);
    list.sortBy('users');
    expect(list.groups.value.map(({ heading, licenses }) => [heading, licenses.length])).toEqual([['', 12]]);
  });

  it('of equal terms is by computer as people sort them, then by product, and so is each column', () => {
    const on = (name: string, computer: string | null, product: string) =>
      knownAs(name, { computer, product, unlimited: true });
    const list = listOf([
      on('a', null, 'P'),
      on('b', 'SRV-10', 'P 10'),
      on('c', 'srv-9', 'P'),
      on('d', 'srv-10', 'P 9'),
    ]);
    const expected = ['c', 'd', 'b', 'a'];
    expect(names(list)).toEqual(expected);
    expect(list.computerCount.value).toBe(2);
    for (const order of ['users', 'users', 'computer']) {
      list.sortBy(order);
      expect(names(list)).toEqual(expected);
    }
  });

  describe('while the service reads', () => {
    const first = item('1', { clearText: until('31.12.2030') });
    const second = item('2');
    const third = item('3', { clearText: until('31.12.2026') });
    const read = { ...item('2', { answer: decoded({ clearText: until('22.11.2026') }) }), id: second.id };
    const reading = () => {
      const licenses = signal([first, second, third]);
      const isReadingOn = signal(true);
      const list = viewOf(licenses, TODAY, isReadingOn);
      return { licenses, isReadingOn, list };
    };

    it('rows stay below their headings until the reading ends, or the user removes or adds one', () => {
      const { licenses, isReadingOn, list } = reading();
      const headings = () => list.groups.value.map(({ heading }) => heading);
      const before = [
        ['3', '1', '2'],
        ['soon', 'later', 'unknown'],
      ];
      expect([names(list), headings()]).toEqual(before);
      licenses.value = [first, read, third];
      expect([names(list), headings()]).toEqual(before);
      isReadingOn.value = false;
      const after = [
        ['2', '3', '1'],
        ['soon', 'later'],
      ];
      expect([names(list), headings()]).toEqual(after);
      licenses.value = [second, third];
      expect(names(list)).toEqual(['3', '2']);
      licenses.value = [read, third];
      licenses.value = [first, read, third];
      expect([names(list), headings()]).toEqual(after);
    });

    it('a row that the filter no longer shows stays, sorted as it may be, until the user searches', () => {
      const { licenses, list } = reading();
      list.choose('notRead');
      licenses.value = [first, read, third];
      expect([list.counts.value.notRead, names(list)]).toEqual([2, ['3', '1', '2']]);
      list.sortBy('validUntil');
      expect(names(list)).toEqual(['2', '3', '1']);
      list.search.value = '.20';
      expect(names(list)).toEqual(['3', '1']);
    });

    it('a row that the filter no longer shows goes when another is removed', () => {
      const { licenses, list } = reading();
      list.choose('notRead');
      licenses.value = [first, read, third];
      licenses.value = [first, read];
      expect(names(list)).toEqual(['1']);
    });
  });
});

describe('the search', () => {
  const items = [
    item('srv-1с/архив/20240115.lic', {
      clearText: ['Привязка: BUH-PC, Intel64', 'Тип лицензии: клиент', 'Срок действия: 31.12.2026'],
    }),
    item('b.lic', { answer: decoded({ pin: '332588056123456', owner: ['Компания: ООО "Жёлтый лист"'] }) }),
    item('buh-pc/other.lic', { clearText: ['Тип лицензии: сервер'] }),
    item('332 588 056/123 456/20190210.lic', { clearText: ['Регистрационный номер: 8100886831'] }),
  ];

  it.each([
    ['архив', '20240115.lic'],
    ['31.12.2026', '20240115.lic'],
    ['клиент buh', '20240115.lic'],
    ['buh-p', '20240115.lic other.lic'],
    // The name of a computer alone finds what is on it.
    [' buh-pc', '20240115.lic'],
    ['ООО "Жёлтый лист"', 'b.lic'],
    ['желтый', 'b.lic'],
    ['332-588-056', 'b.lic'],
    ['58805', 'b.lic'],
    ['332-588-057', ''],
    ['клиент желтый', ''],
    ['SRV-1C', '20240115.lic'],
    ['жёлтый'.normalize('NFD'), 'b.lic'],
    ['«жёлтый лист»', 'b.lic'],
    ['332–588', 'b.lic'],
    ['прочитан', ''],
    ['332-588-056,', 'b.lic'],
    ['file://C:/ProgramData/1C/licenses/B.lic', 'b.lic'],
    ['/var/1C/licenses/20240115.lic', '20240115.lic'],
    ['C:\\Program Files\\1C\\20240115.lic', '20240115.lic'],
    ['архив/20240115.lic', '20240115.lic'],
    ['другой архив/b.lic', 'b.lic'],
    ['   ', '20240115.lic b.lic other.lic 20190210.lic'],
    ['332 588 056 123 456', 'b.lic'],
    ['332588056123456-800123456', 'b.lic'],
    ['410030617287948-8100886831', '20190210.lic'],
    ['"file:///var/1C/licenses/20190210.lic"', '20190210.lic'],
    ['series : "8100886831"', '20190210.lic'],
    ['full-name : "/srv/20190210.lic"', '20190210.lic'],
    ['рег. номер 8100886831', '20190210.lic'],
    ['8100886831G0', '20190210.lic'],
    ['"Сервер, 8100886831 500 113000"', '20190210.lic'],
    ['31 2026', '20240115.lic'],
  ])('%j finds %j', (search, expected) => {
    const list = listOf(items);
    list.search.value = search;
    expect(names(list).join(' ')).toBe(expected);
  });

  it('decides what is counted, a filter does not, and what counts nothing is not offered', () => {
    const list = listOf(items);
    list.search.value = 'архив';
    list.choose('servers');
    expect(list.counts.value).toMatchObject({ all: 1, expiring: 1, clients: 1, servers: 0 });
    expect(list.offered.value).toEqual(['expiring', 'clients', 'servers', 'notRead']);
    list.choose('servers');
    expect(list.offered.value).toEqual(['expiring', 'clients', 'notRead']);
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
    item('c.lic', { answer: refused, clearText: ['Срок действия: 01.02.2025', 'Тип лицензии: клиент'] }),
  ];

  it.each<[string, string[], string[]]>([
    ['users', ['b9.lic', 'b10.lic', 'a.lic', 'c.lic'], ['b10.lic', 'b9.lic', 'a.lic', 'c.lic']],
    ['validUntil', ['c.lic', 'b9.lic', 'b10.lic', 'a.lic'], ['b10.lic', 'b9.lic', 'c.lic', 'a.lic']],
  ])('by %s puts items without a value last, in either direction', (sort, ascending, descending) => {
    const list = listOf(items);
    list.sortBy(sort);
    expect(names(list)).toEqual(ascending);
    list.sortBy(sort);
    expect(names(list)).toEqual(descending);
  });

  it('by product goes by what is shown of it', () => {
    const list = listOf([
      knownAs('a', { product: '1С:Предприятие 8 ПРОФ. Клиентская лицензия на 5 рабочих мест', users: 5 }),
      knownAs('b', { product: '1С:Предприятие 8.3. Лицензия на сервер (x86-64)' }),
      knownAs('c', { product: '1С:Предприятие 8.3. Клиентская лицензия на 5 рабочих мест', users: 5 }),
    ]);
    list.sortBy('product');
    expect(list.shown.value.map(productText)).toEqual(['Клиентская', 'Клиентская ПРОФ', 'Сервер x86-64']);
  });
});

it.each([
  [
    '1С:Предприятие 8. Клиентская лицензия на 10 рабочих мест',
    'Клиентская, комплект 10',
    'Client, kit of 10',
  ],
  ['1С:Предприятие 8. Клиентская лицензия на 50 рабочих мест', 'Клиентская', 'Client'],
  [
    '1С:Предприятие 8 ПРОФ. Клиентская лицензия на 1 рабочее место',
    'Клиентская ПРОФ, комплект 1',
    'Client ПРОФ, kit of 1',
  ],
  ['1С:Предприятие 8.3. Лицензия на сервер (x86-64)', 'Сервер x86-64', 'Server x86-64'],
  ['1С:Предприятие 8.3 ПРОФ. Лицензия на сервер МИНИ', 'Сервер ПРОФ МИНИ', 'Server ПРОФ МИНИ'],
  ['1С:Предприятие 8.3. Лицензия на сервер МИНИ на 50 подключений', 'Сервер МИНИ', 'Server МИНИ'],
  ['1C:Enterprise 8. Client license for 5 workplaces', 'Клиентская, комплект 5', 'Client, kit of 5'],
  ['1С:Предприятие 8', '1С:Предприятие 8', '1С:Предприятие 8'],
  [NOT_UNDERSTOOD, NOT_UNDERSTOOD, NOT_UNDERSTOOD],
])('of the product %j the cell has %j and %j', (product, ru, en) => {
  expect(shortProduct({ product, users: 50 })).toBe(ru);
  language.value = 'en';
  expect(shortProduct({ product, users: 50 })).toBe(en);
});

it('the hour of an end stands behind its day', () => {
  const license = item('a.lic', { clearText: until('27.11.2026 9:15:00') });
  expect(rowTexts(license).validUntil).toBe('27.11.2026, 09:15');
});

it('of a file that is given again with other bytes the older one is a previous copy', () => {
  const [old, next, elsewhere] = [item('srv/a.lic'), item('srv/a.lic'), item('a.lic')];
  const files = [old, next, elsewhere];
  const { assessmentOf } = listOf(files);
  expect(files.filter((file) => assessmentOf(file).isPreviousCopy)).toEqual([old]);
});

it('keeps nothing of a license that was removed, also when nobody looks at the list any more', async () => {
  const { licenses, view, facts } = viewOfOne();
  const stopLooking = effect(() => expect(view.groups.value).toHaveLength(licenses.value.length));
  stopLooking();
  licenses.value = [];
  const isGone = () => {
    collectGarbage();
    return facts.deref() === undefined;
  };
  await expect.poll(isGone).toBe(true);
});

/** A view of a single license, and whether what is known of it is still in memory. */
function viewOfOne() {
  const only = item('a.lic', { answer: decoded({ owner: ['Имя: Иван'] }) });
  const licenses = signal<readonly License[]>([only]);
  return { licenses, view: viewOf(licenses, TODAY), facts: new WeakRef(only.facts) };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
