/** The texts of the list: what can be done with it, the filters. */
export const LIST_TEXTS = {
  results: { en: 'Licenses', ru: 'Лицензии' },
  licenseCount: {
    en: '{count} {count|license|licenses}',
    ru: '{count} {count|лицензия|лицензии|лицензий}',
  },
  licensesInFiles: {
    en: '{count} {count|license|licenses} in {fileCount} files',
    ru: '{count} {count|лицензия|лицензии|лицензий} в {fileCount} {fileCount|файле|файлах|файлах}',
  },
  tally: { en: 'PIN codes: {read} of {total}', ru: 'пин-коды: {read} из {total}' },
  readingProgress: { en: 'Progress of reading', ru: 'Ход чтения' },
  cancelReading: { en: 'Cancel', ru: 'Отменить' },
  more: { en: 'More actions', ru: 'Другие действия' },
  print: { en: 'Print', ru: 'Печать' },
  printPublic: { en: 'Print without PIN codes and owners', ru: 'Печать без пин-кодов и владельцев' },
  retryAll: { en: 'Retry all failed', ru: 'Повторить неудачные' },
  removeShown: { en: 'Remove the {count} shown', ru: 'Убрать показанные: {count}' },
  clearAll: { en: 'Clear the list', ru: 'Очистить список' },
  clearQuestion: { en: 'Clear the list?', ru: 'Очистить список?' },
  clearHint: {
    en: 'What was read is lost. Reading the files again counts toward the limit again.',
    ru: 'Прочитанное пропадёт, а повторное чтение снова расходует лимит.',
  },
  keepList: { en: 'Keep the list', ru: 'Оставить' },
  excelMenu: { en: 'Excel', ru: 'Excel' },
  excel: {
    en: 'Export {count} {count|license|licenses}',
    ru: 'Выгрузить {count} {count|лицензию|лицензии|лицензий}',
  },
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
    ru: 'Регистрационные номера и имена компьютеров в файле останутся.',
  },
  resultsOn: { en: 'Licenses as of {date}', ru: 'Лицензии на {date}' },
  excelWorks: { en: 'Preparing…', ru: 'Готовим…' },
  excelFailed: {
    en: 'The sheet could not be created. Check the network connection and try again.',
    ru: 'Не удалось создать выгрузку. Проверьте подключение к сети и попробуйте ещё раз.',
  },

  search: { en: 'Search', ru: 'Поиск' },
  clear: { en: 'Clear', ru: 'Очистить' },
  clearSearch: { en: 'Clear the search', ru: 'Очистить поиск' },
  filters: { en: 'Filter', ru: 'Отбор' },
  all: { en: 'All', ru: 'Все' },
  expired: { en: 'Expired', ru: 'Истекли' },
  expiring: { en: 'Expiring within 90 days', ru: 'Истекают за 90 дней' },
  clients: { en: 'Client', ru: 'Клиентские' },
  servers: { en: 'Server', ru: 'Серверные' },
  incomplete: { en: 'Term or users unknown', ru: 'Срок или число мест неизвестны' },
  replaced: { en: 'Replaced', ru: 'Заменены' },
  errors: { en: 'Errors', ru: 'Ошибки' },
  found: { en: 'Found: {count} of {total}', ru: 'Найдено: {count} из {total}' },
  shownOf: {
    en: '{count} of {total} {total|license|licenses}',
    ru: '{count} из {total} {total|лицензии|лицензий|лицензий}',
  },
  noMatches: { en: 'Nothing matches.', ru: 'Ничего не найдено.' },
  showAll: { en: 'Show all', ru: 'Показать все' },
  sortBy: { en: 'Sort by', ru: 'Сортировка' },
  byUrgency: { en: 'by urgency', ru: 'по срочности' },

  validUsers: {
    en: '{users} {users|user|users} in valid licenses',
    ru: '{users} {users|место|места|мест} в действующих',
  },
  unknownUsers: {
    en: 'unknown for {unknown} more',
    ru: 'ещё у {unknown} неизвестно',
  },
  sumUsers: {
    en: '{users} {users|user|users} in valid client licenses',
    ru: '{users} {users|место|места|мест} в действующих клиентских лицензиях',
  },
  sumLeavesOut: {
    en: 'not counting {unknown} {unknown|license|licenses} whose term or users are unknown',
    ru: 'не считая {unknown} {unknown|лицензии|лицензий|лицензий}: срок или число мест неизвестны',
  },
  ownersKnown: {
    en: 'Owners known: {count} of {total}',
    ru: 'Владельцы известны: {count} из {total}',
  },
  oldFile: {
    en: 'old file: it states no term',
    ru: 'старый файл: срока в нём нет',
  },
} as const;
