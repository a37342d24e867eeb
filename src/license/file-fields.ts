import { readClearText } from './clear-text.js';
import { parseDate, parseTimestamp } from './dates.js';
import { field, KnownFields, labelsOf, normalizeLabel, textField } from './known-fields.js';
import type { StructuredLicense } from './schema.js';
import { countUsers } from './users.js';

const UNLIMITED = ['не ограничен', 'не ограничено', 'бессрочно', 'unlimited'];
export const isUnlimited = (value: string) => UNLIMITED.includes(normalizeLabel(value));

/** An expiry date, at times followed by other text, as in `31.12.2027 г.`. */
const VALIDITY = /^(\d\d\.\d\d\.\d{4})(?!\d)\s*(.*)$/;
/** Whether a date is followed by more than its time or the word for year. */
const hasMore = (value: string) => !/^(?:г\.?|\d\d:\d\d:\d\d)?$/.test(VALIDITY.exec(value)?.[2] ?? '');

function parseValidity(value: string): { unlimited: boolean; validUntil: string | null } | null {
  if (isUnlimited(value)) return { unlimited: true, validUntil: null };
  const validUntil = parseDate(VALIDITY.exec(value)?.[1] ?? '');
  return validUntil === null ? null : { unlimited: false, validUntil };
}

/** At most 15 digits, which every number holds exactly; blanks may separate the thousands. */
const COUNT = /^(?:\d{1,15}|\d{1,3}(?:\s\d{3}){1,4})$/;
export const parseCount = (value: string) => (COUNT.test(value) ? Number(value.replace(/\s/g, '')) : null);

const FIELDS = {
  registrationNumber: textField('Регистрационный номер'),
  type: textField('Тип лицензии'),
  productCode: textField('Номер продукта', 'Product code'),
  productName: textField('Наименование продукта'),
  producedAt: field(parseTimestamp, 'Дата производства'),
  validity: field(parseValidity, 'Срок действия', 'Valid till'),
  users: field(parseCount, 'Количество пользователей'),
  pinCount: field(parseCount, 'Количество пинкодов в группе'),
  boundTo: textField('Привязка'),
};

/** Every label of the clear text that is known. */
export const FILE_LABELS: readonly string[] = labelsOf(FIELDS);

/**
 * Reads the clear text of a license file, in its first 64 KB.
 * @returns the known fields, null when the file has no clear text, and everything else in `other`
 */
export function readLicenseFile(bytes: Uint8Array): Pick<StructuredLicense, 'file' | 'other'> {
  const fields = new KnownFields(FIELDS);
  const lines = readClearText(bytes, (label) => fields.knows(label));
  if (lines.length === 0) return { file: null, other: [] };

  const other = lines
    .filter(({ name, value }) => !fields.take(name, value) || hasMore(value))
    .map(({ name, value }) => ({ section: 'file', name, value }));
  const { validity, users, pinCount, boundTo, ...texts } = fields.values;
  return {
    file: {
      ...texts,
      unlimited: validity?.unlimited ?? null,
      validUntil: validity?.validUntil ?? null,
      users: users ?? countUsers(texts.productName, texts.productCode),
      pinCount,
      boundTo,
    },
    other,
  };
}
