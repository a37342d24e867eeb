import { readClearText } from './clear-text.js';
import { parseDate, parseTimestamp } from './dates.js';
import { licenseKind } from './kind.js';
import { field, KnownFields, labelsOf, normalizeLabel, textField } from './known-fields.js';
import type { StructuredLicense } from './schema.js';
import { deriveUsers } from './users.js';

/** What stands in the place of a date for a license that never ends. */
const UNLIMITED = ['не ограничен', 'не ограничено', 'бессрочно', 'unlimited'];
/** The word for year behind an expiry date: `31.12.2027 г.` */
const YEAR = /(?<=\d)\s*г\.?(?=\s|$)/;

interface Validity {
  unlimited: boolean;
  validUntil: string | null;
  validUntilTime: string | null;
}

/**
 * The day on which a license ends, and the time if there is one. Null for anything more: in `01.01.2026 - 31.12.2027` the
 * first date is not the end.
 */
function parseValidity(value: string): Validity | null {
  if (UNLIMITED.includes(normalizeLabel(value))) {
    return { unlimited: true, validUntil: null, validUntilTime: null };
  }

  const term = value.replace(YEAR, '');
  const end = parseTimestamp(term) ?? parseDate(term);
  if (end === null) return null;

  const [validUntil = null, validUntilTime = null] = end.split('T');
  return { unlimited: false, validUntil, validUntilTime };
}

/** At most 15 digits, because a number holds each of those exactly. Blanks may separate the thousands, but no line ends. */
const COUNT = /^(?:\d{1,15}|\d{1,3}(?:[^\S\n]\d{3}){1,4})$/;

/** `1 000` as 1000; null for any other text. */
function parseCount(value: string): number | null {
  if (!COUNT.test(value)) return null;
  return Number(value.replace(/\s/g, ''));
}

/** The keys of `file`, of which three are read from one value. The type check refuses others, whose values would be lost. */
type FieldKey = Exclude<keyof NonNullable<StructuredLicense['file']>, keyof Validity> | 'validity';

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
} satisfies Record<FieldKey, unknown>;

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
    if (!isTaken) other.push({ section: 'file', name, value });
  }

  const { values } = fields;
  const { users: statedUsers, type, productCode, productName } = values;
  const kind = licenseKind([type, productName], productCode);
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
