import type { Decoded } from './facts.js';

type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isOneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);

/** What the facts about a license are that are no texts. */
const CHECKS: Readonly<Record<string, Check>> = {
  users: isNumber,
  pinCount: isNumber,
  unlimited: isBoolean,
  valid: isBoolean,
  kind: isOneOf('client', 'server'),
  binding: isOneOf('computer', 'hardwareKey'),
  validUntil: (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(String(value)),
};

/** Whether each of these facts is of its kind, or null or missing because nothing is known. */
function areFacts(facts: unknown): boolean {
  if (!isObject(facts)) return false;

  return Object.entries(facts).every(([name, fact]) => {
    const check = CHECKS[name] ?? isText;
    return fact === null || fact === undefined || check(fact);
  });
}

/**
 * Whether an answer has all that the page reads, in the form in which the page reads it. Otherwise the service is of another
 * version than the page, or something else has answered; drawing such an answer could fail.
 */
export function isDecoded(body: unknown): body is Decoded {
  if (!isObject(body) || !isObject(body['structured'])) return false;

  const { pinCode, licData, validateData, licHWConfig } = body;
  const { owner, product, file, other, ...rest } = body['structured'];
  const { previousPin, registrationNumber, computer, binding, valid } = rest;
  const ownFacts = { previousPin, registrationNumber, computer, binding, valid };
  const hasTexts = [pinCode, licData, validateData, licHWConfig ?? ''].every(isText);
  const hasParts = [owner, product, file ?? {}, ownFacts].every(areFacts);
  return hasTexts && hasParts && Array.isArray(other) && other.every(areFacts);
}
