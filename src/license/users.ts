/** Product codes of client licenses, with their number of users. */
export const USERS_OF_PRODUCT = new Map([
  ['0000000000005', 5],
  ['0000000000010', 10],
  ['0000000000020', 20],
  ['0000000000050', 50],
  ['0000000000100', 100],
  ['0000000100005', 5],
  ['0000000100010', 10],
  ['0000000100015', 10],
  ['0000000100020', 20],
  ['0000000100050', 50],
  ['0000000100100', 100],
  ['0000000100300', 300],
  ['0000000100500', 500],
  ['0000000001000', 500],
  ['0000000101000', 500],
]);

/** 500 for the codes of the kit for 1,000 users, which is two licenses, whatever its description says. */
export const usersOfHalfKit = (productCode: string | null): number | null =>
  /^0000000[01]01000$/.test(productCode ?? '') ? 500 : null;

/** `на 1 000 рабочих мест`, `for 20 workplaces`, `20 workplaces`, but not the end of `8.20 workplaces`. */
const USERS_IN_TEXT = [
  /(?<!\p{L})на (\d{1,3}(?: \d{3}){1,2}|\d{1,9}) рабоч(?:ее|их|ие) мест[оа]?(?!\p{L})/iu,
  /(?<!\p{L})for (\d{1,3}(?: \d{3}){1,2}) workplaces(?!\p{L})/iu,
  /(?<!\d[ .,]?)(\d{1,9}) workplaces?(?!\p{L})/iu,
];

/** The number of users that a license is for, by its description or product name, or else its product code. */
export function countUsers(description: string | null, productCode: string | null): number | null {
  const ofHalfKit = usersOfHalfKit(productCode);
  if (ofHalfKit !== null) return ofHalfKit;
  const text = (description ?? '').replace(/\s+/g, ' ');
  for (const pattern of USERS_IN_TEXT) {
    const users = pattern.exec(text)?.[1];
    if (users !== undefined) return Number(users.replaceAll(' ', ''));
  }
  return USERS_OF_PRODUCT.get(productCode ?? '') ?? null;
}
