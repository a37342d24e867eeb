import type { DecodeResult } from '../../../decode/response-schema.js';
import { boundComputer } from '../../../license/computer.js';
import { licenseKind } from '../../../license/kind.js';
import type { StructuredLicense } from '../../../license/schema.js';

/** The answer with `structured=true`. */
export type Decoded = DecodeResult & { structured: StructuredLicense };
export type ClearText = NonNullable<StructuredLicense['file']>;

type Text = string | null;

/** What can be known of a license, without words of a language; null where nothing is. */
export interface Facts {
  /** With hyphens. */
  pin: Text;
  /** Digits only. */
  previousPin: Text;
  customer: StructuredLicense['owner'] | null;
  product: Text;
  users: number | null;
  kind: 'client' | 'server' | null;
  /** The type as the file says it, such as `сервер 64`. */
  type: Text;
  registrationNumber: Text;
  productCode: Text;
  /** The name of the computer, or all of a binding that lacks it. */
  computer: Text;
  boundTo: Text;
  binding: StructuredLicense['binding'];
  /** YYYY-MM-DD */
  validUntil: Text;
  unlimited: boolean | null;
  /** Local times. */
  generatedAt: Text;
  producedAt: Text;
  pinCount: number | null;
  /** Whether it fits the computer of the service. */
  valid: boolean | null;
}

/** Where facts come from, the most reliable first. */
const ORIGINS = ['answer', 'clearText'] as const;

export interface Source {
  origin: (typeof ORIGINS)[number];
  facts: Facts;
}

/** All that is known of a license: of each fact what the most reliable source says that says anything. */
export interface License extends Facts {
  /** The company or the person that owns it. */
  owner: Text;
  /** The most reliable first. Empty while nothing is known. */
  sources: readonly Source[];
}

const NOTHING: Facts = {
  pin: null,
  previousPin: null,
  customer: null,
  product: null,
  users: null,
  kind: null,
  type: null,
  registrationNumber: null,
  productCode: null,
  computer: null,
  boundTo: null,
  binding: null,
  validUntil: null,
  unlimited: null,
  generatedAt: null,
  producedAt: null,
  pinCount: null,
  valid: null,
};

/** What the clear text of a file says. */
export function ofClearText({ productName, ...text }: ClearText): Source {
  const { type, productCode, boundTo } = text;
  const facts = {
    ...NOTHING,
    ...text,
    product: productName,
    kind: licenseKind({ type, productCode, description: productName }),
    computer: boundComputer(boundTo) ?? boundTo,
  };
  return { origin: 'clearText', facts };
}

/** What the service answered, which read the clear text too. */
export function ofAnswer({ pinCode, structured }: Decoded): Source {
  const { previousPin, owner, product, file, computer, binding, valid } = structured;
  const facts = {
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
    computer: computer ?? file?.boundTo ?? null,
    binding,
    generatedAt: product.generatedAt,
    valid,
  };
  return { origin: 'answer', facts };
}

/** Puts together what sources say. */
export function combine(given: readonly Source[]): License {
  const sources = ORIGINS.flatMap((origin) => given.filter((source) => source.origin === origin));
  const factOf = <Key extends keyof Facts>(key: Key): Facts[Key] =>
    sources.find(({ facts }) => facts[key] !== null)?.facts[key] ?? NOTHING[key];
  const facts = Object.fromEntries(
    (Object.keys(NOTHING) as (keyof Facts)[]).map((key) => [key, factOf(key)]),
  ) as unknown as Facts;
  const { customer } = facts;
  const person = [customer?.lastName, customer?.firstName, customer?.middleName].filter(Boolean).join(' ');
  return { ...facts, owner: (customer?.company ?? person) || null, sources };
}

/** Whether an expiry date is over. A license is valid on its last day. */
export const isExpired = ({ validUntil }: License, today: string) =>
  validUntil !== null && validUntil < today;
