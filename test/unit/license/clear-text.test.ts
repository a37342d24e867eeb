import { describe, expect, it } from 'vitest';
import { FILE_HEAD_BYTES, readClearText } from '../../../src/license/clear-text.js';
import { windows1251 } from './license-file.js';

const BASE64 = `${'Ab3+'.repeat(19)}\n${'x/9Z'.repeat(19)}\nAbc=\n`;
const KNOWN = ['Номер', 'Наименование продукта', 'Product code'];
const read = (file: Uint8Array | string) =>
  readClearText(typeof file === 'string' ? Buffer.from(file) : file, (label) => KNOWN.includes(label.trim()));

describe('readClearText', () => {
  it.each([
    ['Base64 in one line', 'QUJD'.repeat(2000)],
    ['a signature', `${BASE64}bmcgZWxpdA==:`],
    ['text without labels', 'hello\nworld'],
    ['a colon inside a word', '1С:Предприятие\nhttp://example.org: x'],
    ['a label that begins with a digit', '12: x'],
    ['a label of 65 characters', `${'a'.repeat(65)}: x`],
  ])('finds nothing in %s', (_title, file) => expect(read(file)).toEqual([]));

  it.each([
    ['Product code: 1', 'Product code', '1'],
    ['Product code:1', 'Product code', '1'],
    ['  Product code : 1  ', 'Product code', '1'],
    ['Unknown: a: b', 'Unknown', 'a: b'],
    [`${'a'.repeat(64)}: x`, 'a'.repeat(64), 'x'],
    ['Product code:', 'Product code', ''],
  ])('reads "%s" after the Base64 part', (line, name, value) => {
    for (const file of [line, BASE64 + line, `${BASE64}\n\n${line}\n`]) {
      expect(read(file)).toEqual([{ name, value }]);
    }
  });

  it('keeps the lines of a value apart', () => {
    const text = 'Наименование продукта:\n1С:Предприятие 8.\n\n  Клиентская лицензия\nНомер: 1\nдва';
    expect(read(text)).toEqual([
      { name: 'Наименование продукта', value: '1С:Предприятие 8.\nКлиентская лицензия' },
      { name: 'Номер', value: '1\nдва' },
    ]);
  });

  it('takes the line after a bare label for its value, unless it is a known label', () => {
    expect(read('Наименование продукта:\nСостав: лицензия\nНовое: 1')).toEqual([
      { name: 'Наименование продукта', value: 'Состав: лицензия' },
      { name: 'Новое', value: '1' },
    ]);
    expect(read('Наименование продукта:\nНомер: 1')).toEqual([
      { name: 'Наименование продукта', value: '' },
      { name: 'Номер', value: '1' },
    ]);
  });

  const SIGNATURE = `${'Tg9Y'.repeat(16)}\nbmcgZWxpdA==:`;
  it.each<[title: string, base64: string]>([
    ['a signature', SIGNATURE],
    ['a signature in one line', `${'Tg9Y'.repeat(20)}:`],
    ['a signature without padding', `${'Tg9Y'.repeat(16)}\nbmcg:`],
    ['a signature that ends like a label', `${'Tg9Y'.repeat(16)}\nTg9Yabc:`],
    ['the last line of a signature alone', 'bmcgZWxpdA==:'],
    ['one character of padding', 'bmcgZWxpdAA=:'],
    ['40 characters without a colon', 'Tg9Y'.repeat(10)],
    ['a permit', BASE64],
  ])('leaves out %s before, between and after the labels', (_title, base64) => {
    const text = `${base64}\nНомер: 1\nдва\n${base64}\nProduct code: 2\n${base64}`;
    const values = [
      { name: 'Номер', value: '1\nдва' },
      { name: 'Product code', value: '2' },
    ];
    expect(read(text)).toEqual(values);
    expect(read(text.replaceAll('\n', '\r\n'))).toEqual(values);
  });

  it.each([
    ['a short word', 'LTSC'],
    ['39 characters', 'a'.repeat(39)],
    ['Base64 characters with a blank', `${'a'.repeat(40)} b`],
  ])('does not take %s after text for Base64', (_title, line) =>
    expect(read(`Номер: 1\n${line}`)).toEqual([{ name: 'Номер', value: `1\n${line}` }]),
  );

  it.each(['Компьютер', 'Computer', 'Code'])('takes %s after Base64 for a label', (name) => {
    expect(read(`${BASE64}${name}:\nBUHPC\nНомер: 1`)).toEqual([
      { name, value: 'BUHPC' },
      { name: 'Номер', value: '1' },
    ]);
  });

  it('takes a known label after Base64 for a label', () => {
    const text = Buffer.from(`${BASE64}PIN:\n1`);
    expect(readClearText(text, (label) => label === 'PIN')).toEqual([{ name: 'PIN', value: '1' }]);
    expect(readClearText(text, () => false)).toEqual([]);
  });

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFНомер: Ё1')],
    ['windows-1251', windows1251('Номер: Ё1')],
  ])('reads %s', (_title, file) => expect(read(file)).toEqual([{ name: 'Номер', value: 'Ё1' }]));

  it.each([0, 1])('reads UTF-8 that is cut inside a character (shift %i)', (shift) => {
    const text = `Номер: 1\n${'x'.repeat(shift)}${'я'.repeat(FILE_HEAD_BYTES)}`;
    expect(read(text)).toEqual([{ name: 'Номер', value: '1' }]);
  });

  it('takes a short file that ends inside a UTF-8 character for windows-1251', () =>
    expect(read(windows1251('Name: н'))).toEqual([{ name: 'Name', value: 'н' }]));

  it('leaves out the line at which a large file is cut', () => {
    const text = `Номер: 1\n${'\n'.repeat(FILE_HEAD_BYTES - 'Product code: 12'.length - 14)}Product code: 123`;
    expect(Buffer.byteLength(text)).toBe(FILE_HEAD_BYTES + 1);
    expect(read(text)).toEqual([{ name: 'Номер', value: '1' }]);
  });

  it('reads 200 lines of clear text, and none beyond 64 KB', () => {
    const labels = Array.from({ length: 201 }, (_, n) => `a${n}: x`).join('\n');
    for (const permit of [BASE64.repeat(100), 'QUJD\n'.repeat(300)]) {
      expect(read(permit + labels).at(-1)?.name).toBe('a199');
    }
    expect(read('QUJD'.repeat(FILE_HEAD_BYTES / 4) + '\nНомер: 1')).toEqual([]);
  });
});
