/** The texts of the list: what can be done with it, the filters. */
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
  retryAll: { en: 'Retry all failed', ru: 'Повторить неудачные' },
  removeShown: { en: 'Remove the {count} shown', ru: 'Убрать показанные: {count}' },
  clearAll: { en: 'Clear the list', ru: 'Очистить список' },
  clearQuestion: { en: 'Clear the list?', ru: 'Очистить список?' },
  clearHint: {
    en: 'Everything that was read goes too. To get it back you have to add the files and have them read again.',
    ru: 'Прочитанное тоже пропадёт. Чтобы его вернуть, файлы придётся добавить и прочитать заново.',
  },
  keepList: { en: 'Keep it', ru: 'Не очищать' },
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

  search: { en: 'Search', ru: 'Поиск' },
  clear: { en: 'Clear', ru: 'Очистить' },
  clearSearch: { en: 'Clear the search', ru: 'Очистить поиск' },
  filters: { en: 'Filter', ru: 'Отбор' },
  all: { en: 'All', ru: 'Все' },
  expired: { en: 'Expired', ru: 'Истекли' },
  expiring: { en: 'Expiring within 90 days', ru: 'Истекают за 90 дней' },
  clients: { en: 'Client', ru: 'Клиентские' },
  servers: { en: 'Server', ru: 'Серверные' },
  incomplete: { en: 'No term or users', ru: 'Нет срока или мест' },
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
