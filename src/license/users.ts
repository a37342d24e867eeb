/** Product codes of the kit for 1,000 users. It consists of two licenses of 500, whatever their description says. */
const HALF_KIT = ['0000000001000', '0000000101000'];

const CODES: { users: number; codes: string[] }[] = [
  { users: 5, codes: ['0000000000005', '0000000100005'] },
  { users: 10, codes: ['0000000000010', '0000000100010', '0000000100015'] },
  { users: 20, codes: ['0000000000020', '0000000100020'] },
  { users: 50, codes: ['0000000000050', '0000000100050'] },
  { users: 100, codes: ['0000000000100', '0000000100100'] },
  { users: 300, codes: ['0000000100300'] },
  { users: 500, codes: ['0000000100500', ...HALF_KIT] },
];

/** The number of users by the product codes of client licenses. */
export const USERS_OF_PRODUCT = new Map<string, number>();
for (const { users, codes } of CODES) {
  for (const code of codes) USERS_OF_PRODUCT.set(code, users);
}

/**
 * `на 1 000 рабочих мест`, `for 1 000 seats`, `1,000 users`; neither the end of `8.3 users` nor the version in
 * `Enterprise 8 users`.
 */
const USERS_IN_TEXT = [
  /(?<!\p{L})на (\d{1,3}(?: \d{3}){1,2}|\d{1,9}) рабоч(?:ее|их|ие) мест[оа]?(?!\p{L})/iu,
  /(?<!\p{L})for (\d{1,3}(?: \d{3}){1,2}) (?:workplaces|users|seats)(?!\p{L})/iu,
  /(?<!\d[ .,]?|enterprise )(\d{1,3}(?:,\d{3}){1,2}|\d{1,9}) (?:workplace|user|seat)s?(?!\p{L})/iu,
];

/** The number of users that a license is for, by its description or product name, or else by its product code. */
export function countUsers(description: string | null, productCode: string | null): number | null {
  const code = productCode ?? '';
  const usersOfProduct = USERS_OF_PRODUCT.get(code) ?? null;
  if (HALF_KIT.includes(code)) return usersOfProduct;

  const text = (description ?? '').replace(/\s+/g, ' ');
  for (const pattern of USERS_IN_TEXT) {
    const digits = pattern.exec(text)?.[1];
    if (digits !== undefined) return Number(digits.replace(/[ ,]/g, ''));
  }
  return usersOfProduct;
}
