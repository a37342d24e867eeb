import { describe, expect, it } from 'vitest';
import { readInfo } from '../../../src/license/info-fields.js';
import { transcript } from '../../support/fake-ring.js';

describe('readInfo', () => {
  const FIRM = 'ООО "Ромашка"|Российская Федерация|300022|Тульская обл||Тула г|Свободы ул|99||';
  it.each([
    ['ru', `Иван|Иванович|Иванов|ivan@example.org|${FIRM}`, 'Клиентская лицензия на 20 рабочих мест', null],
    [
      'en',
      'Ivan|Ivanovich|Ivanov|ivan@example.org|Romashka LLC|Russian Federation|300022|Tula||Tula|Svobody|99||',
      'Client license for 20 workplaces',
      '0000000001002',
    ],
  ])('reads the transcript info-one-%s', (language, values, description, productCode) => {
    const { owner, product, ...rest } = readInfo(transcript(`info-one-${language}.txt`));
    expect(Object.values(owner).map((value) => value ?? '')).toEqual(values.split('|'));
    const kit = { generatedAt: '2017-10-18T00:00:00', registrationNumber: '8100123456', productCode };
    expect(product).toEqual({ description, ...kit, kind: null });
    expect(rest).toEqual({ binding: null, other: [] });
  });

  it.each<[label: string, key: string]>([
    ...['Район', 'District'].map((label): [string, string] => [label, 'district']),
    ...['Корпус', 'Строение', 'Building'].map((label): [string, string] => [label, 'building']),
    ...['Квартира/офис', 'Квартира, офис', 'Apartment'].map((label): [string, string] => [
      label,
      'apartment',
    ]),
    ['E-MAIL', 'email'],
    ['ZIP\u00A0code', 'postalCode'],
  ])('maps the label %s to %s', (label, key) => {
    for (const section of ['Информация о пользователе', 'Customer information']) {
      const { owner, other } = readInfo(`${section}:\n    ${label}: 7`);
      expect(owner).toMatchObject({ [key]: '7' });
      expect(other).toEqual([]);
    }
  });

  it('reads the product code in Russian', () =>
    expect(readInfo('Информация о продукте:\n    Номер продукта: 7').product.productCode).toBe('7'));

  it.each<[info: string, binding: string | null]>([
    ['TechnicalInfo:\n    LicenseAssociationType: HardwareProtectionKey', 'hardwareKey'],
    ['Unknown:\n    licenseassociationtype: HARDWAREPROTECTIONKEY', 'hardwareKey'],
    ['Unknown:\n    LicenseAssociationType: Hardware protection key', 'hardwareKey'],
    ['LicenseAssociationType: Computer', 'computer'],
    ['TechnicalInfo:\n    LicenseAssociationType:', null],
  ])('reads the binding of "%s"', (info, binding) =>
    expect(readInfo(info)).toMatchObject({ binding, other: [] }),
  );

  const LONG = 'a'.repeat(65);
  const OWNER = 'Customer information';
  it.each([
    ['a header of more than 64 characters', `X:\n${LONG}:\n  b: 1`, `X|${LONG}|`, 'X|b|1'],
    ['what follows a header of 64 characters', `${LONG.slice(1)}:\n  b: 1`, `${LONG.slice(1)}|b|1`],
    ['an unknown section', 'X:\n    A: b\n    Имя: x', 'X|A|b', 'X|Имя|x'],
    ['an unknown field', `${OWNER}:\n    Planet: Earth`, `${OWNER}|Planet|Earth`],
    ['the label of another section', `${OWNER}:\n  Описание: 1`, `${OWNER}|Описание|1`],
    ['a second value', `${OWNER}:\n  Корпус: 1\n  Строение: 2`, `${OWNER}|Строение|2`],
    ['an unknown binding', 'X:\n  LicenseAssociationType: Cloud', 'X|LicenseAssociationType|Cloud'],
    ['two bindings', 'LicenseAssociationType: Computer, Key', 'null|LicenseAssociationType|Computer, Key'],
    [
      'a date that does not exist',
      'Product information:\n    License generation date: 00:00:00 31.02.2024',
      'Product information|License generation date|00:00:00 31.02.2024',
    ],
    ['a line without a label', `${OWNER}:\n    and more`, `${OWNER}|null|and more`],
    ['a field before the first section', 'Имя: Иван', 'null|Имя|Иван'],
    ['more than the name of the file', 'a: "a.lic" (копия)', 'null|a|"a.lic" (копия)'],
    ['less than the name of the file', 'a: b "a.lic"', 'null|a|b "a.lic"'],
    ['the name of a file in a section', 'X:\n  a: "a.lic"', 'X|a|"a.lic"'],
    ['a line that begins with a colon', ': x', 'null|null|: x'],
    ['a name that objects have', '__proto__:\n    constructor: x', '__proto__|constructor|x'],
  ])('puts %s into other', (_title, info, ...lines) => {
    const { binding, other, product } = readInfo(info);
    expect(other.map(({ section, name, value }) => `${section}|${name}|${value}`)).toEqual(lines);
    expect([binding, product.generatedAt]).toEqual([null, null]);
  });

  it('keeps other in the order of the lines', () => {
    const info = 'a: 1\nCustomer information:\n  b: 2\nX:\n  c: 3\nProduct information:\n  d: 4';
    expect(readInfo(info).other.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    'Имя файла лицензии: "20240115120000.lic"',
    'License file name: "C:\\Лицензии\\a b.LIC"',
    '\uFEFFИмя файла лицензии: "license.lic"',
  ])('leaves out the first line %s', (line) => {
    const { owner, other } = readInfo(`${line}\n${transcript('info-one-ru.txt')}`);
    expect(owner.firstName).toBe('Иван');
    expect(other).toEqual([]);
  });

  it('keeps colons, quotes and inner blanks of a value', () => {
    const { owner } = readInfo('Customer information:\n    Company: "A: B"  C :\n    Street: : x');
    expect(owner).toMatchObject({ company: '"A: B"  C :', street: ': x' });
  });

  it('takes an empty value for none', () => {
    const { owner, other } = readInfo('Информация о пользователе:\n    Отчество:\n    Фамилия: \u00A0');
    expect(owner).toMatchObject({ middleName: null, lastName: null });
    expect(other).toEqual([]);
  });

  it.each([
    ['CRLF', transcript('info-one-ru.txt').replaceAll('\n', '\r\n')],
    ['tabs', transcript('info-one-ru.txt').replaceAll('    ', '\t')],
    ['empty lines', transcript('info-one-ru.txt').replaceAll('\n', '\n\n \t\n')],
    ['a byte order mark', `\uFEFF${transcript('info-one-ru.txt')}`],
  ])('reads the same with %s', (_title, info) =>
    expect(readInfo(info)).toEqual(readInfo(transcript('info-one-ru.txt'))),
  );
});
