import type { StructuredLicense } from './schema.js';

/** Product codes of client licenses, by the number of places in their kit. Those of servers are not known. */
const CODES: { places: number; codes: string[] }[] = [
  { places: 3, codes: ['0000000000003', '0000000100003'] },
  { places: 5, codes: ['0000000000005', '0000000100005'] },
  { places: 10, codes: ['0000000000010', '0000000000015', '0000000100010', '0000000100015'] },
  { places: 20, codes: ['0000000000020', '0000000100020'] },
  { places: 50, codes: ['0000000000050', '0000000100050'] },
  { places: 100, codes: ['0000000000100', '0000000100100'] },
  { places: 300, codes: ['0000000000300', '0000000100300'] },
  // The kit for 1,000 users consists of two licenses of 500, and each of them has the code of the kit.
  { places: 500, codes: ['0000000000500', '0000000100500', '0000000001000', '0000000101000'] },
];

/** The number of places by the product codes of client licenses. */
export const PLACES_OF_PRODUCT = new Map<string, number>();
for (const { places, codes } of CODES) {
  for (const code of codes) PLACES_OF_PRODUCT.set(code, places);
}

/**
 * `на одно рабочее место`, `50 users`. The number stands alone: neither the end of `1,000 users`, `8.3 users`, `1'500 users`
 * nor that of a range, `5-50 users`.
 */
const PLACES_IN_TEXT = [
  /(?<!\p{L})(?:на|для) (\d{1,3}|одно|одного) (?:рабоч(?:ее|их|ие|его) мест[оа]?|пользовател(?:ь|я|ей)|раб\. ?мест[оа]?|р\. ?м)(?!\p{L})/iu,
  /(?<![^\s("«]|\d ?[-–—/]? ?)(\d{1,3}) (?:workplace|user|seat)s?(?!\p{L})/iu,
];

interface UserHints {
  kind: StructuredLicense['product']['kind'];
  productCode: string | null;
  /** The description or the product name. */
  text: string | null;
}

/**
 * The number of users of a license whose file does not state it, by its product code, or else by its description or
 * product name. Both speak of the kit, and tell the number of a license only where the kit has one place, or 50 to 500.
 * A kit of 5, 10 or 20 places is activated as one license for all of them or as one for each (administrator guide of
 * the platform 8.3.22, 10.3.1), and a larger one is several licenses. A kit may also contain a server license, which is
 * named alike.
 * @returns null where that does not tell
 */
export function deriveUsers({ kind, productCode, text }: UserHints): number | null {
  if (kind !== 'client') return null;

  const places = placesOfKit({ productCode, text });
  const isOneLicense = places === 1 || (places >= 50 && places <= 500);
  return isOneLicense ? places : null;
}

/** The number of places of a kit, by its product code, or else by its description or product name; 0 if not known. */
export function placesOfKit({ productCode, text }: Omit<UserHints, 'kind'>): number {
  const placesOfProduct = PLACES_OF_PRODUCT.get(productCode ?? '');
  return placesOfProduct ?? placesInText(text ?? '');
}

/** @returns 0 for a text that names no places */
function placesInText(text: string): number {
  const onOneLine = text.replace(/\s+/g, ' ');
  for (const pattern of PLACES_IN_TEXT) {
    const places = pattern.exec(onOneLine)?.[1];
    if (places === undefined) continue;

    const isOne = /^одно/i.test(places);
    return isOne ? 1 : Number(places);
  }
  return 0;
}
