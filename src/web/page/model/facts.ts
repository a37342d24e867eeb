import type { DecodeResult } from '../../../decode/response-schema.js';
import { boundComputer } from '../../../license/binding.js';
import { licenseKind } from '../../../license/kind.js';
import type { StructuredLicense } from '../../../license/schema.js';
import { placesOfKit } from '../../../license/users.js';

/** The answer with `structured=true`. */
export type Decoded = DecodeResult & { structured: StructuredLicense };
export type ClearText = NonNullable<StructuredLicense['file']>;

type Text = string | null;

/** What can be known of a license, without words of a language; null where nothing is. */
export const NO_FACTS = {
  /** With hyphens. */
  pin: null as Text,
  /** Digits only. */
  previousPin: null as Text,
  customer: null as StructuredLicense['owner'] | null,
  product: null as Text,
  users: null as number | null,
  kind: null as StructuredLicense['product']['kind'],
  /** The type as the file says it, such as `сервер 64`. */
  type: null as Text,
  registrationNumber: null as Text,
  productCode: null as Text,
  /** The name with which a binding begins; null when it lacks one. */
  computer: null as Text,
  boundTo: null as Text,
  binding: null as StructuredLicense['binding'],
  /** YYYY-MM-DD */
  validUntil: null as Text,
  /** HH:MM:SS on that day; null when the whole day counts. */
  validUntilTime: null as Text,
  unlimited: null as boolean | null,
  /** Local times. */
  generatedAt: null as Text,
  producedAt: null as Text,
  pinCount: null as number | null,
};
export type Facts = Readonly<typeof NO_FACTS>;

/** What the page has learned of a license, each part by itself; the surest is first. */
export interface Sources {
  /** The answer of the service. */
  readonly answer: Decoded | null;
  /** What the page has understood of the file itself. */
  readonly clearText: Facts | null;
}

/** All that is known of a license. What takes long to find out is found out once, for all that compare licenses. */
export interface LicenseFacts extends Facts {
  /** The PIN code without hyphens. */
  readonly pinDigits: Text;
  /** The registration number without the letters after it, as in ring's name of a license. Its kit has the same. */
  readonly kitNumber: Text;
  /** For how many users the licenses of its kit are good together; null if that is no small kit. */
  readonly smallKitSize: number | null;
  /** ring's name of the license. */
  readonly ringName: Text;
  /** What a damaged copy of a file has in common with it; null while not all of it is known. */
  readonly damagedCopyKey: Text;
  /** The company or the person that owns it. */
  readonly owner: Text;
  readonly answer: Decoded | null;
  /** Whether nothing at all is known. */
  readonly isBlank: boolean;
  /** Whether the file has no clear text of a license, as files of early versions: nothing tells its term. */
  readonly hasNoClearText: boolean;
}

/** What the clear text of a file says. */
export function ofClearText({ productName, ...text }: ClearText): Facts {
  const { type, productCode, boundTo } = text;
  return {
    ...NO_FACTS,
    ...text,
    product: productName,
    kind: licenseKind([type, productName], productCode),
    computer: boundComputer(boundTo),
  };
}

/** What the service answered, which read the clear text too. */
export function ofAnswer({ pinCode, structured }: Decoded): Facts {
  const { previousPin, owner, product, file, computer, binding } = structured;
  return {
    ...NO_FACTS,
    ...file,
    pin: pinCode,
    previousPin,
    customer: owner,
    product: product.description ?? file?.productName ?? null,
    users: product.users ?? file?.users ?? null,
    kind: product.kind,
    registrationNumber:
      product.registrationNumber ?? file?.registrationNumber ?? structured.registrationNumber,
    productCode: product.productCode ?? file?.productCode ?? null,
    computer,
    binding,
    generatedAt: product.generatedAt,
  };
}

/** For each fact, the value of the surest source that has one. */
export function combine({ answer, clearText }: Sources): LicenseFacts {
  const facts: Facts = {
    ...NO_FACTS,
    ...withoutNulls(clearText),
    ...withoutNulls(answer && ofAnswer(answer)),
  };

  // As in the API: what the clear text of such a license names is not its computer.
  const computer = facts.binding === 'hardwareKey' ? null : facts.computer;
  const pinDigits = facts.pin && digitsOf(facts.pin);
  const kitNumber = facts.registrationNumber ? numberOf(facts.registrationNumber) : null;
  const copyParts = [kitNumber, computer?.toLowerCase() ?? null, facts.producedAt];
  const places = placesOfKit({ productCode: facts.productCode, text: facts.product });
  return {
    ...facts,
    computer,
    pinDigits,
    kitNumber,
    smallKitSize: SMALL_KITS.has(places) ? places : null,
    ringName: pinDigits && `${pinDigits}-${kitNumber ?? ''}`,
    damagedCopyKey: copyParts.includes(null) ? null : copyParts.join('\n'),
    owner: ownerOf(facts.customer),
    answer,
    hasNoClearText: clearText === null && !answer?.structured.file,
    isBlank: Object.values(facts).every((fact) => fact === null),
  };
}

/** A larger kit has several PIN codes, each for some of its users: one of 1,000 is two licenses for 500. */
const SMALL_KITS = new Set([5, 10, 20, 50]);

/** Without what is null, or missing in the answer of a service of another version. */
function withoutNulls(facts: Facts | null): object {
  const entries = Object.entries(facts ?? {});
  const said = entries.filter(([, fact]) => (fact ?? null) !== null);
  return Object.fromEntries(said);
}

function ownerOf(customer: Facts['customer']): Text {
  if (!customer) return null;

  const { company, lastName, firstName, middleName } = customer;
  if (company) return company;

  const names = [lastName, firstName, middleName].filter(Boolean);
  return names.length > 0 ? names.join(' ') : null;
}

/** In place of the last day of an unlimited license: it sorts after all days. */
export const NO_END = '9999';

/**
 * Whether a license has expired. It is valid on its last day, until the time that it states.
 * @param now YYYY-MM-DDTHH:MM
 */
export function isExpired({ validUntil, validUntilTime }: LicenseFacts, now: string): boolean {
  if (validUntil === null) return false;
  return `${validUntil}T${validUntilTime ?? '24:00'}` <= now;
}

/** A PIN code without hyphens. */
export const digitsOf = (pin: string) => pin.replaceAll('-', '');

/** A registration number as in ring's name of a license, which lacks the letters after it. */
export function numberOf(registrationNumber: string): string {
  const [digits] = /^\d+/.exec(registrationNumber) ?? [];
  return digits ?? registrationNumber;
}
