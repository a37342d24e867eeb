import { signal } from '@preact/signals';
import { structureLicense } from '../../../../src/license/structured-license.js';
import type { Content, Decoded, Item, ItemState } from '../../../../src/web/page/model/item.js';
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
  const pinCode = pin.replace(/(?<=\d)(?=(?:\d{3})+$)/g, '-');
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

/** An item as the page has it; with the same `content` as another one, a copy of it. */
export function item(
  name: string,
  {
    state = { name: 'waiting' },
    clearText = [],
    folder = '',
    content,
  }: { state?: ItemState; clearText?: string[]; folder?: string; content?: Content } = {},
): Item {
  const file = new File(['x'], name);
  const own = { file, clearText: readLicenseFile(bytesOf(clearText)).file, state: signal(state) };
  return { id: ++lastId, file, folder, content: content ?? own };
}

export const done = (texts: LicenseTexts = {}): ItemState => ({ name: 'done', result: decoded(texts) });
export const failed: ItemState = {
  name: 'failed',
  problem: { text: 'It is damaged.', language: 'en', requestId: null },
  canRetry: false,
};
