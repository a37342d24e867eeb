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

  it('passes on the PIN codes, and takes the registration number from the name', () => {
    const name = '332588056123456-800123456G0';
    expect(structure({ name, previousPin: '332588056654321' })).toMatchObject({
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
    [null, info('Бухгалтерия', '0000000000087'), 'Тип лицензии: базовая'],
    [null, info('Бухгалтерия, клиент-серверный вариант'), ''],
    ['client', info('Client/Server. Лицензия на 1 рабочее место'), 'Тип лицензии: клиент‑серверная'],
    ['server', info('Клиент-серверный вариант. Лицензия на сервер'), ''],
  ])('says %s for %j and %j', (kind, text, file) =>
    expect(structure({ info: text, file: Buffer.from(file) }).product.kind).toBe(kind),
  );

  it('counts 500 users for half a kit whose code only the clear text has', () => {
    const file = (code: string) => Buffer.from(`Номер продукта: ${code}`);
    const text = info('Клиентская лицензия на 1000 рабочих мест');
    const users = (code: string) => structure({ info: text, file: file(code) }).product.users;
    expect(['0000000101000', '0000000100020'].map(users)).toEqual([500, 1000]);
  });

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
