import { expect, it } from 'vitest';
import { countedOf } from '../../../../src/web/page/model/standing.js';
import { sumUp } from '../../../../src/web/page/model/sums.js';
import { decoded, failure, item } from './items.js';

const TODAY = '2026-11-22';
const client = (users: number | null, until = 'не ограничен') => [
  'Тип лицензии: клиент',
  `Срок действия: ${until}`,
  ...(users === null ? [] : [`Количество пользователей: ${users}`]),
];

it('counts users by type, each license once, without those that have expired or were replaced', () => {
  const first = item('a.lic', { clearText: client(10) });
  const sums = sumUp(
    [
      first,
      item('copy of a.lic', { content: first.content }),
      item('b.lic', { clearText: client(20, '31.12.2026') }),
      item('expired.lic', { clearText: client(500, '21.11.2026') }),
      item('does not say.lic', { clearText: client(null) }),
      item('server.lic', { clearText: ['Тип лицензии: сервер 64', 'Срок действия: 31.12.2026'] }),
      item('unknown.lic', { clearText: ['Регистрационный номер: 8100330000'] }),
      item('replaced.lic', { answer: decoded({ pin: '999222333444555', clearText: client(700) }) }),
      item('failed for good.lic', { answer: failure }),
      item('no clear text.lic'),
    ],
    new Set(['999222333444555']),
    TODAY,
  );
  expect(sums).toEqual({
    licenses: 5,
    users: 30,
    untyped: 1,
    withoutUsers: 2,
    unknown: 1,
    next: '2026-12-31',
  });
});

it.each([
  ['is valid', ['a.lic', client(50, '21.11.2026')], ['b.lic', client(null, '31.12.2026')]],
  ['states users', ['a.lic', client(null)], ['b (1).lic', client(50)]],
  ['is not named like a copy', ['a (1).lic', client(50)], ['b.lic', client(50)]],
  ['is not named like a copy', ['a — копия.lic', client(50)], ['b.lic', client(50)]],
  ['is not named like a copy', ['Copy of a.lic', client(50)], ['b.lic', client(50)]],
  ['has the first path', ['b.lic', client(50)], ['a.lic', client(50)]],
] as [string, [string, string[]], [string, string[]]][])(
  'counts of one license the file that %s, whatever the order: %j, %j',
  (_, ...files) => {
    const items = files.map(([name, clearText]) => item(name, { answer: decoded({ clearText }) }));
    expect(countedOf(items, TODAY)).toBe(items[1]);
    expect(countedOf(items.toReversed(), TODAY)).toBe(items[1]);
    expect(sumUp(items, new Set(), TODAY).licenses).toBe(1);
  },
);
