/** The texts of the page around the list: where files come from, the limit, and why reading stops. */
export const FRAME_TEXTS = {
  title: ['License decoder: 1C license viewer', 'License decoder: просмотр лицензий 1С'],
  name: ['License decoder', 'License decoder'],
  printedOn: ['on {date}', 'на {date}'],
  tagline: ['1C license viewer', 'просмотр лицензий 1С'],
  apiReference: ['API reference', 'Описание API (англ.)'],
  version: ['Version {version}', 'Версия {version}'],
  privacy: [
    'Files are deleted from the server as soon as they are read. Your browser stores nothing.',
    'Файлы удаляются с сервера сразу после чтения. В браузере ничего не сохраняется.',
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
    'or drop files, folders or an exported sheet anywhere on this page',
    'или перетащите файлы, папки или прежнюю выгрузку в любое место страницы',
  ],
  example: ['Show an example', 'Показать пример'],
  standIn: ['Demo: it reads made-up samples only.', 'Демо: читает только вымышленные образцы.'],
  dropHere: ['Drop the files to upload them', 'Отпустите файлы, чтобы загрузить'],
  adding: ['Looking through the files…', 'Просматриваем файлы…'],
  skipped: ['Skipped, not .lic files: {count}.', 'Пропущено файлов с другим расширением: {count}.'],
  unpack: ['Unpack archives first.', 'Архивы сначала распакуйте.'],
  unreadable: ['Could not be opened: {count}.', 'Не удалось открыть: {count}.'],
  nothingFound: ['There are no .lic files among them.', 'Файлов .lic среди них нет.'],
  hide: ['Hide', 'Скрыть'],

  limitFree: [
    'Without a token: {limit} {limit|file|files} {window}',
    'Без токена: {limit} {limit|файл|файла|файлов} {window}',
  ],
  limitNone: ['Files can be read with a token only', 'Файлы можно прочитать только с токеном'],
  quota: [
    'Without a token: {remaining} of {limit} files left, renewed {time}',
    'Без токена осталось файлов: {remaining} из {limit}, лимит обновится {time}',
  ],
  limitReached: ['The limit is reached.', 'Лимит исчерпан.'],
  limitRenewed: ['The limit is renewed: more files can be read.', 'Лимит обновился: можно читать дальше.'],
  notReadYet: ['Not read yet: {count}.', 'Ещё не прочитано: {count}.'],
  unreadFiles: [
    'PIN code and owner not read yet: {count} {count|file|files}.',
    'Пин-код и владелец ещё не прочитаны: {count} {count|файл|файла|файлов}.',
  ],
  limitIs: [
    'Without a token the service reads {limit} {window}.',
    'Без токена сервис читает {limit} {limit|файл|файла|файлов} {window}.',
  ],
  readOf: ['{read} of {total} read.', 'Прочитано {read} из {total}.'],
  nextAt: [
    'The next {count} can be read {time}, {wait}.',
    'Следующие {count} можно прочитать {time}, {wait}.',
  ],
  nextOneAt: ['The next one can be read {time}, {wait}.', 'Следующий можно прочитать {time}, {wait}.'],
  needsToken: ['PIN codes and owners need a token.', 'Для пин-кодов и владельцев нужен токен.'],
  readSome: ['Read {count}', 'Прочитать {count}'],
  readUrgent: [
    'Read the {count} most urgent',
    'Прочитать {count} {count|самый срочный|самые срочные|самых срочных}',
  ],
  read: ['Read', 'Прочитать'],
  readListed: ['Read again: {count}', 'Прочитать ещё раз: {count}'],
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
  tokenLost: ['The token is no longer valid: {reason}.', 'Токен больше не действует: {reason}.'],
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
  noAnswer: ['The service does not answer. Check the network.', 'Сервис не отвечает. Проверьте сеть.'],
  notTheService: [
    'Something other than the service answered, such as a proxy or a login page (status {status}).',
    'Ответил не сервис, а, например, прокси или страница входа (код ответа {status}).',
  ],
  fileGone: ['The file was changed, moved or deleted.', 'Файл изменили, переместили или удалили.'],
  emptyFile: ['The file is empty. Choose the original.', 'Файл пуст. Выберите исходный файл.'],
  tooLarge: ['More than {size} MB: not a license file.', 'Больше {size} МБ: это не файл лицензии.'],
} as const;
