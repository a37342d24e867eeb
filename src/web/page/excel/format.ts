import type { Language } from '../../../errors/catalog.js';
import type { StructuredLicense } from '../../../license/schema.js';
import { digitsOf } from '../model/facts.js';
import { fingerprintOfText } from '../model/read-file.js';

/*
 * The words of the exported sheet by which it is read back. They belong to the file format and not to the page's texts:
 * a sheet may be years old when someone drops it. So a word that is no longer written stays here, behind the others.
 */

/** Characters of a cell. Excel calls a file with a longer text damaged. */
export const MAX_TEXT_LENGTH = 32_767;

/** A word of the format: in English, in Russian, then the spellings of former versions since 2.0.0. */
type Word = readonly [en: string, ru: string, ...former: string[]];

export const OWNER_KEYS = [
  'company',
  'lastName',
  'firstName',
  'middleName',
  'email',
  'country',
  'postalCode',
  'region',
  'district',
  'city',
  'street',
  'house',
  'building',
  'apartment',
] as const satisfies (keyof StructuredLicense['owner'])[];

/** The headers of the columns. */
export const HEADERS = {
  validUntil: ['Valid until', 'Действует до'],
  product: ['Product', 'Продукт'],
  users: ['Users', 'Мест', 'Пользователей', 'Число пользователей'],
  computer: ['Computer', 'Компьютер'],
  pin: ['PIN code', 'Пин-код'],
  file: ['File', 'Файл'],
  files: ['Files', 'Файлов'],
  replacedMark: ['Replaced', 'Заменена'],
  change: ['Change', 'Изменение'],
  folder: ['Folder', 'Папка'],
  type: ['Type', 'Тип'],
  registrationNumber: ['Registration number', 'Регистрационный номер'],
  state: ['State', 'Статус', 'Состояние'],
  error: ['Error', 'Ошибка'],
  generatedAt: ['License generation date', 'Дата комплектации'],
  producedAt: ['Production date', 'Дата производства'],
  productCode: ['Product code', 'Номер продукта'],
  pinCount: ['PIN codes in the group', 'Пин-кодов в группе'],
  boundTo: ['Bound to', 'Привязана к'],
  asOf: ['PIN code as of', 'Пин-код на дату'],
  previousPin: ['Previous PIN code', 'Предыдущий пин-код'],
  company: ['Company', 'Компания'],
  lastName: ['Last name', 'Фамилия'],
  firstName: ['First name', 'Имя'],
  middleName: ['Middle name', 'Отчество'],
  email: ['E-mail', 'E-mail'],
  country: ['Country', 'Страна'],
  postalCode: ['ZIP code', 'Индекс'],
  region: ['Region', 'Регион/область'],
  district: ['District', 'Район'],
  city: ['Town', 'Город'],
  street: ['Street', 'Улица'],
  house: ['House', 'Дом'],
  building: ['Building', 'Корпус'],
  apartment: ['Apartment, office', 'Квартира/офис'],
  fingerprint: ['Fingerprint', 'Отпечаток'],
} as const satisfies Record<string, Word>;

export type ColumnKey = keyof typeof HEADERS;

/** What cells say. */
export const WORDS = {
  yes: ['yes', 'да'],
  unlimited: ['unlimited', 'бессрочно'],
  /** In the column of changes: a license that was there no more on the day of the sheet. */
  gone: ['gone', 'больше нет', 'нет больше'],
  /** In the column of the state: a file that is refused on every day. */
  refused: ['Not recognized', 'Не распознан', 'Refused by ring', 'Отклонён ring'],
  unfit: ['Not a license', 'Не лицензия'],
} as const satisfies Record<string, Word>;

/** The tabs: one for people, and one that is read back. */
export const TABS = {
  summary: ['Summary', 'Сводка'],
  data: ['Data', 'Данные'],
} as const satisfies Record<string, Word>;

/** After the day in the name of the tab: the sheet has only a part of that day's list. */
const PART = ['part', 'часть', 'partial', 'частично'] as const satisfies Word;

/** Without case, and with one blank for any white space: people break lines in headers. */
export const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** Whether a text is this word, in either language. */
export function isWord(text: string, word: Word): boolean {
  return word.some((spelling) => plain(spelling) === plain(text));
}

/** The word as it is written. */
export const wordIn = (language: Language, [en, ru]: Word) => (language === 'ru' ? ru : en);

/**
 * @param day YYYY-MM-DD
 * @returns at most 31 characters, which Excel allows: `Data 2026-11-24 (part)`
 */
export function nameOfDataTab(day: string, isPart: boolean, language: Language): string {
  const name = `${wordIn(language, TABS.data)} ${day}`;
  return isPart ? `${name} (${wordIn(language, PART)})` : name;
}

/**
 * The day in the name of a tab, and perhaps a word after it. The word is in brackets since there are two tabs. Excel adds
 * ` (2)` to the name of a copy.
 */
const DAY_AND_WORD = /\b(\d{4}-\d\d-\d\d)(?!\d)(?:\s+\(?(\p{L}+))?/u;

/** What the name of a tab says: the day as it stands there, empty when there is none. */
export function readTabName(name: string): { day: string; isPart: boolean } {
  const match = DAY_AND_WORD.exec(name);
  const day = match?.[1] ?? '';
  const word = match?.[2] ?? '';
  return { day, isPart: isWord(word, PART) };
}

/**
 * Four digits that belong to the bytes of a file and its PIN code. They stand after the fingerprint and tell whether the
 * PIN code in the same row still belongs to it: in Excel one column can be sorted or filled alone.
 */
export function checkOf(fingerprint: string, pin: string): string {
  const digits = digitsOf(pin);
  return fingerprintOfText(`${fingerprint} ${digits}`).slice(0, 4);
}
