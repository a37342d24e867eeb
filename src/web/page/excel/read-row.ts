import { isUnlimited } from '../../../license/file-fields.js';
import { licenseKind } from '../../../license/kind.js';
import { formatPin } from '../../../ring/output/license-name.js';
import { NO_FACTS, type Facts } from '../model/facts.js';
import type { Failure } from '../model/problem.js';
import type { Place, SheetRow } from '../model/state.js';
import { asPin } from './cell-values.js';
import { checkOf, isWord, OWNER_KEYS, WORDS } from './format.js';
import { textOf, type RowValues } from './row-values.js';

/** The fingerprint of the bytes, and after it the check of both if the PIN code is known. */
const IDENTITY = /^(?<fingerprint>[\da-f]{16})(?:-(?<check>[\da-f]{4}))?$/;

/**
 * What a row of an exported sheet says of a license.
 * @returns undefined for a row without a file, and for a license that was gone that day
 */
export function readRow(values: RowValues): SheetRow | undefined {
  const places = placesOf(values);
  const change = values.text('change') ?? '';
  const wasGone = isWord(change, WORDS.gone);
  if (!places || wasGone) return undefined;

  const identity = values.get('fingerprint', (cell) => IDENTITY.exec(textOf(cell))?.groups ?? null);
  const fingerprint = identity?.['fingerprint'] ?? null;
  const pin = readPin(values, fingerprint, identity?.['check']);
  const replacedMark = values.get('replacedMark', (cell) => (isWord(textOf(cell), WORDS.yes) ? true : null));
  return {
    places,
    fingerprint,
    facts: { ...factsOf(values), pin },
    asOf: values.day('asOf'),
    wasReplaced: replacedMark !== null,
    failure: failureOf(values),
  };
}

/** The columns of names and folders have a line for each file. */
function placesOf(values: RowValues): Place[] | undefined {
  const names = values.text('file')?.split('\n');
  if (!names) return undefined;

  // The first line may be empty, so the text is not trimmed as a whole.
  const folders = values.get('folder', String)?.split('\n') ?? [];
  // Not all files may have fitted into the cell.
  const fileCount = values.count('files') ?? 0;
  if (fileCount > names.length) values.unclear += 1;
  return names.map((name, index) => {
    const folder = folders[index] ?? '';
    return { name: name.trim(), folder: folder.trim() };
  });
}

/** All but the PIN code. */
function factsOf(values: RowValues): Facts {
  const type = values.text('type');
  const product = values.text('product');
  const productCode = values.text('productCode');
  return {
    ...NO_FACTS,
    ...termOf(values),
    type,
    product,
    productCode,
    kind: licenseKind({ type, productCode, description: product }),
    computer: values.text('computer'),
    registrationNumber: values.text('registrationNumber'),
    boundTo: values.text('boundTo'),
    previousPin: values.get('previousPin', asPin),
    customer: customerOf(values),
    users: values.count('users'),
    pinCount: values.count('pinCount'),
    generatedAt: values.moment('generatedAt'),
    producedAt: values.moment('producedAt'),
  };
}

/** One column has the day or a word. */
function termOf(values: RowValues): Pick<Facts, 'unlimited' | 'validUntil'> {
  const text = values.text('validUntil');
  if (text === null) return { unlimited: null, validUntil: null };
  if (isUnlimited(text)) return { unlimited: true, validUntil: null };
  return { unlimited: null, validUntil: values.day('validUntil') };
}

/** Only with its check: else the PIN code may be that of another row, or was typed or cut. */
function readPin(values: RowValues, fingerprint: string | null, check: string | undefined): string | null {
  const digits = values.get('pin', asPin);
  if (digits === null || fingerprint === null) return null;

  const isProven = check === checkOf(fingerprint, digits);
  return isProven ? formatPin(digits) : null;
}

function customerOf(values: RowValues): Facts['customer'] {
  const parts = OWNER_KEYS.map((key) => [key, values.text(key)] as const);
  const isKnown = parts.some(([, part]) => part !== null);
  if (!isKnown) return null;

  return Object.fromEntries(parts) as NonNullable<Facts['customer']>;
}

/** Why it had not been read, in the language of that day. */
function failureOf(values: RowValues): Failure | null {
  const quoted = values.text('error');
  if (quoted === null) return null;

  const state = values.text('state') ?? '';
  const isRefused = isWord(state, WORDS.refused) || isWord(state, WORDS.unfit);
  const language = /[а-я]/i.test(quoted) ? 'ru' : 'en';
  return { problem: { quoted, language }, canRetry: !isRefused };
}
