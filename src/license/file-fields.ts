import { readClearText } from './clear-text.js';
import { parseDate, parseTimestamp } from './dates.js';
import { licenseKind } from './kind.js';
import { field, KnownFields, labelsOf, normalizeLabel, textField } from './known-fields.js';
import type { StructuredLicense } from './schema.js';
import { deriveUsers } from './users.js';

const UNLIMITED = ['не ограничен', 'не ограничено', 'бессрочно', 'unlimited'];

/** Whether this is a term that never ends. */
function isUnlimited(value: string): boolean {
  return UNLIMITED.includes(normalizeLabel(value));
}

/** An expiry date, which other text may follow, as in `31.12.2027 г.`. */
const VALIDITY = /^(\d\d\.\d\d\.\d{4}|\d{4}-\d\d-\d\d)(?!\d)\s*(.*)$/;
/** Text behind an expiry date that adds nothing to it: the word for year. */
const NOTHING_MORE = /^(?:г\.?)?$/;

interface Validity {
  unlimited: boolean;
  validUntil: string | null;
  validUntilTime: string | null;
}

function parseValidity(value: string): Validity | null {
  if (isUnlimited(value)) return { unlimited: true, validUntil: null, validUntilTime: null };

  const timestamp = parseTimestamp(value);
  if (timestamp !== null) {
    const [validUntil = null, validUntilTime = null] = timestamp.split('T');
    return { unlimited: false, validUntil, validUntilTime };
  }

  const date = VALIDITY.exec(value)?.[1];
  const validUntil = parseDate(date ?? '');
  if (validUntil === null) return null;
  return { unlimited: false, validUntil, validUntilTime: null };
}

/** Whether a value has text behind its expiry date that no field holds. */
function hasMoreThanDate(value: string): boolean {
  if (parseTimestamp(value) !== null) return false;

  const behindDate = VALIDITY.exec(value)?.[2];
  return !NOTHING_MORE.test(behindDate ?? '');
}

/** At most 15 digits, because a number holds each of those exactly. Blanks may separate the thousands. */
const COUNT = /^(?:\d{1,15}|\d{1,3}(?:\s\d{3}){1,4})$/;

/** `1 000` as 1000; null for any other text. */
function parseCount(value: string): number | null {
  if (!COUNT.test(value)) return null;
  return Number(value.replace(/\s/g, ''));
}

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

interface ClearText {
  /** Null when the file has no clear text. */
  file: StructuredLicense['file'];
  /** The number of users that the file states. `file.users` may be derived from its product code or product name. */
  statedUsers: number | null;
  /** Every line that the fields of `file` do not hold. */
  other: StructuredLicense['other'];
}

/** Reads the clear text of a license file. */
export function readLicenseFile(bytes: Uint8Array): ClearText {
  const fields = new KnownFields(FIELDS);
  const lines = readClearText(bytes, (label) => fields.knows(label));
  if (lines.length === 0) return { file: null, statedUsers: null, other: [] };

  const other: StructuredLicense['other'] = [];
  for (const { name, value } of lines) {
    const isTaken = fields.take(name, value);
    // A date is taken, but the rest of its line must not be lost.
    if (!isTaken || hasMoreThanDate(value)) other.push({ section: 'file', name, value });
  }

  const { values } = fields;
  const { users: statedUsers, type, productCode, productName } = values;
  const kind = licenseKind({ type, description: productName, productCode });
  const file = {
    registrationNumber: values.registrationNumber,
    type,
    productCode,
    productName,
    producedAt: values.producedAt,
    unlimited: values.validity?.unlimited ?? null,
    validUntil: values.validity?.validUntil ?? null,
    validUntilTime: values.validity?.validUntilTime ?? null,
    users: statedUsers ?? deriveUsers({ kind, productCode, text: productName }),
    pinCount: values.pinCount,
    boundTo: values.boundTo,
  };
  return { file, statedUsers, other };
}
