import type { Language } from '../../../errors/catalog.js';

/**
 * Every text of the page in English and Russian. `{name}` stands for a value, and `{count|file|files}` for the form
 * that a number asks for: one and other in English; one, few and many in Russian.
 */
const TEXTS = {
  title: ['License decoder: 1C license viewer', 'License decoder: просмотр лицензий 1С'],
  name: ['License decoder', 'License decoder'],
  printedOn: ['on {date}', 'на {date}'],
  tagline: ['1C license viewer', 'просмотр лицензий 1С'],
  noScript: ['This page needs JavaScript.', 'Для работы этой страницы нужен JavaScript.'],
  apiReference: ['API reference', 'Описание API (англ.)'],
  version: ['Version {version}', 'Версия {version}'],
  privacy: [
    'Files are deleted from the server as soon as they are read. Your browser stores nothing.',
    'Файлы удаляются с сервера сразу после чтения. В браузере ничего не сохраняется.',
  ],
  notFound: ['There is no such page', 'Такой страницы нет'],
  notFoundHint: [
    'The address may be misspelled or out of date.',
    'Возможно, адрес набран с ошибкой или устарел.',
  ],

  lead: [
    'See what license files say: expiry date, computer, users, PIN code and owner. One file or two hundred at once.',
    'Покажем, что записано в файлах лицензий: срок действия, компьютер, число мест, владелец и пин-код. Хоть один файл, хоть двести сразу.',
  ],
  choose: ['Choose license files', 'Выбрать файлы лицензий'],
  chooseFolder: ['Choose a folder', 'Выбрать папку'],
  addFiles: ['Add files', 'Добавить файлы'],
  addFolder: ['Add a folder', 'Добавить папку'],
  dropHint: [
    'or drop files and folders anywhere on this page',
    'или перетащите файлы и папки в любое место страницы',
  ],
  example: ['Show an example', 'Показать пример'],
  standIn: [
    'Demo: a stand-in for ring reads only made-up samples.',
    'Демо: вместо ring работает заглушка, она читает только вымышленные образцы.',
  ],
  dropHere: ['Drop the files to upload them', 'Отпустите файлы, чтобы загрузить'],
  adding: ['Looking through the files…', 'Просматриваем файлы…'],
  skipped: ['Skipped, because not .lic: {count}', 'Пропущено файлов с другим расширением: {count}'],
  unreadable: ['Could not be opened: {count}', 'Не удалось открыть: {count}'],
  nothingFound: ['There are no .lic files among them.', 'Файлов .lic среди них нет.'],
  hide: ['Hide', 'Скрыть'],

  limitFree: [
    'Without a token, PIN code and owner can be read of {limit} {limit|file|files} {window}',
    'Без токена пин-код и владельца можно прочитать у {limit} {limit|файла|файлов|файлов} {window}',
  ],
  limitNone: ['Files can be read with a token only', 'Файлы можно прочитать только с токеном'],
  quota: [
    'Without a token: {remaining} of {limit} files left, renewed {time}',
    'Без токена осталось файлов: {remaining} из {limit}, лимит обновится {time}',
  ],
  limitReached: ['The limit is reached.', 'Лимит исчерпан.'],
  notReadYet: ['Not read yet: {count}.', 'Ещё не прочитано: {count}.'],
  needsService: [
    'The service reads PIN codes and owners: now up to {left} {left|file|files}.',
    'Пин-коды и владельцев читает сервис: сейчас до {left} {left|файла|файлов|файлов}.',
  ],
  needsLimit: [
    'The service reads PIN codes and owners, and goes on {time}, {wait}.',
    'Пин-коды и владельцев читает сервис. Лимит исчерпан и обновится {time}, {wait}.',
  ],
  needsToken: [
    'The service reads PIN codes and owners, and asks for a token.',
    'Пин-коды и владельцев читает сервис, для этого нужен токен.',
  ],
  readSome: ['Read {count}', 'Прочитать {count}'],
  read: ['Read', 'Прочитать'],
  auto: ['Read more whenever the limit allows', 'Читать дальше, когда лимит обновится'],
  continueNow: ['Continue now', 'Продолжить сейчас'],

  haveToken: ['I have a token', 'У меня есть токен'],
  token: ['Access token', 'Токен доступа'],
  useToken: ['Use token', 'Применить'],
  tokenHint: [
    'Lifts the limit until you close this page. Ask the administrator of the service for one.',
    'Снимает лимит, пока страница открыта. Токен выдаёт администратор сервиса.',
  ],
  tokenAccepted: ['Token accepted: no limit', 'Токен принят: лимита нет'],
  tokenPending: ['The token will be checked with the next file.', 'Токен будет проверен на следующем файле.'],
  tokenChecked: ['Checking the token…', 'Токен проверяется…'],
  tokenRejected: ['The token was not accepted: {reason}.', 'Токен не принят: {reason}.'],
  tokenMalformed: [
    'it is incomplete, or no token at all; three parts joined by dots are expected',
    'он скопирован не полностью или это не токен (в токене три части, соединённые точками)',
  ],
  forgetToken: ['Forget the token', 'Забыть токен'],

  paused: ['Reading is paused', 'Чтение приостановлено'],
  goesOn: [
    'It goes on by itself once the service is ready. Next check {wait}.',
    'Чтение продолжится само, когда сервис будет готов. Следующая проверка {wait}.',
  ],
  noAnswer: [
    'The service does not answer. Check the network connection.',
    'Сервис не отвечает. Проверьте подключение к сети.',
  ],
  notTheService: [
    'Something other than the service answered, such as a proxy or a login page (status {status}).',
    'Ответил не сервис, а, например, прокси или страница входа (код ответа {status}).',
  ],
  fileGone: [
    'The file cannot be opened any more: it was changed, moved or deleted.',
    'Файл больше не открывается: его изменили, переместили или удалили.',
  ],
  emptyFile: ['The file is empty. Choose the original.', 'Файл пуст. Выберите исходный файл.'],
  tooLarge: ['More than {size} MB: not a license file.', 'Больше {size} МБ: это не файл лицензии.'],

  results: ['Licenses', 'Лицензии'],
  progress: ['{decided} of {total}', '{decided} из {total}'],
  finished: ['Done: {count}', 'Прочитано: {count}'],
  unfitCount: ['Not a license: {count}', 'Не лицензия: {count}'],
  more: ['More', 'Ещё'],
  cancelAll: ['Cancel all', 'Отменить все'],
  undo: ['Undo', 'Вернуть'],
  retryAll: ['Retry all failed', 'Повторить все неудачные'],
  removeShown: ['Remove these {count}', 'Убрать показанные: {count}'],
  clearAll: ['Clear list', 'Очистить'],
  removed: ['Removed from the list: {count}.', 'Убрано из списка: {count}.'],
  updated: ['Updated: {count}.', 'Обновлено: {count}.'],
  unchanged: ['Unchanged: {count}.', 'Без изменений: {count}.'],
  excel: ['Export {count} to Excel', 'Выгрузить {count} в Excel'],
  excelPublic: ['without PIN codes and owners', 'без пин-кодов и владельцев'],
  excelWorks: ['Preparing…', 'Готовится…'],
  excelFailed: [
    'The sheet could not be created. Check the network connection and try again.',
    'Не удалось создать выгрузку. Проверьте подключение к сети и попробуйте ещё раз.',
  ],

  excelSecret: ['It holds PIN codes and owners.', 'В файле будут пин-коды и владельцы.'],
  new: ['new', 'новая'],
  gone: ['gone', 'больше нет'],
  change: ['Change', 'Изменение'],
  fromSheet: ['from the sheet of {day}', 'из выгрузки от {day}'],
  asOf: ['PIN code and owner as of {day}', 'пин-код и владелец на {day}'],
  unsurePin: [
    '{digits} (may be wrong: Excel stored it as a number)',
    '{digits} (может быть неверен: Excel сохранил его как число)',
  ],
  sheetAlone: [
    'The sheet of {day}. Add files to see what has changed.',
    'Выгрузка от {day}. Добавьте файлы, чтобы увидеть изменения.',
  ],
  comparedWith: [
    'Compared with the sheet of {day}, changes: {count}.',
    'Сравнение с выгрузкой от {day}, изменений: {count}.',
  ],
  sheetSecret: [
    'The sheet may hold PIN codes and owners: do not pass it on.',
    'В выгрузке могут быть пин-коды и владельцы: не передавайте её посторонним.',
  ],
  removeSheet: ['Remove the sheet', 'Убрать выгрузку'],
  sheetPartial: ['partial', 'частично'],
  sheetTooLarge: [
    'The sheet is too large: at most 5 MB, 15 MB unpacked, and 20,000 rows.',
    'Выгрузка слишком большая: не больше 5 МБ, 15 МБ в распакованном виде и 20 000 строк.',
  ],
  sheetForeign: [
    'This Excel file was not exported from this page: it has no columns “File” and “Valid until”.',
    'Этот файл Excel выгружен не с этой страницы: в нём нет столбцов «Файл» и «Действует до».',
  ],
  sheetEmpty: ['The sheet has no rows.', 'В выгрузке нет строк.'],
  sheetFormat: [
    'The sheet has another format: save it as .xlsx and drop it again.',
    'У выгрузки другой формат: сохраните её как .xlsx и добавьте ещё раз.',
  ],
  sheetLast: [
    'Of {count} sheets the last one counts: {name}.',
    'Из {count} выгрузок учтена последняя: {name}.',
  ],
  sheetUnclear: ['Values not understood: {count}.', 'Не понято значений: {count}.'],
  sheetBroken: [
    'The sheet could not be read. Save it as .xlsx without a password and try again.',
    'Не удалось прочитать выгрузку. Сохраните её как .xlsx без пароля и попробуйте ещё раз.',
  ],

  search: ['Search', 'Поиск'],
  clear: ['Clear', 'Очистить'],
  filters: ['Filter', 'Отбор'],
  all: ['All', 'Все'],
  expired: ['Expired', 'Истекли'],
  expiring: ['Soon, {days} days', 'Скоро, {days} дней'],
  noTerm: ['Term unknown', 'Срок неизвестен'],
  horizon: ['Period', 'Период'],
  days: ['Soon: {days} days', 'Скоро: {days} дней'],
  clients: ['Client', 'Клиентские'],
  servers: ['Server', 'Серверные'],
  changes: ['Changes', 'Изменения'],
  replaced: ['Replaced', 'Заменены'],
  errors: ['Errors', 'Ошибки'],
  found: ['Found: {count} of {total}', 'Найдено: {count} из {total}'],
  noMatches: ['Nothing matches.', 'Ничего не найдено.'],
  showAll: ['Show all', 'Показать все'],
  sortBy: ['Sort by', 'Сортировка'],
  byUrgency: ['by urgency', 'по срочности'],
  descending: ['Descending', 'По убыванию'],

  sumUsers: ['{users} {users|user|users}', '{users} {users|место|места|мест}'],
  sumUsersAtLeast: ['at least {users} {users|user|users}', 'от {users} {users|места|мест|мест}'],
  sumNext: ['from {day}', 'с {day}'],
  ownersRead: [
    'Owners are read in {read} of {total}; the others may be missing here and in the totals.',
    'Владельцы прочитаны у {read} из {total}, остальных может не быть ни здесь, ни в итогах.',
  ],
  noClearText: ['Nothing in clear text', 'Открытых данных нет'],

  file: ['File', 'Файл'],
  files: ['Files', 'Файлов'],
  fileCount: ['{count} {count|file|files}', '{count} {count|файл|файла|файлов}'],
  folder: ['Folder', 'Папка'],
  pin: ['PIN code', 'Пин-код'],
  owner: ['Owner', 'Владелец'],
  product: ['Product', 'Продукт'],
  users: ['Users', 'Мест'],
  type: ['Type', 'Тип'],
  registrationNumber: ['Registration number', 'Регистрационный номер'],
  computer: ['Computer', 'Компьютер'],
  validUntil: ['Valid until', 'Действует до'],
  state: ['State', 'Статус'],
  client: ['client', 'клиент'],
  server: ['server', 'сервер'],
  never: ['unlimited', 'бессрочно'],
  termNotStated: ['not stated', 'не указано'],
  expiredMark: ['expired', 'истекла'],
  replacedMark: ['replaced', 'заменена'],
  sameLicense: ['same license: {name}', 'та же лицензия: {name}'],
  sameOwner: ['All licenses of this owner', 'Все лицензии этого владельца'],
  sameComputer: ['All licenses of this computer', 'Все лицензии этого компьютера'],
  replacedBy: ['replaced by {name}', 'заменена на {name}'],
  replaces: ['in place of {name}', 'взамен {name}'],

  unread: ['Not read', 'Не прочитан'],
  unfit: ['Not a license', 'Не лицензия'],
  waiting: ['Waiting', 'В очереди'],
  decoding: ['Reading…', 'Читается…'],
  done: ['Done', 'Прочитан'],
  failed: ['Failed', 'Не удалось прочитать'],
  cancel: ['Cancel', 'Отменить'],
  retry: ['Try again', 'Повторить'],
  remove: ['Remove from the list', 'Убрать из списка'],
  showDetails: ['Details', 'Подробности'],
  close: ['Close', 'Закрыть'],
  copy: ['Copy', 'Копировать'],
  copied: ['Copied', 'Скопировано'],
  copyFailed: ['Not copied: select and copy it by hand', 'Не скопировано: выделите и скопируйте вручную'],
  failedAnnouncement: ['Failed: {name}', 'Не удалось прочитать: {name}'],
  failedCount: ['Failed: {count}', 'Не удалось прочитать: {count}'],

  yes: ['yes', 'да'],
  downloadJson: ['Download JSON', 'Скачать JSON'],
  notDecodedYet: [
    'The file says this in clear text. PIN code and owner appear once the service has read the file.',
    'Это записано в файле открытым текстом. Пин-код и владелец появятся, когда сервис прочитает файл.',
  ],
  nothingKnownYet: [
    'The file has no clear text. The data appears once the service has read the file.',
    'Открытого текста в файле нет. Все данные появятся, когда сервис прочитает файл.',
  ],
  generatedAt: ['License generation date', 'Дата комплектации'],
  producedAt: ['Production date', 'Дата производства'],
  productCode: ['Product code', 'Номер продукта'],
  pinCount: ['PIN codes in the group', 'Пин-кодов в группе'],
  boundTo: ['Bound to', 'Привязана к'],
  binding: ['Binding', 'Привязка'],
  bindingComputer: ['to a computer', 'к компьютеру'],
  bindingHardwareKey: ['to a hardware protection key', 'к аппаратному ключу защиты'],
  previousPin: ['Previous PIN code', 'Предыдущий пин-код'],
  fingerprint: ['Fingerprint', 'Отпечаток'],
  error: ['Error', 'Ошибка'],

  activation: ['Activate again', 'Повторное получение'],
  newPinNeeded: [
    'Needs a new, unused PIN code of the same kit.',
    'Нужен новый, неиспользованный пин-код из того же комплекта.',
  ],
  formerPin: ['Former PIN code', 'Прежний пин-код'],
  newPin: ['New PIN code', 'Новый пин-код'],
  ownerData: ['Data of the owner', 'Данные владельца'],
  activationHint: [
    'Give the same data, letter for letter, when you activate the license again.',
    'При повторном получении укажите их буква в букву.',
  ],
  command: ['Command for {shell}', 'Команда для {shell}'],
  fillIn: [
    'Fill in yourself in place of {placeholder}: {fields}. The value was cut off, or {shell} would change it.',
    'Вместо {placeholder} впишите сами: {fields}. Значение обрезано, или {shell} его исказит.',
  ],
  firstName: ['First name', 'Имя'],
  middleName: ['Middle name', 'Отчество'],
  lastName: ['Last name', 'Фамилия'],
  email: ['E-mail', 'E-mail'],
  company: ['Company', 'Компания'],
  country: ['Country', 'Страна'],
  postalCode: ['ZIP code', 'Индекс'],
  region: ['Region', 'Регион/область'],
  district: ['District', 'Район'],
  city: ['Town', 'Город'],
  street: ['Street', 'Улица'],
  house: ['House', 'Дом'],
  building: ['Building', 'Корпус'],
  apartment: ['Apartment, office', 'Квартира/офис'],

  hardware: ['Computer in the license', 'Компьютер в лицензии'],
  inLicense: ['In the license', 'В лицензии'],
  raw: ['Original output of ring', 'Исходный вывод ring'],
  licData: ['License information', 'Сведения о лицензии'],
  validateData: ['Check', 'Проверка'],
  other: ['Other lines', 'Прочие строки'],
} as const satisfies Record<string, readonly [en: string, ru: string]>;

/** What a license can be bound to. */
export const BINDINGS = { computer: 'bindingComputer', hardwareKey: 'bindingHardwareKey' } as const;

export type TextKey = keyof typeof TEXTS;
export type TextValues = Record<string, string | number>;

/** Tells a text in one language. */
export type Tell = (key: TextKey, values?: TextValues) => string;

const PLURALS = { en: ['one', 'other'], ru: ['one', 'few', 'many'] };

const tellers = new Map<Language, Tell>();

/** The texts in a language; always the same function for the same language. */
export function textsIn(language: Language): Tell {
  let tell = tellers.get(language);
  if (!tell) tellers.set(language, (tell = makeTell(language)));
  return tell;
}

function makeTell(language: Language): Tell {
  const { select } = plural(language);
  const show = (value: string | number) =>
    typeof value === 'number' ? value.toLocaleString(language) : value;
  return (key, values = {}) =>
    TEXTS[key][language === 'ru' ? 1 : 0].replace(
      /\{(\w+)(?:\|([^}]*))?\}/g,
      (placeholder, name: string, forms: string | undefined) => {
        const value = values[name];
        if (value === undefined) return placeholder;
        if (forms === undefined) return show(value);
        return forms.split('|')[PLURALS[language].indexOf(select(Number(value)))] ?? placeholder;
      },
    );
}

function plural(language: Language) {
  const rules = new Intl.PluralRules(language);
  return { select: (count: number) => rules.select(count) };
}
