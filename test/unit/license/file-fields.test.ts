import { describe, expect, it } from 'vitest';
import { readLicenseFile } from '../../../src/license/file-fields.js';
import { transcript } from '../../support/fake-ring.js';

const NOTHING = {
  registrationNumber: null,
  type: null,
  productCode: null,
  productName: null,
  producedAt: null,
  unlimited: null,
  validUntil: null,
  validUntilTime: null,
  users: null,
  pinCount: null,
  boundTo: null,
};

const read = (text: string) => readLicenseFile(Buffer.from(text));

describe('readLicenseFile', () => {
  const PRODUCT = '1С:Предприятие 8.';
  const SIGNED =
    'сервер 64|0000000000087|1С:Предприятие 8. Лицензия на сервер (x86-64)|2024-11-03T09:00:00|false';
  it.each([
    [
      'client',
      `8100330000G0|клиент||${PRODUCT} Клиентская лицензия на 10 рабочих мест|2019-02-20T10:26:05|true|||10|1|` +
        'BUH-PC, Intel64 Family 6 Model 158 Stepping 10, 8157Mb RAM, Майкрософт Windows 10 Корпоративная LTSC',
    ],
    [
      'field',
      `8100123456|клиент|0000000100020|${PRODUCT} Клиентская лицензия на 20 рабочих мест|2018-11-14T00:00:00|` +
        'true|||20|3|SUN, Intel64 Family 6 Model 94 Stepping 3, 16279Mb RAM, Windows 10',
    ],
    ['signature', `8100330001G0|${SIGNED}|2027-12-31||1||lic1c, , 1478Mb RAM, 11.6 x86_64`],
    [
      'client-2018',
      '|Клиентская лицензия|0000000000010|1С Предприятие 8. Лицензия на 10 рабочих мест (программная защита)|' +
        '2018-11-14T00:00:00||||||',
    ],
    [
      'kit-for-one-user',
      `8100700021|клиент||${PRODUCT} Клиентская лицензия на 20 рабочих мест|2022-10-27T08:49:37|true|||1|3|` +
        'PC-0, Intel64 Family 6 Model 85 Stepping 7, 32767Mb RAM, Microsoft Windows Server 2019 Standard',
    ],
    [
      'kit-without-users',
      '|Клиентская лицензия|0000000100020|1С Предприятие 8. Лицензия на 20 рабочих мест (программная защита)|' +
        '2018-11-14T00:00:00||||||',
    ],
    [
      'server-of-kit',
      '8100700030G0|сервер 64||1С:Комплексная автоматизация 8 для 10 пользователей + клиент-сервер (x86-64)||' +
        'true|||||SRV-A, Intel64 Family 6 Model 85 Stepping 7, 32767Mb RAM, Windows Server 2019',
    ],
    ['term-at-nine', '500000000095||||2026-11-20T09:30:45|false|2026-11-27|09:15:00|3||'],
  ])('reads the transcript lic-tail-%s, and what follows it', (name, fields) => {
    const { file, other } = read(`QUJDRA==\n${transcript(`lic-tail-${name}-ru.txt`)}Новое: 1`);
    expect(Object.values(file ?? {}).map((value) => String(value ?? ''))).toEqual(fields.split('|'));
    expect(other).toEqual([{ section: 'file', name: 'Новое', value: '1' }]);
  });

  it('keeps what stands twice in other, and reads the first', () => {
    const { file, other } = read(transcript('lic-tail-twice-ru.txt'));
    expect(file).toMatchObject({ validUntil: '2026-11-27', validUntilTime: '23:30:45' });
    expect(other).toHaveLength(7);
    expect(other).toContainEqual({ section: 'file', name: 'Срок действия', value: '04.12.2026 23:30:45' });
  });

  it('prefers the number of users that the file states to the one that its texts name', () => {
    const kit = 'Тип лицензии: клиент\nНомер продукта: 0000000100050\n';
    expect(read(kit)).toMatchObject({ file: { users: 50 }, statedUsers: null });
    expect(read(`${kit}Количество пользователей: 10`)).toMatchObject({
      file: { users: 10 },
      statedUsers: 10,
    });
  });

  it('gives null for a file without clear text', () =>
    expect(read('QUJDRA==\n')).toEqual({ file: null, statedUsers: null, other: [] }));

  it.each([
    ['Product code: 0000000000087', { productCode: '0000000000087' }],
    ['Номер  продукта :0000000000087', { productCode: '0000000000087' }],
    ['Valid till: 01.03.2035', { unlimited: false, validUntil: '2035-03-01' }],
    ['Срок действия: 31.12.2027 г.', { unlimited: false, validUntil: '2027-12-31' }],
    ['Срок действия: 31.12.2027г', { unlimited: false, validUntil: '2027-12-31' }],
    [
      'Срок действия: 31.12.2027 г. 9:15',
      { unlimited: false, validUntil: '2027-12-31', validUntilTime: '09:15:00' },
    ],
    [
      'Срок действия: 25.11.2026 09:15:00',
      { unlimited: false, validUntil: '2026-11-25', validUntilTime: '09:15:00' },
    ],
    [
      'Срок действия: 2026-11-27 09:15',
      { unlimited: false, validUntil: '2026-11-27', validUntilTime: '09:15:00' },
    ],
    ['Срок действия: 2026-11-27', { unlimited: false, validUntil: '2026-11-27' }],
    ['Срок действия: Не ограничен', { unlimited: true }],
    ['Срок действия: не\u00A0ограничено', { unlimited: true }],
    ['Срок действия: Бессрочно', { unlimited: true }],
    ['Valid till: Unlimited', { unlimited: true }],
    ['Срок действия:', {}],
    ['Привязка: , Intel64 Family 6, , Linux', { boundTo: ', Intel64 Family 6, , Linux' }],
    ['Тип лицензии:\nсервер\n64', { type: 'сервер 64' }],
    ['Количество пользователей:\n50', { users: 50 }],
    ['Количество пользователей: 0', { users: 0 }],
    ['Количество пользователей: 1 000 000', { users: 1_000_000 }],
    ['Количество пинкодов в группе: 12\u00A0000', { pinCount: 12_000 }],
  ])('reads "%s"', (line, fields) =>
    expect(read(line)).toMatchObject({ file: { ...NOTHING, ...fields }, other: [] }),
  );

  it.each([
    ['Срок действия', '31.02.2026'],
    ['Срок действия', '31.12.20261'],
    ['Срок действия', 'до 31.12.2026'],
    ['Срок действия', '01.01.2026 - 31.12.2027'],
    ['Срок действия', '01.12.2026 по 01.12.2027'],
    ['Срок действия', '01.01.2026, продлена до 01.12.2027'],
    ['Срок действия', '31.12.2027 г. (продлена)'],
    ['Срок действия', '31.12.2027 25:00:00'],
    ['Дата производства', '20.02.2019'],
    ['Количество пользователей', '1 00'],
    ['Количество пользователей', '50\n100'],
    ['Количество пользователей', '1.5'],
    ['Количество пинкодов в группе', '9'.repeat(16)],
    ['Unknown', 'value'],
    ['constructor', 'value'],
  ])('puts "%s: %s" into other', (name, value) => {
    expect(read(`${name}: ${value}`)).toMatchObject({
      file: NOTHING,
      other: [{ section: 'file', name, value }],
    });
  });
});
