import { expect, it } from 'vitest';
import { textsIn } from '../../../../src/web/page/texts/texts.js';

it.each([
  ['ru', 1, 'на 1 пользователя'],
  ['ru', 2, 'на 2 пользователей'],
  ['ru', 1465, 'на 1\u00A0465 пользователей'],
  ['en', 1, 'for 1 user'],
  ['en', 1465, 'for 1,465 users'],
] as const)('%s has the form that %i asks for', (language, users, expected) =>
  expect(textsIn(language)('sumForUsers', { users })).toBe(expected),
);

it('a text keeps a placeholder without a value', () => {
  expect(textsIn('en')('progress', { decided: 2 })).toBe('2 of {total}');
});
