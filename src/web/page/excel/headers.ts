import type { Language } from '../../../errors/catalog.js';
import type { StructuredLicense } from '../../../license/schema.js';
import { textsIn, type TextKey } from '../texts/texts.js';

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

/** The header of a column of the sheet, by which it is found again. */
export const headerOf = (key: TextKey, language: Language) =>
  textsIn(language)(key).replace(/^./, (letter) => letter.toUpperCase());
