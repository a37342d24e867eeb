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
  andOtherFiles: {
    en: '{licenses} and {count} other {count|file|files}',
    ru: '{licenses} и ещё {count} {count|файл|файла|файлов}',
  },
  computerCount: {
    en: 'on {count} {count|computer|computers}',
    ru: 'на {count} {count|компьютере|компьютерах|компьютерах}',
  },
  computersAtLeast: {
    en: 'on at least {count} {count|computer|computers}',
    ru: 'не менее чем на {count} {count|компьютере|компьютерах|компьютерах}',
  },
  seats: { en: '{seats} {seats|seat|seats}', ru: '{seats} {seats|место|места|мест}' },
  seatsAtMost: {
    en: 'up to {seats} {seats|seat|seats}',
    ru: 'до {seats} {seats|места|мест|мест}',
  },
  maybeReplaced: {
    en: '{count} may have been replaced',
    ru: '{count}, возможно, {count|заменена|заменены|заменены}',
  },
  notCounted: {
    en: '{count} more not counted',
    ru: 'ещё {count} не {count|учтена|учтены|учтено}',
  },
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
    en: 'What was read is lost, and reading the files again uses up the limit again.',
    ru: 'Прочитанное пропадёт, а повторное чтение снова расходует лимит.',
  },
  keepList: { en: 'Keep the list', ru: 'Оставить' },
  excel: { en: 'Excel', ru: 'Excel' },
  excelTitle: { en: 'Export to Excel', ru: 'Выгрузка в Excel' },
  excelExport: {
    en: 'Export {count} {count|row|rows}',
    ru: 'Выгрузить {count} {count|строку|строки|строк}',
  },
  excelOwners: {
    en: 'Include owners ({owners} of {count} known)',
    ru: 'С владельцами (известно {owners} из {count})',
  },
  excelPins: {
    en: 'Include PIN codes ({pins} of {count} known)',
    ru: 'С пин-кодами (известно {pins} из {count})',
  },
  excelPinsHint: {
    en: 'Neither the page nor the service keeps PIN codes: once the page is closed, files have to be read again.',
    ru: 'Ни страница, ни сервис пин-коды не хранят: после закрытия страницы файлы придётся читать заново.',
  },
  excelNotRead: {
    en: 'Owners and PIN codes are not known until the files are read.',
    ru: 'Владельцы и пин-коды неизвестны, пока файлы не прочитаны.',
  },
  excelEndedSeats: { en: 'Expired or replaced seats', ru: 'Мест истекло или заменено' },
  excelNote: { en: 'Note', ru: 'Примечание' },
  excelMaybeReplaced: { en: 'May have been replaced', ru: 'Возможно, заменена' },
  excelWithPins: { en: 'with PIN codes ({pins} of {count})', ru: 'с пин-кодами ({pins} из {count})' },
  resultsOn: { en: 'Licenses as of {date}', ru: 'Лицензии на {date}' },
  excelWorks: { en: 'Preparing…', ru: 'Готовим…' },
  close: { en: 'Close', ru: 'Закрыть' },

  search: { en: 'Search', ru: 'Поиск' },
  clear: { en: 'Clear', ru: 'Очистить' },
  clearSearch: { en: 'Clear the search', ru: 'Очистить поиск' },
  filters: { en: 'Filter', ru: 'Отбор' },
  expired: { en: 'Expired', ru: 'Истекли' },
  expiring: {
    en: 'Expiring within {days} {days|day|days}',
    ru: 'Истекут за {days} {days|день|дня|дней}',
  },
  // On a button, which has little room.
  expiringShort: { en: 'Within {days} {days|day|days}', ru: 'За {days} {days|день|дня|дней}' },
  clients: { en: 'Client', ru: 'Клиентские' },
  servers: { en: 'Server', ru: 'Серверные' },
  notRead: { en: 'Not read', ru: 'Не прочитаны' },
  failures: { en: 'Failed', ru: 'Ошибки' },
  shownOf: {
    en: '{count} of {total} {total|license|licenses}',
    ru: '{count} из {total} {total|лицензии|лицензий|лицензий}',
  },
  noMatches: { en: 'Nothing matches.', ru: 'Ничего не найдено.' },
  showAll: { en: 'Show all', ru: 'Показать все' },
  ownersKnown: {
    en: 'Owners known: {count} of {total}',
    ru: 'Владельцы известны: {count} из {total}',
  },
  skipList: { en: 'Skip the list', ru: 'Пропустить список' },

  // The headings by term, but for those that the filters have too.
  termLater: { en: 'Valid longer', ru: 'Действуют дольше' },
  termUnlimited: { en: 'Perpetual', ru: 'Бессрочные' },
  termUnknown: { en: 'Term unknown', ru: 'Срок неизвестен' },
  termUnlikely: { en: 'Probably not a license', ru: 'Вероятно, не лицензия' },
  termReplaced: { en: 'Replaced or duplicate', ru: 'Заменены и дубли' },
} as const;
