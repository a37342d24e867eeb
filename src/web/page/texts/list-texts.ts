/** The texts of the list: what can be done with it, the sheet, the filters. */
export const LIST_TEXTS = {
  results: { en: 'Licenses', ru: 'Лицензии' },
  licenseCount: {
    en: '{count} {count|license|licenses}',
    ru: '{count} {count|лицензия|лицензии|лицензий}',
  },
  tally: { en: '{read} of {total} read', ru: 'прочитано {read} из {total}' },
  readingProgress: { en: 'Progress of reading', ru: 'Ход чтения' },
  cancelReading: { en: 'Cancel', ru: 'Отменить' },
  more: { en: 'More actions', ru: 'Другие действия' },
  print: { en: 'Print', ru: 'Печать' },
  progress: {
    en: 'Reading {asked} of {total}, done: {decided}',
    ru: 'Читаем {asked} из {total}, готово: {decided}',
  },
  undo: { en: 'Undo', ru: 'Вернуть' },
  retryAll: { en: 'Retry all failed', ru: 'Повторить неудачные' },
  removeShown: { en: 'Remove the {count} shown', ru: 'Убрать показанные: {count}' },
  clearAll: { en: 'Clear the list', ru: 'Очистить список' },
  removed: { en: 'Removed from the list: {count}.', ru: 'Убрано из списка: {count}.' },
  stopped: { en: 'The other files are not added.', ru: 'Остальные файлы не добавляются.' },
  updated: { en: 'Updated: {count}.', ru: 'Обновлено: {count}.' },
  unchanged: { en: 'Unchanged: {count}.', ru: 'Без изменений: {count}.' },
  excelMenu: { en: 'Excel', ru: 'Excel' },
  excel: { en: 'Export {count} to Excel', ru: 'Выгрузить {count} в Excel' },
  excelPublic: { en: 'without PIN codes and owners', ru: 'без пин-кодов и владельцев' },
  excelSecret: {
    en: 'With PIN codes and owners: keep the file private.',
    ru: 'С пин-кодами и владельцами: не передавайте файл посторонним.',
  },
  excelNoSecret: {
    en: 'PIN codes and owners are not known yet.',
    ru: 'Пин-коды и владельцы пока неизвестны.',
  },
  exportPublic: {
    en: 'Export without PIN codes and owners',
    ru: 'Выгрузить без пин-кодов и владельцев',
  },
  excelPublicHint: {
    en: 'This file still has registration numbers and computer names.',
    ru: 'Номера лицензий и имена компьютеров в файле останутся.',
  },
  excelWorks: { en: 'Preparing…', ru: 'Готовим…' },
  excelFailed: {
    en: 'The sheet could not be created. Check the network connection and try again.',
    ru: 'Не удалось создать выгрузку. Проверьте подключение к сети и попробуйте ещё раз.',
  },

  new: { en: 'new', ru: 'новая' },
  gone: { en: 'gone', ru: 'больше нет' },
  change: { en: 'Change', ru: 'Изменение' },
  fromSheet: { en: 'from the sheet of {day}', ru: 'из выгрузки от {day}' },
  asOf: { en: 'PIN code and owner as of {day}', ru: 'пин-код и владелец на {day}' },
  sheetOf: {
    en: 'Sheet of {day}: {count} {count|license|licenses}',
    ru: 'Выгрузка от {day}: {count} {count|лицензия|лицензии|лицензий}',
  },
  sheetAlone: { en: 'Add files to see what has changed', ru: 'Добавьте файлы, чтобы увидеть изменения' },
  sheetHere: { en: 'Found again: {here} of {count}', ru: 'Найдено из прежних: {here} из {count}' },
  mostGone: { en: 'were all folders added?', ru: 'добавлены все папки?' },
  sheetChanges: { en: 'Changes: {count}', ru: 'Изменений: {count}' },
  sheetPart: {
    en: 'It was a part of the list, so nothing is called new',
    ru: 'Это выгрузка части списка, поэтому новые не отмечены',
  },
  sheetUnclear: { en: 'Values not understood: {count}', ru: 'Не удалось разобрать значений: {count}' },
  sheetSecret: {
    en: 'The sheet has PIN codes and owners: keep it private',
    ru: 'В выгрузке пин-коды и владельцы: не передавайте её',
  },
  removeSheet: { en: 'Remove the sheet', ru: 'Убрать выгрузку' },

  sheetTooLarge: {
    en: 'the sheet is too large: at most 5 MB, 20 MB unpacked, and 8,000 files.',
    ru: 'выгрузка слишком большая: не больше 5 МБ, 20 МБ в распакованном виде и 8000 файлов.',
  },
  sheetForeign: {
    en: 'not exported from this page: it has no columns “File” and “Valid until”.',
    ru: 'выгружен не с этой страницы: в нём нет столбцов «Файл» и «Действует до».',
  },
  sheetEmpty: { en: 'the sheet has no rows.', ru: 'в выгрузке нет строк.' },
  sheetFormat: {
    en: 'a sheet of another format. Save it as .xlsx and add it again.',
    ru: 'выгрузка в другом формате. Сохраните её как .xlsx и добавьте ещё раз.',
  },
  sheetBroken: {
    en: 'the sheet could not be read. Save it as .xlsx without a password and try again.',
    ru: 'не удалось прочитать выгрузку. Сохраните её как .xlsx без пароля и попробуйте ещё раз.',
  },
  noSheetReader: {
    en: 'the page could not load what reads sheets. Check the network and add the sheet again, or reload the page.',
    ru: 'странице не удалось загрузить модуль для чтения выгрузок. Проверьте сеть и добавьте выгрузку ещё раз или обновите страницу.',
  },

  search: { en: 'Search', ru: 'Поиск' },
  clear: { en: 'Clear', ru: 'Очистить' },
  clearSearch: { en: 'Clear the search', ru: 'Очистить поиск' },
  filters: { en: 'Filter', ru: 'Отбор' },
  all: { en: 'All', ru: 'Все' },
  expired: { en: 'Expired', ru: 'Истекли' },
  expiring: { en: 'Soon', ru: 'Скоро' },
  days: { en: 'within {days} days', ru: 'в ближайшие {days} дней' },
  clients: { en: 'Client', ru: 'Клиентские' },
  servers: { en: 'Server', ru: 'Серверные' },
  incomplete: { en: 'No term or users', ru: 'Нет срока или мест' },
  changes: { en: 'Changes', ru: 'Изменения' },
  replaced: { en: 'Replaced', ru: 'Заменены' },
  errors: { en: 'Errors', ru: 'Ошибки' },
  found: { en: 'Found: {count} of {total}', ru: 'Найдено: {count} из {total}' },
  noMatches: { en: 'Nothing matches.', ru: 'Ничего не найдено.' },
  showAll: { en: 'Show all', ru: 'Показать все' },
  sortBy: { en: 'Sort by', ru: 'Сортировка' },
  byUrgency: { en: 'by urgency', ru: 'по срочности' },
  descending: { en: 'Descending', ru: 'По убыванию' },

  sumUsers: {
    en: '{users} {users|user|users} in valid client licenses',
    ru: '{users} {users|место|места|мест} по действующим клиентским',
  },
  sumUsersAtLeast: {
    en: '{users} {users|user|users} or more in valid client licenses',
    ru: 'не меньше {users} {users|места|мест|мест} по действующим клиентским',
  },
  validClients: { en: 'In valid client licenses', ru: 'По действующим клиентским' },
  validClientsAtLeast: {
    en: 'In valid client licenses, at least',
    ru: 'По действующим клиентским, не меньше',
  },
  ownersKnown: {
    en: 'Owners known: {count} of {total}',
    ru: 'Владельцы известны: {count} из {total}',
  },
  oldFile: {
    en: 'old file: its term is known after reading',
    ru: 'старый файл: срок узнаем после чтения',
  },
} as const;
