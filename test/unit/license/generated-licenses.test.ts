import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windows1251 } from './license-file.js';
import { structure } from './structure.js';

describe('a generated license', () => {
  const word = fc.stringMatching(/^[А-яA-z0-9"«»№.,:/-]{1,12}$/);
  const value = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const optional = fc.option(value);
  const day = fc
    .date({ min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const timestamp = day.map((iso) => iso.slice(0, 19));
  const russianDay = (iso: string) => iso.slice(0, 10).split('-').reverse().join('.');

  const OWNER = {
    ru: 'Имя,Отчество,Фамилия,e-mail,Компания,Страна,Индекс,Регион/область,Район,Город,Улица,Дом,Корпус,Квартира/офис',
    en: 'First name,Middle name,Last name,Email,Company,Country,ZIP code,Region,District,Town,Street,House,Building,Apartment',
  };
  const PRODUCT = {
    ru: ['Описание', 'Дата комплектации', 'Регистрационный номер', 'Номер продукта'],
    en: ['Description', 'License generation date', 'Distribution kit registration number', 'Product code'],
  };
  const HEADERS = {
    ru: ['Информация о пользователе', 'Информация о продукте'],
    en: ['Customer information', 'Product information'],
  };

  const print = (header: string, labels: string[], values: (string | null)[]) => [
    `${header}:`,
    ...labels.flatMap((label, i) => (values[i] == null ? [] : [`    ${label}: ${values[i]}`])),
  ];

  it.each(['ru', 'en'] as const)('is read back from info (%s)', (language) => {
    const generated = fc.record({
      owner: fc.array(optional, { minLength: 14, maxLength: 14 }),
      users: fc.integer({ min: 1, max: 99_999 }),
      generatedAt: timestamp,
      registrationNumber: optional,
      productCode: optional,
      lineEnd: fc.constantFrom('\n', '\r\n'),
    });
    fc.assert(
      fc.property(generated, ({ owner, users, generatedAt, registrationNumber, productCode, lineEnd }) => {
        const description =
          language === 'ru' ? `Лицензия на ${users} рабочих мест` : `License for ${users} workplaces`;
        const printed = `${generatedAt.slice(11)} ${russianDay(generatedAt)}`;
        const [ownerHeader = '', productHeader = ''] = HEADERS[language];
        const info = [
          ...print(ownerHeader, OWNER[language].split(','), owner),
          ...print(productHeader, PRODUCT[language], [description, printed, registrationNumber, productCode]),
        ].join(lineEnd);
        const { product, other, ...rest } = structure({ info });
        expect(Object.values(rest.owner)).toEqual(owner);
        expect(product).toMatchObject({ description, users, generatedAt, registrationNumber, productCode });
        expect(other).toEqual([]);
      }),
    );
  });

  it.each<[encoding: string, encode: (text: string) => Uint8Array]>([
    ['UTF-8', (text) => Buffer.from(text)],
    ['windows-1251', windows1251],
  ])('is read back from the clear text of its file (%s)', (_encoding, encode) => {
    const generated = fc.record({
      permit: fc.uint8Array({ minLength: 100, maxLength: 5_000 }),
      // `word: ` at the start of a line would be a label.
      productName: value.filter((name) => !/:(?: |$)/.test(name)),
      producedAt: timestamp,
      validUntil: fc.option(day.map((iso) => iso.slice(0, 10))),
      users: fc.nat(),
      pinCount: fc.nat(),
      lineEnd: fc.constantFrom('\n', '\r\n'),
    });
    fc.assert(
      fc.property(generated, ({ permit, productName, producedAt, validUntil, users, pinCount, lineEnd }) => {
        const base64 =
          Buffer.from(permit)
            .toString('base64')
            .match(/.{1,76}/g) ?? [];
        const text = [
          ...base64,
          'Регистрационный номер: 8100330000G0',
          'Тип лицензии: сервер 64',
          'Номер продукта: 0000000100020',
          'Наименование продукта:',
          productName.replace(' ', lineEnd),
          `Дата производства: ${russianDay(producedAt)} ${producedAt.slice(11)}`,
          `Срок действия: ${validUntil === null ? 'не ограничен' : russianDay(validUntil)}`,
          `Количество пользователей: ${users}`,
          `Количество пинкодов в группе: ${pinCount}`,
          'Привязка: SRV, , 8157Mb RAM, ',
        ].join(lineEnd);
        const { file, other } = structure({ file: encode(text) });
        expect(file).toEqual({
          registrationNumber: '8100330000G0',
          type: 'сервер 64',
          productCode: '0000000100020',
          productName,
          producedAt,
          unlimited: validUntil === null,
          validUntil,
          users,
          pinCount,
          boundTo: 'SRV, , 8157Mb RAM,',
        });
        expect(other).toEqual([]);
      }),
    );
  });
});
