import { expect, it } from 'vitest';
import { textsIn } from '../../../../src/web/page/texts/texts.js';

it.each([
  ['ru', 1, '1 файл'],
  ['ru', 2, '2 файла'],
  ['ru', 1465, '1\u00A0465 файлов'],
  ['en', 1, '1 file'],
  ['en', 1465, '1,465 files'],
] as const)('%s has the form that %i asks for', (language, count, expected) =>
  expect(textsIn(language)('fileCount', { count })).toBe(expected),
);

it('a text keeps a placeholder without a value', () => {
  expect(textsIn('en')('found', { count: 2 })).toBe('Found: 2 of {total}');
});
