/** Labels of `license info`: the key in a sample's permit, in Russian, in English. */
const CUSTOMER = [
  ['firstName', 'Имя', 'First name'],
  ['middleName', 'Отчество', 'Middle name'],
  ['lastName', 'Фамилия', 'Last name'],
  ['email', 'e-mail', 'Email'],
  ['company', 'Компания', 'Company'],
  ['country', 'Страна', 'Country'],
  ['zipCode', 'Индекс', 'ZIP code'],
  ['region', 'Регион/область', 'Region'],
  ['district', 'Район', 'District'],
  ['town', 'Город', 'Town'],
  ['street', 'Улица', 'Street'],
  ['house', 'Дом', 'House'],
  ['building', 'Корпус', 'Building'],
  ['apartment', 'Квартира/офис', 'Apartment'],
];
const PRODUCT = [
  ['description', 'Описание', 'Description'],
  ['generated', 'Дата комплектации', 'License generation date'],
  ['registrationNumber', 'Регистрационный номер', 'Distribution kit registration number'],
  // No Russian text with a product code is known.
  ['productCode', null, 'Product code'],
];

const RU = {
  file: (file) => `(имя файла: "${file}")`,
  noDirectory: (directory) => [
    'Ошибка получения списка лицензий.',
    'По причине: Ошибка при работе с хранилищем лицензий.',
    ` По причине: Директория не найдена: "${directory}".`,
  ],
  unknownLicense: ['Проверка лицензии завершилась с ошибкой. Лицензия не найдена'],
  fits: (name) => `Проверка лицензии "${name}" выполнена успешно.`,
  mismatch: (bound, current) => [
    'Проверка лицензии завершилась с ошибкой.',
    'По причине: Ключевые параметры компьютера не соответствуют лицензии:',
    `    Имя компьютера: ${bound} (в лицензии), ${current} (текущее)`,
  ],
  usage: 'Неизвестная команда или параметр',
  customerHeader: 'Информация о пользователе',
  customerLabels: CUSTOMER.map(([key, label]) => [key, label]),
  productHeader: 'Информация о продукте',
  productLabels: PRODUCT.map(([key, label]) => [key, label]),
};

const EN = {
  file: (file) => `(file name: "${file}")`,
  noDirectory: (directory) => [
    'Error getting the list of licenses.',
    'Reason: Error working with the license storage.',
    ` Reason: Directory not found: "${directory}".`,
  ],
  unknownLicense: ['License check failed. License not found'],
  fits: (name) => `License check passed for the following license: "${name}".`,
  mismatch: (bound, current) => [
    'License check failed.',
    'Reason: Key computer parameters do not match the license:',
    `    Computer name: ${bound} (license), ${current} (current)`,
  ],
  usage: 'Unknown command or option',
  customerHeader: 'Customer information',
  customerLabels: CUSTOMER.map(([key, , label]) => [key, label]),
  productHeader: 'Product information',
  productLabels: PRODUCT.map(([key, , label]) => [key, label]),
};

/** What the stand-in prints, in the language of the last `-Duser.language` in RING_OPTS, as a JVM takes it. */
export function textsFor(ringOpts = '') {
  return ringOpts.match(/-Duser\.language=\S+/g)?.at(-1) === '-Duser.language=ru' ? RU : EN;
}
