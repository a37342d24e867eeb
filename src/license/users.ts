/**
 * Product codes of client licenses. A kit for 1,000 users consists of two licenses of 500, whatever their description
 * says.
 */
const CODES: { users: number; codes: string[] }[] = [
  { users: 3, codes: ['0000000000003', '0000000100003'] },
  { users: 5, codes: ['0000000000005', '0000000100005'] },
  { users: 10, codes: ['0000000000010', '0000000000015', '0000000100010', '0000000100015'] },
  { users: 20, codes: ['0000000000020', '0000000100020'] },
  { users: 50, codes: ['0000000000050', '0000000100050'] },
  { users: 100, codes: ['0000000000100', '0000000100100'] },
  { users: 300, codes: ['0000000000300', '0000000100300'] },
  { users: 500, codes: ['0000000000500', '0000000100500', '0000000001000', '0000000101000'] },
];

/** The number of users by the product codes of client licenses. */
export const USERS_OF_PRODUCT = new Map<string, number>();
for (const { users, codes } of CODES) {
  for (const code of codes) USERS_OF_PRODUCT.set(code, users);
}

/**
 * `на одно рабочее место`, `for 1 000 seats`, `1,000 users`; neither the end of `8.3 users` nor the version in
 * `Enterprise 8 users`.
 */
const USERS_IN_TEXT = [
  /(?<!\p{L})(?:на|для) (\d{1,3}(?: \d{3}){1,2}|\d{1,9}|одно|одного) (?:рабоч(?:ее|их|ие|его) мест[оа]?|пользовател(?:ь|я|ей)|раб\. ?мест[оа]?|р\. ?м)(?!\p{L})/iu,
  /(?<!\p{L})for (\d{1,3}(?: \d{3}){1,2}) (?:workplaces|users|seats)(?!\p{L})/iu,
  /(?<!\d[ .,]?|enterprise )(\d{1,3}(?:,\d{3}){1,2}|\d{1,9}) (?:workplace|user|seat)s?(?!\p{L})/iu,
];

/** What texts say about the number of users, without a number that they state as such. */
interface UserHints {
  productCode: string | null;
  /** The description or the product name. */
  text: string | null;
}

/** The number of users that a license is for, by its product code, or else by its description or product name. */
export function deriveUsers({ productCode, text }: UserHints): number | null {
  const usersOfProduct = USERS_OF_PRODUCT.get(productCode ?? '');
  return usersOfProduct ?? usersInText(text ?? '');
}

function usersInText(text: string): number | null {
  const onOneLine = text.replace(/\s+/g, ' ');
  for (const pattern of USERS_IN_TEXT) {
    const count = pattern.exec(onOneLine)?.[1];
    if (count === undefined) continue;

    const isOne = /^одно/i.test(count);
    return isOne ? 1 : Number(count.replace(/[ ,]/g, ''));
  }
  return null;
}
