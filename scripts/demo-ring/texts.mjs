/** What the stand-in says, in ring's words, by the JVM's `user.language`. */
export const TEXTS = {
  ru: {
    file: (file) => `(имя файла: "${file}")`,
    noDirectory: (directory) => [
      'Ошибка получения списка лицензий.',
      'По причине: Ошибка при работе с хранилищем лицензий.',
      ` По причине: Директория не найдена: "${directory}".`,
    ],
    unknownLicense: ['Проверка лицензии завершилась с ошибкой. Лицензия не найдена'],
    fits: (name) => [`Проверка лицензии "${name}" выполнена успешно.`],
    mismatch: (license, current) => [
      'Проверка лицензии завершилась с ошибкой.',
      'По причине: Ключевые параметры компьютера не соответствуют лицензии:',
      `    Имя компьютера: ${license} (в лицензии), ${current} (текущее)`,
    ],
    usage: 'Неизвестная команда или параметр',
    customer: 'Информация о пользователе:',
    customerKeys: {
      firstName: 'Имя',
      middleName: 'Отчество',
      lastName: 'Фамилия',
      email: 'e-mail',
      company: 'Компания',
      country: 'Страна',
      zipCode: 'Индекс',
      region: 'Регион/область',
      town: 'Город',
      street: 'Улица',
      house: 'Дом',
    },
    product: 'Информация о продукте:',
    // ring was seen to print the product code in English only.
    productKeys: {
      description: 'Описание',
      generated: 'Дата комплектации',
      registrationNumber: 'Регистрационный номер',
    },
  },
  en: {
    file: (file) => `(file name: "${file}")`,
    noDirectory: (directory) => [
      'Error getting the list of licenses.',
      'Reason: Error working with the license storage.',
      ` Reason: Directory not found: "${directory}".`,
    ],
    unknownLicense: ['License check failed. License not found'],
    fits: (name) => [`License check passed for the following license: "${name}".`],
    mismatch: (license, current) => [
      'License check failed.',
      'Reason: Key computer parameters do not match the license:',
      `    Computer name: ${license} (license), ${current} (current)`,
    ],
    usage: 'Unknown command or option',
    customer: 'Customer information:',
    customerKeys: {
      firstName: 'First name',
      middleName: 'Middle name',
      lastName: 'Last name',
      email: 'Email',
      company: 'Company',
      country: 'Country',
      zipCode: 'ZIP code',
      region: 'Region',
      town: 'Town',
      street: 'Street',
      house: 'House',
    },
    product: 'Product information:',
    productKeys: {
      description: 'Description',
      generated: 'License generation date',
      registrationNumber: 'Distribution kit registration number',
      productCode: 'Product code',
    },
  },
};

/**
 * The texts in the language that ring's JVM would take: the last `-Duser.language` of RING_OPTS counts.
 * @param {string} [ringOpts]
 */
export function textsFor(ringOpts = '') {
  const languages = ringOpts.split(/\s+/).filter((option) => option.startsWith('-Duser.language='));
  return languages.at(-1) === '-Duser.language=ru' ? TEXTS.ru : TEXTS.en;
}
