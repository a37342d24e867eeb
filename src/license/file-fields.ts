import { readClearText } from './clear-text.js';
import { parseDate, parseTimestamp } from './dates.js';
import { KnownFields } from './known-fields.js';
import type { StructuredLicense } from './schema.js';

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

const UNLIMITED = 'не ограничен';
const isUnlimited = (value: string) => value.toLowerCase() === UNLIMITED;

/** At most 15 digits, which every number holds exactly. */
const isCount = (value: string) => /^\d{1,15}$/.test(value);
const parseCount = (value: string | null) => (value === null ? null : Number(value));

/** Section name of the clear text in `other`. */
const SECTION = 'file';

/**
 * Reads the clear text of a license file.
 * @returns the known fields, null when the file has no clear text, and everything else in `other`
 */
export function readFile(bytes: Uint8Array): Pick<StructuredLicense, 'file' | 'other'> {
  const fields = new KnownFields(LABELS, {
    producedAt: (value) => parseTimestamp(value) !== null,
    validity: (value) => isUnlimited(value) || parseDate(value) !== null,
    users: isCount,
    pinCount: isCount,
  });
  const lines = readClearText(bytes, (label) => fields.knows(label));
  if (lines.length === 0) return { file: null, other: [] };

  const other = lines
    .filter(({ name, value }) => !fields.take(name, value))
    .map(({ name, value }) => ({ section: SECTION, name, value }));
  const {
    registrationNumber,
    type,
    productCode,
    productName,
    producedAt,
    validity,
    users,
    pinCount,
    boundTo,
  } = fields.all();
  return {
    file: {
      registrationNumber,
      type,
      productCode,
      productName,
      producedAt: producedAt && parseTimestamp(producedAt),
      unlimited: validity === null ? null : isUnlimited(validity),
      validUntil: validity && parseDate(validity),
      users: parseCount(users),
      pinCount: parseCount(pinCount),
      boundTo,
    },
    other,
  };
}
