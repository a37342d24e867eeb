import type { Language } from '../../errors/catalog.js';

/** The texts that are not in index.html, in English and Russian. `{name}` stands for a value. */
const TEXTS = {
  quota: [
    '{remaining} of {limit} left until {time}',
    'Осталось {remaining} из {limit}, лимит обновится в {time}',
  ],
  tokenInUse: ['No limit applies with your token', 'С вашим токеном лимит не действует'],
  tokenRejected: ['Your token was not accepted: {reason}.', 'Токен не принят: {reason}.'],
  pause: [
    'Files waiting: {count}. Reading can continue at {time}, {relative}.',
    'Осталось прочитать файлов: {count}. Продолжить можно в {time}, {relative}.',
  ],

  waiting: ['Waiting', 'В очереди'],
  decoding: ['Reading…', 'Читается…'],
  done: ['Read', 'Прочитан'],
  failed: ['Not read', 'Не прочитан'],
  canceled: ['Canceled', 'Отменён'],
  progress: ['Read: {done} of {total}', 'Прочитано: {done} из {total}'],
  cancel: ['Cancel', 'Отменить'],
  retry: ['Try again', 'Повторить'],
  downloadJson: ['Download JSON', 'Скачать JSON'],
  copy: ['Copy', 'Копировать'],
  copied: ['Copied', 'Скопировано'],

  file: ['File', 'Файл'],
  pin: ['PIN code', 'Пин-код'],
  owner: ['Owner', 'Владелец'],
  product: ['Product', 'Продукт'],
  users: ['Users', 'Пользователей'],
  registrationNumber: ['Registration number', 'Регистрационный номер'],
  expiry: ['Expires', 'Срок действия'],
  matches: ['Matches the computer of the service', 'Подходит к компьютеру сервиса'],
  state: ['State', 'Состояние'],
  error: ['Error', 'Ошибка'],
  yes: ['yes', 'да'],
  no: ['no', 'нет'],
  never: ['never', 'не ограничен'],
  notStated: ['not stated', 'не указан'],
  expired: ['expired', 'истёк'],
  match: ['Matches the computer of this service.', 'Подходит к компьютеру этого сервиса.'],
  mismatch: [
    'Does not match the computer of this service. That is normal: a license is bound to the computer it was issued for.',
    'Не подходит к компьютеру этого сервиса. Это нормально: лицензия привязана к компьютеру, для которого её получали.',
  ],

  generatedAt: ['Issued', 'Дата выпуска'],
  type: ['Type', 'Тип'],
  productCode: ['Product code', 'Код продукта'],
  boundTo: ['Bound to', 'Привязка'],
  ownerData: ['Registration data', 'Данные владельца'],
  ownerHint: ['Needed to activate the license again.', 'Их же указывают при повторном получении лицензии.'],
  firstName: ['First name', 'Имя'],
  middleName: ['Middle name', 'Отчество'],
  lastName: ['Last name', 'Фамилия'],
  email: ['E-mail', 'E-mail'],
  company: ['Company', 'Компания'],
  country: ['Country', 'Страна'],
  postalCode: ['Postal code', 'Индекс'],
  region: ['Region', 'Регион/область'],
  district: ['District', 'Район'],
  city: ['City', 'Город'],
  street: ['Street', 'Улица'],
  house: ['House', 'Дом'],
  building: ['Building', 'Корпус'],
  apartment: ['Apartment, office', 'Квартира/офис'],
  hardware: ['Computer', 'Компьютер'],
  hardwareHint: [
    'Not every difference matters: ring ignores, for example, added devices and memory.',
    'Не каждое отличие важно: например, добавленные устройства и память ring не учитывает.',
  ],
  parameter: ['Parameter', 'Параметр'],
  license: ['In the license', 'В лицензии'],
  current: ['Computer of the service', 'Компьютер сервиса'],
  differs: ['differs', 'отличается'],
  raw: ['Original output of ring', 'Исходный вывод ring'],
  licData: ['License information', 'Сведения о лицензии'],
  validateData: ['Check', 'Проверка'],
  other: ['Other lines', 'Прочие строки'],

  notLic: ['This is not a .lic file. Choose another one.', 'Это не файл .lic. Выберите другой.'],
  emptyFile: ['The file is empty. Choose the original.', 'Файл пуст. Выберите исходный файл.'],
  tooLarge: ['More than 5 MB: not a license file.', 'Больше 5 МБ: это не файл лицензии.'],
  noAnswer: ['No answer. Check the connection.', 'Нет ответа. Проверьте соединение.'],
  badAnswer: ['Unreadable answer: {status}. Try later.', 'Непонятный ответ: {status}. Повторите позже.'],
} as const satisfies Record<string, readonly [en: string, ru: string]>;

export type TextKey = keyof typeof TEXTS;
export type TextValues = Record<string, string | number>;

export function textIn(language: Language, key: TextKey, values: TextValues = {}): string {
  const text = TEXTS[key][language === 'ru' ? 1 : 0];
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
