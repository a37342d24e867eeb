import { expect, it } from 'vitest';
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
    files: 10,
    client: { licenses: 3, users: 30 },
    server: { licenses: 1, users: 0 },
    other: { licenses: 1, users: 0 },
    withoutUsers: 2,
    unknown: 1,
    expired: 1,
    failed: 1,
    next: { day: '2026-12-31', licenses: 2 },
  });
});

it('counts a license once that comes in two different files', () => {
  const pin = '111222333444555';
  const description = 'Клиентская лицензия на 50 рабочих мест';
  const { client } = sumUp(
    [
      item('a.lic', { answer: decoded({ pin }) }),
      item('b.lic', { answer: decoded({ pin, description }) }),
      item('c.lic', { answer: decoded({ pin, description }) }),
    ],
    new Set(),
    TODAY,
  );
  expect(client).toEqual({ licenses: 1, users: 50 });
});
