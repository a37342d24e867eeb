import { structureLicense } from '../../../../src/license/structured-license.js';
import { Content, type Failure } from '../../../../src/web/page/model/content.js';
import type { Item } from '../../../../src/web/page/model/item.js';
import { ofClearText, type Decoded } from '../../../../src/web/page/model/facts.js';
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

let lastId = 0;

interface ItemParts {
  /** Lines of clear text. */
  clearText?: string[];
  folder?: string;
  fingerprint?: string;
  /** What the service answered, or why it did not read it. */
  answer?: Decoded | Failure;
  /** That of another item, whose copy this one is. */
  content?: Content;
}

/** An item as the page has it. */
export function item(
  name: string,
  { clearText = [], folder = '', fingerprint, answer, content: shared }: ItemParts = {},
): Item {
  const { file } = readLicenseFile(bytesOf(clearText));
  const content =
    shared ?? new Content(new File(['x'], name), file ? [ofClearText(file)] : [], undefined, fingerprint);
  if (answer) {
    content.happens('asked');
    content.happens('sent');
    if ('structured' in answer) content.finish(answer);
    else content.fail(answer);
  }
  return { id: ++lastId, name, folder, content };
}

export const failure: Failure = {
  problem: { text: 'It is damaged.', language: 'en', requestId: null },
  canRetry: false,
};
