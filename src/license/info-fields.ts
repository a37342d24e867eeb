import { parseTimestamp } from './dates.js';
import { KnownFields, MAX_LABEL_CHARS, normalizeLabel } from './known-fields.js';
import type { StructuredLicense } from './schema.js';
import { readLines } from './text-lines.js';
import { countUsers } from './users.js';

const OWNER_SECTIONS = ['Информация о пользователе', 'Customer information'];
const OWNER_LABELS = {
  firstName: ['Имя', 'First name'],
  middleName: ['Отчество', 'Middle name'],
  lastName: ['Фамилия', 'Last name'],
  email: ['e-mail', 'Email'],
  company: ['Компания', 'Company'],
  country: ['Страна', 'Country'],
  postalCode: ['Индекс', 'ZIP code'],
  region: ['Регион/область', 'Region'],
  district: ['Район', 'District'],
  city: ['Город', 'Town'],
  street: ['Улица', 'Street'],
  house: ['Дом', 'House'],
  building: ['Корпус', 'Строение', 'Building'],
  apartment: ['Квартира/офис', 'Квартира, офис', 'Apartment'],
};

const PRODUCT_SECTIONS = ['Информация о продукте', 'Product information'];
const PRODUCT_LABELS = {
  description: ['Описание', 'Description'],
  generatedAt: ['Дата комплектации', 'License generation date'],
  registrationNumber: ['Регистрационный номер', 'Distribution kit registration number'],
  productCode: ['Номер продукта', 'Product code'],
};

/** Labels of all other sections; seen in `TechnicalInfo`. */
const OTHER_LABELS = { binding: ['LicenseAssociationType'] };
/** What a license is bound to, by ring's word for it without blanks. */
const BINDINGS = new Map<string, StructuredLicense['binding']>([
  ['computer', 'computer'],
  ['hardwareprotectionkey', 'hardwareKey'],
]);

/** Every label and section header of `license info` that is known. */
export const INFO_LABELS: readonly string[] = [
  ...OWNER_SECTIONS,
  ...PRODUCT_SECTIONS,
  ...[OWNER_LABELS, PRODUCT_LABELS, OTHER_LABELS].flatMap((labels) => Object.values(labels).flat()),
];

/** The value of the line above the first section in which newer versions of ring name the license file. */
export const LICENSE_FILE = /^".*\.lic"$/i;

type Info = Pick<StructuredLicense, 'binding' | 'owner' | 'other'> & {
  /** The kind needs the clear text too. */
  product: Omit<StructuredLicense['product'], 'kind'>;
};

/** Reads the text of `ring license info`: section headers in column 0, indented `Key: value` lines. */
export function readInfo(info: string): Info {
  const owner = new KnownFields(OWNER_LABELS);
  const product = new KnownFields(PRODUCT_LABELS, {
    generatedAt: (value) => parseTimestamp(value) !== null,
  });
  const others = new KnownFields(OTHER_LABELS, { binding: (value) => parseBinding(value) !== null });
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

  const { binding } = others.all();
  const { description, generatedAt, registrationNumber, productCode } = product.all();
  return {
    binding: parseBinding(binding ?? ''),
    owner: owner.all(),
    product: {
      description,
      users: countUsers(description, productCode),
      generatedAt: generatedAt && parseTimestamp(generatedAt),
      registrationNumber,
      productCode,
    },
    other,
  };
}

/** What a license is bound to, in a word of ring; null for any other. */
export const parseBinding = (value: string) => BINDINGS.get(value.replace(/\s/g, '').toLowerCase()) ?? null;

/** Splits a line at its first colon; a line without a label is all value. */
function splitLine(line: string): { name: string | null; value: string } {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim();
  return name === '' ? { name: null, value: line.trim() } : { name, value: line.slice(colon + 1).trim() };
}
