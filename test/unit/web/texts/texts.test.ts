import { expect, it } from 'vitest';
import { textsIn } from '../../../../src/web/page/texts/texts.js';

it.each([
  [1, 'на 1 пользователя'],
  [2, 'на 2 пользователей'],
  [5, 'на 5 пользователей'],
  [1465, 'на 1\u00A0465 пользователей'],
])('Russian has the form that %i asks for', (users, expected) =>
  expect(textsIn('ru')('sumForUsers', { users })).toBe(expected),
);

it.each([
  [1, 'for 1 user'],
  [1465, 'for 1,465 users'],
])('English has the form that %i asks for', (users, expected) =>
  expect(textsIn('en')('sumForUsers', { users })).toBe(expected),
);

it('a text keeps a placeholder without a value', () => {
  expect(textsIn('en')('progress', { decided: 2 })).toBe('2 of {total}');
});
