import { describe, expect, it } from 'vitest';
import { structuredLicenseSchema } from '../../../src/license/schema.js';
import { transcript } from '../../support/fake-ring.js';
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
    [
      'server',
      'TechnicalInfo:\n    LicenseType: Server',
      'Тип лицензии: базовая\nНомер продукта: 0000000000010',
    ],
    ['client', 'TechnicalInfo:\n    LicenseType: Server', 'Тип лицензии: клиент'],
    ['client', info('20 workplaces', '0000000000087'), ''],
    ['server', info('Server license'), 'Наименование продукта: Клиентская лицензия'],
    ['server', '', 'Наименование продукта: Лицензия на сервер (x86-64)'],
    ['client', info('', '0000000000010'), ''],
    ['client', '', 'Номер продукта: 0000000100020'],
    ['client', '', 'Номер продукта: 0000000000003'],
    [null, info('Бухгалтерия', '0000000000087'), 'Тип лицензии: базовая'],
    [null, info('Бухгалтерия, клиент-серверный вариант'), ''],
    [null, info('Лицензия на 50 рабочих мест + клиент-сервер'), ''],
    ['client', info('Лицензия на 50 рабочих мест + клиент-сервер'), 'Тип лицензии: клиент'],
    ['client', info('Лицензия на 50 рабочих мест + клиент-сервер', '0000000000050'), ''],
    [
      'server',
      '',
      'Тип лицензии: сервер 64\nНаименование продукта: Лицензия на 10 рабочих мест + клиент-сервер',
    ],
    ['client', info('Лицензия на 1 рабочее место'), 'Тип лицензии: клиент‑серверная'],
  ])('says %s for %j and %j', (kind, text, file) =>
    expect(structure({ info: text, file: Buffer.from(file) }).product.kind).toBe(kind),
  );

  const KIT_OF_1000 = 'Клиентская лицензия на 1000 рабочих мест';
  const WITH_SERVER = 'КА 8 для 10 пользователей + клиент-сервер (x86-64)';
  it.each<[users: number | null, what: string, info: string, file: string]>([
    [20, 'the file states', info(KIT_OF_1000), 'Количество пользователей: 20'],
    [20, 'the file states, whatever the code', info('', '0000000000500'), 'Количество пользователей: 20'],
    [5, 'the file states of a server', '', 'Тип лицензии: сервер\nКоличество пользователей: 5'],
    [500, "ring's product code says", info(KIT_OF_1000, '0000000001000'), ''],
    [500, "the file's product code says", info(KIT_OF_1000), 'Номер продукта: 0000000101000'],
    [300, 'the description says', info('Клиентская лицензия на 300 рабочих мест'), ''],
    [50, 'the product name says', '', 'Наименование продукта: Клиентская лицензия на 50 рабочих мест'],
    [50, 'the name of a kit says', info('КА 8 для 50 пользователей'), 'Тип лицензии: клиент'],
    [null, 'the name of a kit for 1,000 hides', info(KIT_OF_1000), ''],
    [null, 'the code of a kit for 20 hides', '', 'Номер продукта: 0000000100020'],
    [null, 'the name of a kit with a server hides', '', `Наименование продукта: ${WITH_SERVER}`],
    [null, 'no server has', info('Лицензия на сервер на 50 пользователей'), ''],
    [null, 'nothing says', info('Клиентская лицензия'), ''],
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
    [null, bound('HASP ORG8B')],
    ['HASP-PC', bound('HASP-PC')],
  ])('names the computer %j', (computer, texts) => expect(structure(texts).computer).toBe(computer));

  const HARDWARE_KEY = { file: Buffer.from(transcript('lic-tail-hardware-key-ru.txt')) };
  it.each<[string | null, string, Parameters<typeof structure>[0]]>([
    ['hardwareKey', 'the clear text', HARDWARE_KEY],
    ['hardwareKey', 'another form of it', bound('HASP_0: ORG8B')],
    ['hardwareKey', 'ring', { info: 'LicenseAssociationType: HardwareProtectionKey' }],
    ['computer', 'ring, which knows better', { ...HARDWARE_KEY, info: 'LicenseAssociationType: Computer' }],
    [null, 'nobody', bound('BUH-PC')],
  ])('is bound to a %j by %s', (binding, _whom, texts) => {
    expect(structure(texts)).toMatchObject({ binding });
  });

  it.each([
    ['en', '8100700042G0', '0000000100001', null],
    ['ru', '8100700042', '0000000100500', 500],
  ])('reads the transcript info-technical-%s', (language, registrationNumber, productCode, users) => {
    const { binding, product, other } = structure({ info: transcript(`info-technical-${language}.txt`) });
    expect([binding, other]).toEqual(['computer', []]);
    expect(product).toEqual({
      description: null,
      users,
      generatedAt: '2017-10-18T00:00:00',
      registrationNumber,
      productCode,
      kind: 'client',
    });
  });

  it('puts the lines of info first into other, then those of the file', () => {
    const { other } = structure({
      info: 'TechnicalInfo:\n    LicenseType: base',
      file: Buffer.from('Срок действия: скоро'),
    });
    expect(other).toEqual([
      { section: 'TechnicalInfo', name: 'LicenseType', value: 'base' },
      { section: 'file', name: 'Срок действия', value: 'скоро' },
    ]);
  });
});
