import { describe, expect, it } from 'vitest';
import { deriveUsers } from '../../../src/license/users.js';

describe('deriveUsers', () => {
  it.each([
    ['Клиентская лицензия на 1 рабочее место', 1],
    ['Клиентская лицензия на 3 рабочих места (USB)', 3],
    ['Лицензия на\u00A0500  рабочих мест', 500],
    ['КЛИЕНТСКАЯ ЛИЦЕНЗИЯ НА 20 РАБОЧИХ МЕСТ', 20],
    ['Лицензия на 1 000 рабочих мест', 1000],
    ['Лицензия на 1\u202F000\u202F000 рабочих мест', 1_000_000],
    ['Клиентская лицензия на одно рабочее место', 1],
    ['Базовая версия для одного пользователя', 1],
    ['1С:Бухгалтерия 8 ПРОФ. Комплект на 5 пользователей', 5],
    ['Лицензия для 10 пользователей', 10],
    ['Лицензия на 1 пользователя', 1],
    ['Клиентская лицензия на 50 р.м.', 50],
    ['Клиентская лицензия на 20 р. м. (USB)', 20],
    ['Лицензия на 100 раб. мест', 100],
    ['Client license for 10 000 000 workplaces (USB)', 10_000_000],
    ['Client license for 1 workplace', 1],
    ['1C:Enterprise 8. 5 workplaces', 5],
    ['Client license, 1,000 workplaces', 1000],
    ['1C:Enterprise 8. 20 users (USB)', 20],
    ['Server license for 12,345,678 users', 12_345_678],
    ['1 user', 1],
    ['20 Seats', 20],
    ['for 1 000 seats', 1000],
  ])('reads "%s"', (description, users) =>
    expect(deriveUsers({ productCode: null, text: description })).toBe(users),
  );

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
    '5 пользователей',
    'Лицензия на 5 пользовательских форм',
    'Лицензия на 5 р.',
    'Лицензия на одну базу',
    'for an unlimited number of users',
  ])('gives null for "%s"', (description) =>
    expect(deriveUsers({ productCode: null, text: description })).toBeNull(),
  );

  const CODES = {
    3: '0000000000003 0000000100003',
    5: '0000000000005 0000000100005',
    10: '0000000000010 0000000000015 0000000100010 0000000100015',
    20: '0000000000020 0000000100020',
    50: '0000000000050 0000000100050',
    100: '0000000000100 0000000100100',
    300: '0000000000300 0000000100300',
    500: '0000000000500 0000000100500 0000000001000 0000000101000',
  };
  it.each(Object.entries(CODES))(
    'knows the product codes of %s users, whatever the text says',
    (users, codes) => {
      for (const productCode of codes.split(' ')) {
        expect(deriveUsers({ productCode, text: null })).toBe(Number(users));
        expect(deriveUsers({ productCode, text: 'Лицензия на 1000 рабочих мест' })).toBe(Number(users));
      }
    },
  );

  it.each(['0000000001002', '__proto__'])('reads the text when the product code is %s', (productCode) => {
    expect(deriveUsers({ productCode, text: null })).toBeNull();
    expect(deriveUsers({ productCode, text: 'Лицензия на 1000 рабочих мест' })).toBe(1000);
  });
});
