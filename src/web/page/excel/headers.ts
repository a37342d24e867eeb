import type { Language } from '../../../errors/catalog.js';
import type { StructuredLicense } from '../../../license/schema.js';
import { digitsOf } from '../model/facts.js';
import { fingerprintOf } from '../model/read-file.js';
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

/** Four digits of a PIN code beside the fingerprint of its file: in Excel one column can be sorted or filled alone. */
export const checkOf = (fingerprint: string, pin: string) =>
  fingerprintOf(new TextEncoder().encode(`${fingerprint} ${digitsOf(pin)}`)).slice(0, 4);

/** The header of a column of the sheet, by which it is found again. */
export const headerOf = (key: TextKey, language: Language) =>
  textsIn(language)(key).replace(/^./, (letter) => letter.toUpperCase());
