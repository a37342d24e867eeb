import { readClearText } from './clear-text.js';
import { parseDate, parseTimestamp } from './dates.js';
import { KnownFields, normalizeLabel } from './known-fields.js';
import type { StructuredLicense } from './schema.js';
import { countUsers } from './users.js';

const LABELS = {
  registrationNumber: ['Регистрационный номер'],
  type: ['Тип лицензии'],
  productCode: ['Номер продукта', 'Product code'],
  productName: ['Наименование продукта'],
  producedAt: ['Дата производства'],
  validity: ['Срок действия', 'Valid till'],
  users: ['Количество пользователей'],
  pinCount: ['Количество пинкодов в группе'],
  boundTo: ['Привязка'],
};

/** Every label of the clear text that is known. */
export const FILE_LABELS: readonly string[] = Object.values(LABELS).flat();

const UNLIMITED = ['не ограничен', 'не ограничено', 'бессрочно', 'unlimited'];
export const isUnlimited = (value: string) => UNLIMITED.includes(normalizeLabel(value));

/** An expiry date, at times followed by other text, as in `31.12.2027 г.`. */
const VALIDITY = /^(\d\d\.\d\d\.\d{4})(?!\d)\s*(.*)$/;
const parseValidity = (value: string) => parseDate(VALIDITY.exec(value)?.[1] ?? '');
/** Whether a date is followed by more than its time or the word for year. */
const hasMore = (value: string) => !/^(?:г\.?|\d\d:\d\d:\d\d)?$/.test(VALIDITY.exec(value)?.[2] ?? '');

/** At most 15 digits, which every number holds exactly; blanks may separate the thousands. */
const isCount = (value: string) => /^(?:\d{1,15}|\d{1,3}(?:\s\d{3}){1,4})$/.test(value);
const parseCount = (value: string | null) => (value === null ? null : Number(value.replace(/\s/g, '')));

/** Section name of the clear text in `other`. */
const SECTION = 'file';

/**
 * Reads the clear text of a license file; beyond its first 64 KB it is not looked at.
 * @returns the known fields, null when the file has no clear text, and everything else in `other`
 */
export function readFile(bytes: Uint8Array): Pick<StructuredLicense, 'file' | 'other'> {
  const fields = new KnownFields(LABELS, {
    producedAt: (value) => parseTimestamp(value) !== null,
    validity: (value) => isUnlimited(value) || parseValidity(value) !== null,
    users: isCount,
    pinCount: isCount,
  });
  const lines = readClearText(bytes, (label) => fields.knows(label));
  if (lines.length === 0) return { file: null, other: [] };

  const other = lines
    .filter(({ name, value }) => !fields.take(name, value) || hasMore(value))
    .map(({ name, value }) => ({ section: SECTION, name, value }));
  const found = fields.all();
  const { validity } = found;
  return {
    file: {
      registrationNumber: found.registrationNumber,
      type: found.type,
      productCode: found.productCode,
      productName: found.productName,
      producedAt: found.producedAt && parseTimestamp(found.producedAt),
      unlimited: validity === null ? null : isUnlimited(validity),
      validUntil: validity && parseValidity(validity),
      users: parseCount(found.users) ?? countUsers(found.productName, found.productCode),
      pinCount: parseCount(found.pinCount),
      boundTo: found.boundTo,
    },
    other,
  };
}
