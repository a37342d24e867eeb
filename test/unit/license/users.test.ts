import { expect, it } from 'vitest';
import { deriveUsers } from '../../../src/license/users.js';

const ofClients = (productCode: string | null, text: string | null) =>
  deriveUsers({ kind: 'client', productCode, text });

it.each([
  ['Клиентская лицензия на 1 рабочее место', 1],
  ['Клиентская лицензия на одно рабочее место', 1],
  ['Базовая версия для одного пользователя', 1],
  ['Лицензия на 1 пользователя', 1],
  ['Client license for 1 workplace', 1],
  ['1 user', 1],
  ['Лицензия на\u00A0500  рабочих мест', 500],
  ['КЛИЕНТСКАЯ ЛИЦЕНЗИЯ НА 50 РАБОЧИХ МЕСТ', 50],
  ['1С:Комплексная автоматизация 8 для 50 пользователей + клиент-сервер', 50],
  ['Клиентская лицензия на 50 р.м.', 50],
  ['Клиентская лицензия на 300 р. м. (USB)', 300],
  ['Лицензия на 100 раб. мест', 100],
  ['1C:Enterprise 8. 100 users (USB)', 100],
  ['50 Seats', 50],
  ['Client license (50 users)', 50],
])('a client license "%s" is for %s users', (text, users) => expect(ofClients(null, text)).toBe(users));

it.each([
  'Клиентская лицензия на 3 рабочих места (USB)',
  'Клиентская лицензия на 20 рабочих мест',
  'Комплект на 5 пользователей',
  '1C:Enterprise 8. 10 workplaces',
  'Клиентская лицензия на 49 рабочих мест',
  'Клиентская лицензия на 501 рабочее место',
  'Клиентская лицензия на 1000 рабочих мест',
  'Лицензия на 1 000 рабочих мест',
  'Client license, 1,000 workplaces',
  'Client license for 2 500 workplaces',
])('the kit "%s" does not tell the users of its licenses', (text) =>
  expect(ofClients(null, text)).toBeNull(),
);

it.each([
  'Лицензия на сервер на 64 разряда',
  'цена 50 рабочих мест',
  '50 рабочих мест',
  'на 50 рабочих местечек',
  '1C:Enterprise 8 500 workplaces',
  '1,100 users',
  '1100 users',
  '8.100 users',
  '10/50 users',
  '10/ 50 users',
  '5-50 users',
  '5 – 50 users',
  "1'500 users",
  '50 workplaced',
  '50 useless',
  'Лицензия на 50 пользовательских форм',
  'Лицензия на 50 р.',
  'Лицензия на одну базу',
  '',
])('"%s" names no users', (text) => expect(ofClients(null, text)).toBeNull());

const CODES: Record<string, number | null> = {
  '0000000000003 0000000100003': null,
  '0000000000005 0000000100005': null,
  '0000000000010 0000000000015 0000000100010 0000000100015': null,
  '0000000000020 0000000100020': null,
  '0000000000050 0000000100050': 50,
  '0000000000100 0000000100100': 100,
  '0000000000300 0000000100300': 300,
  '0000000000500 0000000100500 0000000001000 0000000101000': 500,
};
it.each(Object.entries(CODES))(
  'the product codes %s mean %s users, whatever the text says',
  (codes, users) => {
    for (const productCode of codes.split(' ')) {
      expect(ofClients(productCode, null)).toBe(users);
      expect(ofClients(productCode, 'Лицензия на 1 рабочее место')).toBe(users);
    }
  },
);

it.each(['0000000001002', '__proto__'])('the text counts when the product code is %s', (productCode) => {
  expect(ofClients(productCode, null)).toBeNull();
  expect(ofClients(productCode, 'Лицензия на 1 рабочее место')).toBe(1);
});

it.each(['server', null] as const)('a license of the kind %s has no users that nobody states', (kind) => {
  expect(deriveUsers({ kind, productCode: '0000000000050', text: 'на 50 рабочих мест' })).toBeNull();
});
