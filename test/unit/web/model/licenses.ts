import { structureLicense } from '../../../../src/license/structured-license.js';
import { ofClearText, ofSheet, type Decoded, type Facts } from '../../../../src/web/page/model/facts.js';
import { License, type Place } from '../../../../src/web/page/model/license.js';
import type { Failure } from '../../../../src/web/page/model/problem.js';
import { formatPin } from '../../../../src/ring/output/license-name.js';
import { readLicenseFile } from '../../../../src/license/file-fields.js';

interface LicenseTexts {
  pin?: string;
  previousPin?: string;
  /** Lines of `ring license info` about the owner. */
  owner?: string[];
  description?: string;
  /** Lines of clear text. */
  clearText?: string[];
}

const bytesOf = (lines: string[]) => new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));

/** The answer of the service about a license. */
export function decoded({
  pin = '332588056123456',
  previousPin,
  owner = [],
  description,
  clearText = [],
}: LicenseTexts): Decoded {
  const info = [
    'Информация о пользователе:',
    ...owner.map((line) => `    ${line}`),
    'Информация о продукте:',
    ...(description === undefined ? [] : [`    Описание: ${description}`]),
    '    Регистрационный номер: 800123456G0',
  ];
  const structured = structureLicense({
    name: `${pin}-800123456`,
    pin,
    previousPin: previousPin ?? null,
    info: info.join('\n'),
    valid: false,
    file: bytesOf(clearText),
    hardware: null,
  });
  const pinCode = formatPin(pin);
  return {
    licName: '',
    pinCode,
    licData: '',
    validateData: '',
    licHWConfig: null,
    currentHWConfig: null,
    structured,
  };
}

interface LicenseParts {
  /** Lines of clear text. */
  clearText?: string[];
  fingerprint?: string;
  /** What the service answered, or why it did not read it. */
  answer?: Decoded | Failure;
}

let lastOrder = 0;
/** A place as the user gave it. */
export function placeAt(path: string): Place {
  const [, folder = '', name = ''] = /^(?:(.*)\/)?(.*)$/.exec(path) ?? [];
  return { name, folder, file: new File(['x'], name), order: ++lastOrder };
}

function putAt(license: License, paths: string): License {
  license.places.value = paths.split(', ').map(placeAt);
  return license;
}

/** A license as the page has it, at paths with a comma between them. */
export function license(paths: string, { clearText = [], fingerprint, answer }: LicenseParts = {}): License {
  const { file } = readLicenseFile(bytesOf(clearText));
  const made = new License({ sources: file ? [ofClearText(file)] : [], fingerprint: fingerprint ?? null });
  putAt(made, paths);
  if (answer) read(made, answer);
  return made;
}

/** Has a license read. */
export function read(license: License, answer: Decoded | Failure): License {
  license.wait();
  license.send();
  if ('structured' in answer) license.finish(answer);
  else license.fail(answer);
  return license;
}

/** A license of which these facts are known. */
export function knownAs(
  paths: string,
  { fingerprint, ...facts }: Partial<Facts> & { fingerprint?: string },
): License {
  const sources = Object.keys(facts).length > 0 ? [ofSheet(facts, '2026-10-01')] : [];
  return putAt(new License({ sources, fingerprint: fingerprint ?? null }), paths);
}

export const failure: Failure = {
  problem: { text: 'It is damaged.', language: 'en', requestId: null },
  canRetry: false,
};
