import { describe, expect, it } from 'vitest';
import { countUsers } from '../../../src/license/users.js';

describe('countUsers', () => {
  it.each([
    ['Клиентская лицензия на 1 рабочее место', 1],
    ['Клиентская лицензия на 3 рабочих места (USB)', 3],
    ['Лицензия на\u00A0500  рабочих мест', 500],
    ['КЛИЕНТСКАЯ ЛИЦЕНЗИЯ НА 20 РАБОЧИХ МЕСТ', 20],
    ['Лицензия на 1 000 рабочих мест', 1000],
    ['Лицензия на 1\u202F000\u202F000 рабочих мест', 1_000_000],
    ['Client license for 10 000 000 workplaces (USB)', 10_000_000],
    ['Client license for 1 workplace', 1],
    ['1C:Enterprise 8. 5 workplaces', 5],
    ['Client license, 1,000 workplaces', 1000],
    ['1C:Enterprise 8. 20 users (USB)', 20],
    ['Server license for 12,345,678 users', 12_345_678],
    ['1 user', 1],
    ['20 Seats', 20],
    ['for 1 000 seats', 1000],
  ])('reads "%s"', (description, users) => expect(countUsers(description, null)).toBe(users));

  it.each([
    'Лицензия на сервер на 64 разряда',
    'цена 20 рабочих мест',
    'на 1 00 рабочих мест',
    'на 1000 000 рабочих мест',
    '1 000 рабочих мест',
    'на 20 рабочих местечек',
    '1C:Enterprise 8 500 workplaces',
    'therefor 1 000 workplaces',
    'for 1.000 workplaces',
    'for 1234567890 workplaces',
    '20 workplaced',
    '1C:Enterprise 8.3 users',
    '1C:Enterprise 8,3 users',
    '1C:Enterprise 8 user license',
    '8.3,000 users',
    '1,00 users',
    '1,0000 users',
    '20 useless',
    'for an unlimited number of users',
  ])('gives null for "%s"', (description) => expect(countUsers(description, null)).toBeNull());

  const CODES = {
    5: '0000000000005 0000000100005',
    10: '0000000000010 0000000100010 0000000100015',
    20: '0000000000020 0000000100020',
    50: '0000000000050 0000000100050',
    100: '0000000000100 0000000100100',
    300: '0000000100300',
    500: '0000000100500 0000000001000 0000000101000',
    null: '0000000001002 __proto__',
  };
  it.each(Object.entries(CODES))(
    'falls back on the product codes of %s users, and takes those of half a kit first',
    (users, codes) => {
      for (const code of codes.split(' ')) {
        expect(String(countUsers(null, code))).toBe(users);
        expect(String(countUsers('Клиентская лицензия', code))).toBe(users);
        const isHalfKit = code.endsWith('01000');
        expect(String(countUsers('Лицензия на 1000 рабочих мест', code))).toBe(isHalfKit ? users : '1000');
      }
    },
  );
});
