import { Signal, signal } from '@preact/signals';
import { structureLicense } from '../../../../src/license/structured-license.js';
import {
  NO_FACTS,
  numberOf,
  ofClearText,
  type Decoded,
  type Facts,
} from '../../../../src/web/page/model/facts.js';
import { COLUMNS } from '../../../../src/web/page/list/columns.js';
import { licensesIn, type License } from '../../../../src/web/page/model/license.js';
import type { Problem } from '../../../../src/web/page/model/problem.js';
import { EMPTY_QUEUE } from '../../../../src/web/page/model/queue.js';
import type { Content, ListedFile } from '../../../../src/web/page/model/state.js';
import { View } from '../../../../src/web/page/model/view.js';
import { rowTexts } from '../../../../src/web/page/license/row-texts.js';
import { formatPin } from '../../../../src/ring/output/license-name.js';
import { readLicenseFile } from '../../../../src/license/file-fields.js';
import { MAX_FILE_BYTES } from '../../../../src/license/clear-text.js';
import { language } from '../../../../src/web/page/texts/language.js';

interface LicenseTexts {
  pin?: string;
  previousPin?: string;
  /** Lines of `ring license info` about the owner. */
  owner?: string[];
  description?: string;
  registrationNumber?: string;
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
  registrationNumber = '800123456G0',
  clearText = [],
}: LicenseTexts): Decoded {
  const info = [
    'Информация о пользователе:',
    ...owner.map((line) => `    ${line}`),
    'Информация о продукте:',
    ...(description === undefined ? [] : [`    Описание: ${description}`]),
    `    Регистрационный номер: ${registrationNumber}`,
  ];
  const structured = structureLicense({
    pin,
    registrationNumber: numberOf(registrationNumber),
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

/** Why the service did not read a file. */
interface NotRead {
  status: 'failed' | 'refused';
  problem: Problem;
}

interface LicenseParts {
  /** Lines of clear text. */
  clearText?: string[];
  fingerprint?: string;
  /** What the service answered, or why it did not read it. */
  answer?: Decoded | NotRead;
}

let lastId = 0;

function fileAt(path: string, fingerprint: string): ListedFile {
  const [, folder = '', name = ''] = /^(?:(.*)\/)?(.*)$/.exec(path) ?? [];
  lastId += 1;
  return { name, folder, id: lastId, fingerprint };
}

/** The license of some content, at paths with a comma between them. */
function licenseOf(
  paths: string,
  content: Partial<Content>,
  fingerprint = lastId.toString(16).padStart(16, 'f'),
): License {
  const files = paths.split(', ').map((path) => fileAt(path, fingerprint));
  const bytes = new Blob(['x']);
  const nothing: Content = {
    clearText: null,
    isUnlikely: false,
    bytes,
    status: 'unread',
    answer: null,
    problem: null,
  };
  const contents = new Map([[fingerprint, { ...nothing, ...content }]]);
  const [license] = licensesIn({ files, contents, queue: EMPTY_QUEUE });
  if (!license) throw new Error('no license');
  return license;
}

function answered(answer: Decoded | NotRead | undefined): Partial<Content> {
  if (!answer) return {};
  return 'structured' in answer ? { status: 'done', answer } : answer;
}

/** A license as the page has it, at paths with a comma between them. */
export function license(paths: string, { clearText = [], fingerprint, answer }: LicenseParts = {}): License {
  const { file } = readLicenseFile(bytesOf(clearText));
  return licenseOf(paths, { clearText: file && ofClearText(file), ...answered(answer) }, fingerprint);
}

/** A license of which these facts are known. */
export function knownAs(
  paths: string,
  { fingerprint, ...facts }: Partial<Facts> & { fingerprint?: string },
  answer?: Decoded | NotRead,
): License {
  const clearText = { ...NO_FACTS, ...facts };
  return licenseOf(paths, { clearText, ...answered(answer) }, fingerprint);
}

/** What the page says of licenses. */
const WORDING = { words: rowTexts, columns: COLUMNS };

/** What a service tells its page, but for the limit. */
export const SETTINGS = {
  ...WORDING,
  windowSeconds: 3600,
  acceptsTokens: true,
  timeoutMs: 55_000,
  maxFileBytes: MAX_FILE_BYTES,
  language,
};

/** What the user sees of licenses at noon. */
export function viewOf(
  licenses: readonly License[] | Signal<readonly License[]>,
  today: string,
  isReadingOn = signal(false),
): View {
  const list = licenses instanceof Signal ? licenses : signal(licenses);
  return new View({ licenses: list, minute: signal(`${today}T12:00`), isReadingOn }, WORDING);
}

const problem: Problem = {
  code: 'cross_site_request',
  sentence: 'It is damaged.',
  language: 'en',
  requestId: null,
};
export const refused: NotRead = { status: 'refused', problem };
export const failed: NotRead = { status: 'failed', problem };

export const NOTHING_LEFT_OUT = { files: [], otherCount: 0, isCut: false };
