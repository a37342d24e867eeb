/** Product codes of the kit for 1,000 users, which is two licenses of 500, whatever its description says. */
const HALF_KIT = ['0000000001000', '0000000101000'];
const CODES: [users: number, ...codes: string[]][] = [
  [5, '0000000000005', '0000000100005'],
  [10, '0000000000010', '0000000100010', '0000000100015'],
  [20, '0000000000020', '0000000100020'],
  [50, '0000000000050', '0000000100050'],
  [100, '0000000000100', '0000000100100'],
  [300, '0000000100300'],
  [500, '0000000100500', ...HALF_KIT],
];
/** The number of users by the product codes of client licenses. */
export const USERS_OF_PRODUCT = new Map(
  CODES.flatMap(([users, ...codes]) => codes.map((code) => [code, users])),
);

/** `на 1 000 рабочих мест`, `for 1 000 seats`, `1,000 users`, but neither the end of `8.3 users` nor that of a product. */
const USERS_IN_TEXT = [
  /(?<!\p{L})на (\d{1,3}(?: \d{3}){1,2}|\d{1,9}) рабоч(?:ее|их|ие) мест[оа]?(?!\p{L})/iu,
  /(?<!\p{L})for (\d{1,3}(?: \d{3}){1,2}) (?:workplaces|users|seats)(?!\p{L})/iu,
  /(?<!\d[ .,]?|enterprise )(\d{1,3}(?:,\d{3}){1,2}|\d{1,9}) (?:workplace|user|seat)s?(?!\p{L})/iu,
];

/** The number of users that a license is for, by its description or product name, or else its product code. */
export function countUsers(description: string | null, productCode: string | null): number | null {
  const isHalfKit = HALF_KIT.includes(productCode ?? '');
  const text = isHalfKit ? '' : (description ?? '').replace(/\s+/g, ' ');
  for (const pattern of USERS_IN_TEXT) {
    const users = pattern.exec(text)?.[1];
    if (users !== undefined) return Number(users.replace(/[ ,]/g, ''));
  }
  return USERS_OF_PRODUCT.get(productCode ?? '') ?? null;
}
