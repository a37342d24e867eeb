import { expect, it } from 'vitest';
import { decodeText, readLines } from '../../../src/license/text-lines.js';
import { windows1251 } from './license-file.js';

const utf8 = (text: string) => Buffer.from(text);

it.each<[string, Uint8Array[], string, boolean]>([
  ['UTF-8', [utf8('Имя: Ё\r\nx')], 'Имя: Ё\r\nx', true],
  ['nothing', [], '', true],
  ['windows-1251', [windows1251('Имя: Ё\nДом: 1')], 'Имя: Ё\nДом: 1', false],
  [
    'each line by itself',
    [utf8('Запуск\n'), windows1251('Имя: Ё\n'), utf8('Дом')],
    'Запуск\nИмя: Ё\nДом',
    false,
  ],
  ['a U+FFFD that ring printed', [utf8('Имя: \uFFFD Ё\n')], 'Имя: \uFFFD Ё\n', true],
  ['a byte order mark', [utf8('\uFEFFИмя')], 'Имя', true],
])('decodes %s', (_title, parts, text, isUtf8) => {
  expect(decodeText(Buffer.concat(parts))).toEqual({ text, isUtf8 });
});

it('splits lines at LF, CR and CRLF', () => {
  expect(readLines('\uFEFFa\r\nb\rc\nd')).toEqual(['a', 'b', 'c', 'd']);
});
