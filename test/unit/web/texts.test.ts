import { expect, it } from 'vitest';
import { catalogEntry } from '../../../src/errors/catalog.js';
import { tellProblem } from '../../../src/web/page/problem.js';
import { textsIn } from '../../../src/web/page/texts.js';

it.each([
  [1, 'Клиентских лицензий: 1 на 1 пользователя'],
  [2, 'Клиентских лицензий: 1 на 2 пользователей'],
  [5, 'Клиентских лицензий: 1 на 5 пользователей'],
  [1465, 'Клиентских лицензий: 1 на 1\u00A0465 пользователей'],
])('Russian has the form that %i asks for', (users, expected) =>
  expect(textsIn('ru')('sumClientUsers', { licenses: 1, users })).toBe(expected),
);

it.each([
  [1, 'Client licenses: 1 for 1 user'],
  [1465, 'Client licenses: 1 for 1,465 users'],
])('English has the form that %i asks for', (users, expected) =>
  expect(textsIn('en')('sumClientUsers', { licenses: 1, users })).toBe(expected),
);

it('a text keeps a placeholder without a value', () => {
  expect(textsIn('en')('progress', { decided: 2 })).toBe('2 of {total}');
});

it('an error of the API is told in the other language, with its values', () => {
  const { en, ru } = catalogEntry('decode_timeout');
  const problem = {
    code: 'decode_timeout',
    message: en.replace('{seconds}', '55'),
    language: 'en',
    requestId: null,
  } as const;
  expect(tellProblem(problem, 'ru')).toEqual({ text: ru.replace('{seconds}', '55'), language: 'ru' });
  expect(tellProblem(problem, 'en')).toEqual({ text: problem.message, language: 'en' });
});

it.each([
  ['unheard_of', 'Something new.'],
  ['decode_timeout', 'Something new.'],
])('an unknown error (%s) stays in its language', (code, message) => {
  const problem = { code, message, language: 'en', requestId: null } as const;
  expect(tellProblem(problem, 'ru')).toEqual({ text: message, language: 'en' });
});
