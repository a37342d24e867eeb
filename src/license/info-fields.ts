import { parseTimestamp } from './dates.js';
import { field, KnownFields, labelsOf, MAX_LABEL_CHARS, normalizeLabel, textField } from './known-fields.js';
import type { StructuredLicense } from './schema.js';
import { readLines } from './text-lines.js';
import { countUsers } from './users.js';

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
};

const PRODUCT_SECTIONS = ['Информация о продукте', 'Product information'];
const PRODUCT_FIELDS = {
  description: textField('Описание', 'Description'),
  generatedAt: field(parseTimestamp, 'Дата комплектации', 'License generation date'),
  registrationNumber: textField('Регистрационный номер', 'Distribution kit registration number'),
  productCode: textField('Номер продукта', 'Product code'),
};

/** By ring's word for what a license is bound to, without blanks. */
const BINDINGS = new Map<string, StructuredLicense['binding']>([
  ['computer', 'computer'],
  ['hardwareprotectionkey', 'hardwareKey'],
]);
export const parseBinding = (value: string) => BINDINGS.get(value.replace(/\s/g, '').toLowerCase()) ?? null;

/** Fields of all other sections; seen in one program only. */
const OTHER_FIELDS = { binding: field(parseBinding, 'LicenseAssociationType') };

/** Every label and section header of `license info` that is known. */
export const INFO_LABELS: readonly string[] = [
  ...OWNER_SECTIONS,
  ...PRODUCT_SECTIONS,
  ...[OWNER_FIELDS, PRODUCT_FIELDS, OTHER_FIELDS].flatMap(labelsOf),
];

/** The value of the line above the first section in which newer versions of ring name the license file. */
export const LICENSE_FILE = /^".*\.lic"$/i;

type Info = Pick<StructuredLicense, 'binding' | 'owner' | 'other'> & {
  /** The kind needs the clear text too. */
  product: Omit<StructuredLicense['product'], 'kind'>;
};

/**
 * Reads the text of `ring license info`: section headers in column 0, indented `Key: value` lines.
 * @param codeInFile the product code in the clear text, where `info` has none
 */
export function readInfo(info: string, codeInFile: string | null = null): Info {
  const owner = new KnownFields(OWNER_FIELDS);
  const product = new KnownFields(PRODUCT_FIELDS);
  const others = new KnownFields(OTHER_FIELDS);
  const sections = new Map<string, { take: (label: string, value: string) => boolean }>([
    ...OWNER_SECTIONS.map((section) => [normalizeLabel(section), owner] as const),
    ...PRODUCT_SECTIONS.map((section) => [normalizeLabel(section), product] as const),
  ]);

  const other: StructuredLicense['other'] = [];
  let section: string | null = null;
  for (const line of readLines(info)) {
    if (line.trim() === '') continue;
    const { name, value } = splitLine(line);
    if (name !== null && name.length <= MAX_LABEL_CHARS && value === '' && !/^\s/.test(line)) {
      section = name;
      continue;
    }
    if (section === null && LICENSE_FILE.test(value)) continue;
    const fields = sections.get(normalizeLabel(section ?? '')) ?? others;
    if (name !== null && fields.take(name, value)) continue;
    other.push({ section, name, value });
  }

  const { description, ...rest } = product.values;
  return {
    binding: others.values.binding,
    owner: owner.values,
    product: { description, users: countUsers(description, rest.productCode ?? codeInFile), ...rest },
    other,
  };
}

/** Splits a line at its first colon; a line without a label is all value. */
function splitLine(line: string): { name: string | null; value: string } {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim();
  return name === '' ? { name: null, value: line.trim() } : { name, value: line.slice(colon + 1).trim() };
}
