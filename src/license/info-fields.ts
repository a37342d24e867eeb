import { parseTimestamp } from './dates.js';
import { kindIn } from './kind.js';
import { field, KnownFields, labelsOf, MAX_LABEL_CHARS, normalizeLabel, textField } from './known-fields.js';
import type { StructuredLicense } from './schema.js';
import { readLines } from './text-lines.js';

// `satisfies` has the type check refuse a field that the result lacks: its value would be taken out of the text, and lost.

const OWNER_SECTIONS = ['Информация о пользователе', 'Customer information'];
const OWNER_FIELDS = {
  firstName: textField('Имя', 'First name'),
  middleName: textField('Отчество', 'Middle name'),
  lastName: textField('Фамилия', 'Last name'),
  email: textField('e-mail', 'Email'),
  company: textField('Компания', 'Company'),
  country: textField('Страна', 'Country'),
  postalCode: textField('Индекс', 'ZIP code'),
  region: textField('Регион/область', 'Region'),
  district: textField('Район', 'District'),
  city: textField('Город', 'Town'),
  street: textField('Улица', 'Street'),
  house: textField('Дом', 'House'),
  building: textField('Корпус', 'Строение', 'Building'),
  apartment: textField('Квартира/офис', 'Квартира, офис', 'Apartment'),
} satisfies Record<keyof Info['owner'], unknown>;

/** The last one was seen in one public source only, with labels in one word. */
const PRODUCT_SECTIONS = ['Информация о продукте', 'Product information', 'TechnicalInfo'];
const PRODUCT_FIELDS = {
  description: textField('Описание', 'Description'),
  generatedAt: field(parseTimestamp, 'Дата комплектации', 'License generation date', 'LicenseGenerationDate'),
  registrationNumber: textField(
    'Регистрационный номер',
    'Distribution kit registration number',
    'DistributionKitRegistrationNumber',
  ),
  productCode: textField('Номер продукта', 'Product code', 'ProductCode'),
  kind: field(kindIn, 'LicenseType'),
} satisfies Record<keyof Info['product'], unknown>;

/** Reads ring's word for the thing that a license is bound to, with or without blanks in it. Null for any other text. */
function parseBinding(value: string): StructuredLicense['binding'] {
  const word = value.replace(/\s/g, '').toLowerCase();
  switch (word) {
    case 'computer':
      return 'computer';
    case 'hardwareprotectionkey':
      return 'hardwareKey';
    default:
      return null;
  }
}

/** A field of `TechnicalInfo` that is read in any section. */
const OTHER_FIELDS = { binding: field(parseBinding, 'LicenseAssociationType') };

/** Every label and section header of `license info` that is known. */
export const INFO_LABELS: readonly string[] = [
  ...OWNER_SECTIONS,
  ...PRODUCT_SECTIONS,
  ...labelsOf(OWNER_FIELDS),
  ...labelsOf(PRODUCT_FIELDS),
  ...labelsOf(OTHER_FIELDS),
];

/** The value of the line above the first section in which newer versions of ring name the license file. */
export const LICENSE_FILE = /^".*\.lic"$/i;

type Info = Pick<StructuredLicense, 'binding' | 'owner' | 'other'> & {
  /** Without what is read from other texts too; `kind` is what ring states. */
  product: Omit<StructuredLicense['product'], 'users'>;
};

/** The known fields of one or more sections. */
interface SectionFields {
  take: (label: string, value: string) => boolean;
}

/** Reads the text of `ring license info`: section headers in column 0, and indented `Key: value` lines. */
export function readInfo(info: string): Info {
  const owner = new KnownFields(OWNER_FIELDS);
  const product = new KnownFields(PRODUCT_FIELDS);
  const rest = new KnownFields(OTHER_FIELDS);

  const sections = new Map<string, SectionFields>();
  for (const header of OWNER_SECTIONS) sections.set(normalizeLabel(header), owner);
  for (const header of PRODUCT_SECTIONS) sections.set(normalizeLabel(header), product);

  const other: StructuredLicense['other'] = [];
  let section: string | null = null;
  let fields: SectionFields = rest;
  for (const line of readLines(info)) {
    if (line.trim() === '') continue;
    const { name, value } = splitLine(line);
    if (isHeader(line, name, value)) {
      section = name;
      fields = sections.get(normalizeLabel(name ?? '')) ?? rest;
      continue;
    }
    if (section === null && LICENSE_FILE.test(value)) continue;

    const isTaken = name !== null && (fields.take(name, value) || rest.take(name, value));
    if (!isTaken) other.push({ section, name, value });
  }

  return {
    binding: rest.values.binding,
    owner: owner.values,
    product: product.values,
    other,
  };
}

/** Splits a line at its first colon. A line without a label is all value. */
function splitLine(line: string): { name: string | null; value: string } {
  const colon = line.indexOf(':');
  const label = colon === -1 ? '' : line.slice(0, colon);
  const name = label.trim();
  if (name === '') {
    return { name: null, value: line.trim() };
  }

  const value = line.slice(colon + 1);
  return { name, value: value.trim() };
}

/** A header is a label in column 0 without a value. A long one is text that ends in a colon. */
function isHeader(line: string, name: string | null, value: string): boolean {
  if (name === null || value !== '') return false;

  const isIndented = /^\s/.test(line);
  return !isIndented && name.length <= MAX_LABEL_CHARS;
}
