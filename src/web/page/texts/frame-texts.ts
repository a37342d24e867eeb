/** The texts of the page around the list: where files come from, the limit, and why reading stops. */
export const FRAME_TEXTS = {
  title: { en: 'License decoder: 1C license viewer', ru: 'License decoder: просмотр лицензий 1С' },
  name: { en: 'License decoder', ru: 'License decoder' },
  printedOn: { en: '· {date}', ru: '· {date}' },
  tagline: { en: '1C license viewer', ru: 'просмотр лицензий 1С' },
  apiReference: { en: 'API reference', ru: 'Описание API (англ.)' },
  version: { en: 'Version {version}', ru: 'Версия {version}' },

  // The service puts these into pages that say them without a script.
  noScript: { en: 'This page needs JavaScript.', ru: 'Для работы этой страницы нужен JavaScript.' },
  notFound: { en: 'There is no such page', ru: 'Такой страницы нет' },
  notFoundHint: {
    en: 'The address may be misspelled or out of date.',
    ru: 'Возможно, адрес набран с ошибкой или устарел.',
  },

  lead: {
    en: 'See what license files say: expiry date, computer, seats, PIN code and owner.',
    ru: 'Покажем, что записано в файлах лицензий: срок действия, компьютер, число мест, владелец и пин-код.',
  },
  choose: { en: 'Choose license files', ru: 'Выбрать файлы лицензий' },
  chooseFolder: { en: 'or a folder', ru: 'или папку' },
  addFiles: { en: 'Add files', ru: 'Добавить файлы' },
  addFolder: { en: 'Add a folder', ru: 'Добавить папку' },
  dropHint: {
    en: 'You can also drop files and folders here.',
    ru: 'Файлы и папки можно просто перетащить на страницу.',
  },
  deletedAtOnce: {
    en: 'Your files are not changed. The uploaded copy is deleted as soon as it is read.',
    ru: 'Ваши файлы не меняются. Загруженная копия удаляется сразу после чтения.',
  },
  whereFilesAre: { en: 'Usual folder:', ru: 'Где лежат файлы:' },
  hiddenFolder: {
    en: '(a hidden folder: paste the path into the file dialog)',
    ru: '(папка скрыта: вставьте путь в окно выбора)',
  },
  otherPlaces: { en: 'Other places', ru: 'Другие папки' },
  example: { en: 'Show an example', ru: 'Показать пример' },
  standIn: {
    en: 'Demo: reads made-up licenses only.',
    ru: 'Демо: читает только вымышленные лицензии.',
  },
  scriptFailed: {
    en: 'A part of the page could not be loaded: the network is down, or the service was updated meanwhile.',
    ru: 'Не удалось загрузить часть страницы: нет сети, или сервис тем временем обновили.',
  },
  reloadClears: { en: 'Reloading clears the list.', ru: 'При перезагрузке список пропадёт.' },
  reload: { en: 'Reload the page', ru: 'Перезагрузить страницу' },
  dropHere: { en: 'Drop the files to add them', ru: 'Отпустите файлы, чтобы добавить' },
  adding: { en: 'Looking through the files…', ru: 'Просматриваем файлы…' },
  // Why files are left out, behind their names, of which there may be one or many.
  notLicense: { en: 'not a license', ru: 'не лицензия' },
  privateKey: { en: 'a private key, not a license', ru: 'закрытый ключ, а не лицензия' },
  archive: { en: 'an archive, unpack it first', ru: 'архив, сначала распакуйте' },
  pdf: {
    en: 'a PDF, choose the original .lic file',
    ru: 'PDF, а нужен исходный файл .lic',
  },
  empty: { en: 'empty, choose the original', ru: 'файл пуст, возьмите исходный' },
  tooLarge: { en: 'too large for a license', ru: 'слишком большой для лицензии' },
  unreadable: { en: 'could not be opened', ru: 'не удалось открыть' },
  unchanged: { en: 'already in the list', ru: 'уже в списке' },
  andMore: { en: 'and {count} more', ru: 'и ещё {count}' },
  otherFiles: {
    en: 'Other files of the folder, left out because they are not .lic: {count}',
    ru: 'Пропущено других файлов из папки, не .lic: {count}',
  },
  tooMany: {
    en: 'Only the first {count} {count|file was|files were} added. Add the others afterwards.',
    ru: '{count|Добавлен|Добавлены|Добавлено} {count} {count|файл|файла|файлов}, больше за раз нельзя. Остальные добавьте следующим заходом.',
  },
  hide: { en: 'Hide', ru: 'Скрыть' },

  limitFree: {
    en: 'Limit: {limit} {limit|file|files} {window}',
    ru: 'Лимит: {limit} {limit|файл|файла|файлов} {window}',
  },
  limitLeft: {
    en: 'Limit: {remaining} of {limit} left',
    ru: 'Лимит: осталось {remaining} из {limit}',
  },
  allRead: {
    en: 'All read, and deleted from the server. The list stays only on this page.',
    ru: 'Всё прочитано и удалено с сервера. Список есть только на этой странице.',
  },
  limitNone: { en: 'Reading needs a token', ru: 'Чтение — только с токеном' },
  unreadFiles: {
    en: '{unread} {unread|license|licenses} not read yet.',
    ru: 'Не прочитано: {unread}.',
  },
  nowAndLater: {
    en: 'You can read {left} now, {next} more {time}{orToken}.',
    ru: 'Сейчас можно прочитать {left}, ещё {next} — {time}{orToken}.',
  },
  limitUsedUp: {
    en: 'The limit is used up. You can read {next} more {time}{orToken}.',
    ru: 'Лимит исчерпан, ещё {next} — {time}{orToken}.',
  },
  orToken: { en: ', or with a token', ru: ' или с токеном' },
  needsToken: { en: 'Reading needs a token.', ru: 'Для чтения нужен токен.' },
  tokenHasExpired: { en: 'The token has expired.', ru: 'Срок действия токена истёк.' },
  tokenIsLost: { en: 'The token is no longer accepted.', ru: 'Токен больше не принимается.' },
  enterToken: { en: 'Enter a token', ru: 'Ввести токен' },
  read: { en: 'Get PIN code', ru: 'Узнать пин-код' },
  enterNewToken: { en: 'Enter a new one', ru: 'Ввести новый' },
  readSome: { en: 'Read {count}', ru: 'Прочитать {count}' },
  readUrgent: {
    en: 'Read the {count} most urgent',
    ru: 'Прочитать {count} {count|самую срочную|самые срочные|самых срочных}',
  },
  readingOne: { en: 'Reading the file…', ru: 'Читаем файл…' },
  readingFiles: {
    en: 'Reading {asked} {asked|file|files}.',
    // `progress` goes on with the sentence.
    ru: 'Читаем {asked} {asked|файл|файла|файлов},',
  },
  progress: { en: '{decided} of {asked} done.', ru: '{decided|готов|готово|готово} {decided}.' },
  showThem: { en: 'Show', ru: 'Показать' },
  failedFiles: {
    en: '{failed} {failed|file|files} could not be read.',
    ru: 'Не удалось прочитать {failed} {failed|файл|файла|файлов}.',
  },

  tokenEnded: { en: 'Token no longer valid', ru: 'Токен больше не действует' },
  noLimit: { en: 'Read without a limit', ru: 'Чтение без лимита' },
  token: { en: 'Access token', ru: 'Токен доступа' },
  useToken: { en: 'Use token', ru: 'Применить' },
  tokenHint: {
    en: 'Lifts the limit until you close this page. Ask the administrator of the service for one.',
    ru: 'Снимает лимит, пока страница открыта. Токен выдаёт администратор сервиса.',
  },
  tokenAccepted: { en: 'Token accepted: no limit', ru: 'Токен принят: лимита нет' },
  tokenDoubted: { en: 'Token not checked', ru: 'Токен не проверен' },
  tokenChecked: { en: 'Checking the token…', ru: 'Проверяем токен…' },
  tokenInvalid: {
    en: 'The token is not valid for this service. Ask the administrator for a new one.',
    ru: 'Токен не подходит к этому серверу. Попросите у администратора новый.',
  },
  tokenExpired: {
    en: 'The token has expired. Ask the administrator for a new one.',
    ru: 'Срок действия токена истёк. Попросите у администратора новый.',
  },
  tokenNotActive: {
    en: 'The token is not valid yet. Ask the administrator from when it is.',
    ru: 'Токен ещё не действует. Узнайте у администратора, с какого времени.',
  },
  tokenNoSecret: {
    en: 'This server accepts no tokens. Ask its administrator.',
    ru: 'Этот сервер не принимает токены. Обратитесь к администратору.',
  },
  tokenMalformed: {
    en: 'The token is incomplete. Copy all of it: it has three parts joined by dots.',
    ru: 'Токен скопирован не полностью: в нём три части, соединённые точками.',
  },
  tokenUnchecked: {
    en: 'The service could not check the token. Try again later.',
    ru: 'Сервис не смог проверить токен. Повторите позже.',
  },
  forgetToken: { en: 'Forget the token', ru: 'Убрать токен' },

  paused: { en: 'Reading is paused', ru: 'Чтение приостановлено' },
  nextCheck: {
    en: 'Reading will resume automatically; next check {wait}.',
    ru: 'Чтение возобновится автоматически; следующая проверка {wait}.',
  },
  checking: { en: 'Checking…', ru: 'Проверяем…' },
  checkNow: { en: 'Check now', ru: 'Проверить сейчас' },
  damagedOrNew: {
    en: 'Damaged, or newer than ring. Take the original .lic file from its computer. If that fails too, the administrator of the service has to update ring.',
    ru: 'Повреждён или слишком новый для ring. Возьмите исходный файл .lic с его компьютера. Если не прочитается и он, администратору сервиса нужно обновить ring.',
  },
  ringHangs: {
    en: 'ring has not finished in time twice in a row.',
    ru: 'ring дважды подряд не уложился в отведённое время.',
  },
  noAnswer: {
    en: 'The service does not respond: it is stopped, or the network is down.',
    ru: 'Сервис не отвечает: он остановлен или нет сети.',
  },
  notTheService: {
    en: 'Something other than the service answered, such as a proxy or a login page (status {status}).',
    ru: 'Ответил не сервис, а, например, прокси или страница входа (код ответа {status}).',
  },
  notUnderstood: {
    en: 'The page does not understand the answer of the service. Try again. If that does not help, the service was updated: reload the page, which clears the list.',
    ru: 'Страница не поняла ответ сервиса. Повторите. Если не поможет, сервис обновили: перезагрузите страницу, при этом список пропадёт.',
  },
} as const;
