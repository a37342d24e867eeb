import type { DecodeResult } from '../../../decode/response-schema.js';
import { boundComputer } from '../../../license/computer.js';
import { licenseKind } from '../../../license/kind.js';
import type { StructuredLicense } from '../../../license/schema.js';

/** The answer with `structured=true`. */
export type Decoded = DecodeResult & { structured: StructuredLicense };
export type ClearText = NonNullable<StructuredLicense['file']>;

type Text = string | null;

/** What can be known of a license, without words of a language; null where nothing is. */
export const NOTHING = {
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
  unlimited: null as boolean | null,
  /** Local times. */
  generatedAt: null as Text,
  producedAt: null as Text,
  pinCount: null as number | null,
};
export type Facts = typeof NOTHING;

/** What one source says. */
export interface Source {
  origin: 'answer' | 'clearText' | 'sheet';
  facts: Facts;
  /** The whole answer of the service. */
  answer?: Decoded;
  /** YYYY-MM-DD, the day of the sheet. */
  day?: string;
  /** Whether the sheet says that another license had replaced it. */
  wasReplaced?: boolean;
}

/** All that is known of a license. */
export interface Known extends Facts {
  /** The company or the person that owns it. */
  owner: Text;
  answer: Decoded | undefined;
  /** The source that the PIN code and the owner are from, where that is a sheet. */
  sheet: Source | undefined;
  /** Empty while nothing is known. */
  sources: readonly Source[];
}

/** What the clear text of a file says. */
export function ofClearText({ productName, ...text }: ClearText): Source {
  const { type, productCode, boundTo } = text;
  const facts: Facts = {
    ...NOTHING,
    ...text,
    product: productName,
    kind: licenseKind({ type, productCode, description: productName }),
    computer: boundComputer(boundTo),
  };
  return { origin: 'clearText', facts };
}

/** What a list of another day says. */
export const ofSheet = (
  facts: Partial<Facts>,
  day: string,
  more: Pick<Source, 'wasReplaced'> = {},
): Source => ({
  origin: 'sheet',
  facts: { ...NOTHING, ...facts },
  day,
  ...more,
});

/** What the service answered, which read the clear text too. */
export function ofAnswer(answer: Decoded): Source {
  const { pinCode, structured } = answer;
  const { previousPin, owner, product, file, computer, binding } = structured;
  const facts: Facts = {
    ...NOTHING,
    ...file,
    pin: pinCode,
    previousPin,
    customer: owner,
    product: product.description ?? file?.productName ?? null,
    users: product.users ?? file?.users ?? null,
    kind: product.kind,
    registrationNumber: product.registrationNumber ?? structured.registrationNumber,
    productCode: product.productCode ?? file?.productCode ?? null,
    computer: computer ?? boundComputer(file?.boundTo),
    binding,
    generatedAt: product.generatedAt,
  };
  return { origin: 'answer', facts, answer };
}

/** Of each fact what the first source says that says anything. */
export function combine(sources: readonly Source[]): Known {
  const facts = Object.fromEntries(
    (Object.keys(NOTHING) as (keyof Facts)[]).map((key) => [
      key,
      sources.find(({ facts }) => facts[key] !== null)?.facts[key] ?? null,
    ]),
  ) as Facts;
  const { customer } = facts;
  const person = [customer?.lastName, customer?.firstName, customer?.middleName].filter(Boolean).join(' ');
  const answer = sources.find(({ answer }) => answer)?.answer;
  const sheet = answer ? undefined : sources.find(({ origin }) => origin === 'sheet');
  return { ...facts, owner: (customer?.company ?? person) || null, answer, sheet, sources };
}

/** Whether an expiry date is over. A license is valid on its last day. */
export const isExpired = ({ validUntil }: Known, today: string) => validUntil !== null && validUntil < today;

/** A PIN code without hyphens. */
export const digitsOf = (pin: string) => pin.replaceAll('-', '');

/** A registration number as in ring's name of a license, which lacks the letters after it. */
export const numberOf = (registrationNumber: string) =>
  /^\d+/.exec(registrationNumber)?.[0] ?? registrationNumber;
