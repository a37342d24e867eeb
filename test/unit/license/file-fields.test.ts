import { describe, expect, it } from 'vitest';
import { readFile } from '../../../src/license/file-fields.js';
import { windows1251 } from './license-file.js';
import { transcript } from './transcripts.js';

const NOTHING = {
  registrationNumber: null,
  type: null,
  productCode: null,
  productName: null,
  producedAt: null,
  unlimited: null,
  validUntil: null,
  users: null,
  pinCount: null,
  boundTo: null,
};

describe('readFile', () => {
  it.each([
    ['UTF-8', (text: string) => Buffer.from(text)],
    ['windows-1251', windows1251],
    ['CRLF', (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))],
  ])('reads the transcript in %s', (_title, encode) => {
    expect(readFile(encode(`QUJDRA==\n${transcript('lic-tail-client-ru.txt')}`))).toEqual({
      file: {
        registrationNumber: '8100330000G0',
        type: 'клиент',
        productCode: null,
        productName: '1С:Предприятие 8. Клиентская лицензия на 10 рабочих мест',
        producedAt: '2019-02-20T10:26:05',
        unlimited: true,
        validUntil: null,
        users: 10,
        pinCount: 1,
        boundTo:
          'BUH-PC, Intel64 Family 6 Model 158 Stepping 10, 8157Mb RAM, Майкрософт Windows 10 Корпоративная LTSC',
      },
      other: [],
    });
  });

  it('gives null for a file without clear text', () =>
    expect(readFile(Buffer.from('QUJDRA==\n'))).toEqual({ file: null, other: [] }));

  it.each([
    ['Product code: 0000000100020', { productCode: '0000000100020' }],
    ['Номер продукта: 0000000100020', { productCode: '0000000100020' }],
    ['Valid till: 01.03.2035', { unlimited: false, validUntil: '2035-03-01' }],
    ['Срок действия: 31.12.2026', { unlimited: false, validUntil: '2026-12-31' }],
    ['Срок действия: Не ограничен', { unlimited: true }],
    ['Срок действия:', {}],
    ['Привязка: , Intel64 Family 6, , Linux', { boundTo: ', Intel64 Family 6, , Linux' }],
    ['Количество пользователей: 0', { users: 0 }],
  ])('reads "%s"', (line, fields) =>
    expect(readFile(Buffer.from(line))).toEqual({ file: { ...NOTHING, ...fields }, other: [] }),
  );

  it.each([
    ['Срок действия', '31.02.2026'],
    ['Срок действия', 'до конца года'],
    ['Valid till', '31.12.2026 10:00:00'],
    ['Дата производства', '20.02.2019'],
    ['Количество пользователей', '1 000'],
    ['Количество пользователей', '-1'],
    ['Количество пользователей', '1.5'],
    ['Количество пинкодов в группе', '9'.repeat(16)],
    ['Unknown', 'value'],
    ['constructor', 'value'],
  ])('puts "%s: %s" into other', (name, value) => {
    expect(readFile(Buffer.from(`${name}: ${value}`))).toEqual({
      file: NOTHING,
      other: [{ section: 'file', name, value }],
    });
  });

  it('keeps the first of two values, and the second in other', () => {
    const { file, other } = readFile(Buffer.from('Номер продукта: 1\nProduct code: 2'));
    expect(file?.productCode).toBe('1');
    expect(other).toEqual([{ section: 'file', name: 'Product code', value: '2' }]);
  });
});
