import { parseTimestamp } from './dates.js';
import { kindIn } from './kind.js';
import {
  field,
  KnownFields,
  labelsOf,
  MAX_LABEL_CHARS,
  normalizeLabel,
  textField,
  type FieldsOf,
} from './known-fields.js';
import type { StructuredLicense } from './schema.js';
import { readLines } from './text-lines.js';

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
} satisfies FieldsOf<Info['owner']>;

/** The last one, with its labels in one word, was seen in one public source only. */
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
} satisfies FieldsOf<Info['product']>;

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

/** Fields of `TechnicalInfo` that are read in any section. */
const TECHNICAL_FIELDS = {
  kind: field(kindIn, 'LicenseType'),
  binding: field(parseBinding, 'LicenseAssociationType'),
} satisfies FieldsOf<Pick<Info, 'kind' | 'binding'>>;

/** Every label and section header of `license info` that is known. */
export const INFO_LABELS: readonly string[] = [
  ...OWNER_SECTIONS,
  ...PRODUCT_SECTIONS,
  ...labelsOf(OWNER_FIELDS),
  ...labelsOf(PRODUCT_FIELDS),
  ...labelsOf(TECHNICAL_FIELDS),
];

/** The value of the line above the first section in which newer versions of ring name the license file. */
export const LICENSE_FILE = /^".*\.lic"$/i;

interface Info extends Pick<StructuredLicense, 'binding' | 'owner' | 'other'> {
  /** Without what other texts tell, too. */
  product: Omit<StructuredLicense['product'], 'kind' | 'users'>;
  /** From the type that ring states, and from nothing else. */
  kind: StructuredLicense['product']['kind'];
}

/** The known fields of one or more sections. */
interface SectionFields {
  take: (label: string, value: string) => boolean;
}

/** By their header in the form in which it is compared. */
const OWNER_HEADERS = OWNER_SECTIONS.map(normalizeLabel);
const PRODUCT_HEADERS = PRODUCT_SECTIONS.map(normalizeLabel);

/** Reads the text of `ring license info`: section headers in column 0, and indented `Key: value` lines. */
export function readInfo(info: string): Info {
  const owner = new KnownFields(OWNER_FIELDS);
  const product = new KnownFields(PRODUCT_FIELDS);
  const technical = new KnownFields(TECHNICAL_FIELDS);

  const other: StructuredLicense['other'] = [];
  let section: string | null = null;
  let fields: SectionFields = technical;
  for (const line of readLines(info)) {
    if (line.trim() === '') continue;
    const { name, value } = splitLine(line);
    if (isHeader(line, name, value)) {
      section = name;
      const header = normalizeLabel(name ?? '');
      fields = technical;
      if (OWNER_HEADERS.includes(header)) fields = owner;
      if (PRODUCT_HEADERS.includes(header)) fields = product;
      continue;
    }
    if (section === null && LICENSE_FILE.test(value)) continue;

    const isTaken = name !== null && (fields.take(name, value) || technical.take(name, value));
    if (!isTaken) other.push({ section, name, value });
  }

  return {
    binding: technical.values.binding,
    kind: technical.values.kind,
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
