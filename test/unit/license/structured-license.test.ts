import { describe, expect, it } from 'vitest';
import { structuredLicenseSchema } from '../../../src/license/schema.js';
import { structure } from './structure.js';

describe('structureLicense', () => {
  it('has every key in the documented order', () => {
    const result = structure({ hardware: { license: '', current: '' } });
    expect(Object.keys(result)).toEqual(Object.keys(structuredLicenseSchema.shape));
    expect(Object.keys(result.owner)).toEqual(Object.keys(structuredLicenseSchema.shape.owner.shape));
    expect(Object.keys(result.product)).toEqual(Object.keys(structuredLicenseSchema.shape.product.shape));
  });

  it('passes on the PIN codes and the registration number', () => {
    const registrationNumber = '800123456G0';
    expect(structure({ registrationNumber, previousPin: '332588056654321' })).toMatchObject({
      pin: '332588056123456',
      previousPin: '332588056654321',
      registrationNumber: '800123456G0',
    });
  });

  it('is null where nothing was given', () => {
    const { owner, product, ...rest } = structure({});
    expect(Object.values(owner)).toEqual(Array(14).fill(null));
    expect(Object.values(product)).toEqual(Array(6).fill(null));
    expect(rest).toMatchObject({ binding: null, computer: null, other: [], file: null, hardware: null });
  });

  const info = (description: string, code = '') =>
    `Product information:\n    Description: ${description}\n    Product code: ${code}`;
  it.each<[kind: string | null, info: string, file: string]>([
    ['client', '', 'Тип лицензии: клиент\nНаименование продукта: Лицензия на сервер'],
    ['server', info('Клиентская лицензия'), 'Тип лицензии: сервер 64'],
    ['client', info('Лицензия на 1 рабочее место'), 'Тип лицензии: базовая'],
    ['client', info('20 workplaces', '0000000000087'), ''],
    ['server', info('Server license'), 'Наименование продукта: Клиентская лицензия'],
    ['server', '', 'Наименование продукта: Лицензия на сервер (x86-64)'],
    ['client', info('', '0000000000010'), ''],
    ['client', '', 'Номер продукта: 0000000100020'],
    ['client', '', 'Номер продукта: 0000000000003'],
    [null, info('Бухгалтерия', '0000000000087'), 'Тип лицензии: базовая'],
    [null, info('Бухгалтерия, клиент-серверный вариант'), ''],
    ['client', info('Client/Server. Лицензия на 1 рабочее место'), 'Тип лицензии: клиент‑серверная'],
    ['server', info('Клиент-серверный вариант. Лицензия на сервер'), ''],
  ])('says %s for %j and %j', (kind, text, file) =>
    expect(structure({ info: text, file: Buffer.from(file) }).product.kind).toBe(kind),
  );

  const NAME_OF_KIT = 'Клиентская лицензия на 1000 рабочих мест';
  const fileName = `Наименование продукта: ${NAME_OF_KIT}`;
  it.each<[users: number | null, what: string, info: string, file: string]>([
    [500, 'the file states', info(NAME_OF_KIT), `${fileName}\nКоличество пользователей: 500`],
    [500, 'the file states, whatever the code', info('', '0000000100020'), 'Количество пользователей: 500'],
    [500, 'the product code of ring says', info(NAME_OF_KIT, '0000000001000'), fileName],
    [500, 'the product code of the file says', info(NAME_OF_KIT), 'Номер продукта: 0000000101000'],
    [3, 'the product code says', '', 'Номер продукта: 0000000000003'],
    [1000, 'the description says', info(NAME_OF_KIT), ''],
    [1000, 'the product name says', info('Лицензия'), fileName],
    [null, 'nothing says', info('Лицензия'), ''],
  ])('counts the %s users that %s', (users, _what, text, file) =>
    expect(structure({ info: text, file: Buffer.from(file) }).product.users).toBe(users),
  );

  const bound = (name: string) => ({ file: Buffer.from(`Привязка: ${name}, Intel64, 8157Mb RAM`) });
  const listed = (name: string) => ({ hardware: { license: `${name} : SRV-OLD`, current: '' } });
  it.each<[string | null, Parameters<typeof structure>[0]]>([
    ['BUH PC', bound(' BUH PC ')],
    ['SRV-OLD', { ...bound('BUH-PC'), ...listed('Computer name') }],
    ['SRV-OLD', listed('имя компьютера')],
    ['BUH-PC', { ...bound('BUH-PC'), ...listed('OS name') }],
    [null, bound(' ')],
    [null, { ...bound('BUH-PC'), info: 'LicenseAssociationType: HardwareProtectionKey' }],
  ])('names the computer %j', (computer, texts) => expect(structure(texts).computer).toBe(computer));

  it('puts the lines of info first into other, then those of the file', () => {
    const { other } = structure({
      info: 'TechnicalInfo:\n    LicenseType: client',
      file: Buffer.from('Срок действия: скоро'),
    });
    expect(other).toEqual([
      { section: 'TechnicalInfo', name: 'LicenseType', value: 'client' },
      { section: 'file', name: 'Срок действия', value: 'скоро' },
    ]);
  });
});
