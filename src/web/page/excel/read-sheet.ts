import { isUnlimited, parseCount } from '../../../license/file-fields.js';
import { licenseKind } from '../../../license/kind.js';
import { formatPin } from '../../../ring/output/license-name.js';
import { dayOf } from '../model/day.js';
import { NOTHING, type Facts } from '../model/facts.js';
import type { Failure, SheetProblem } from '../model/problem.js';
import type { Sheet, SheetRow } from '../model/sheet.js';
import { textsIn, type TextKey } from '../texts/texts.js';
import { asMoment, asPin } from './cell-values.js';
import { checkOf, headerOf, OWNER_KEYS } from './headers.js';
import { budget, TooLargeError } from './archive.js';
import { readWorkbook, type Cell, type Row, type Tab } from './workbook.js';

const MAX_BYTES = 5 * 1024 ** 2;
/** Four times what the page shows with ease: a row of the table takes 40 KB of memory. */
const MAX_FILES = 8000;
/** Characters of a value. The longest, a binding with all disks and network cards, takes some hundred. */
const MAX_CHARS = 4000;
/** Those of a cell, as Excel has it: the names of a license's files may fill it. */
const MAX_CELL_CHARS = 32_767;
/** Rows that the owner of a sheet may have put above the header. */
const MAX_TITLES = 20;

const REQUIRED = ['file', 'validUntil'] as const;
const TEXTS = ['product', 'computer', 'registrationNumber', 'type', 'productCode', 'boundTo'] as const;
const KEYS = [
  ...REQUIRED,
  ...TEXTS,
  ...OWNER_KEYS,
  ...(['pin', 'previousPin', 'owner', 'users', 'pinCount', 'generatedAt', 'producedAt'] as const),
  ...(['files', 'folder', 'fingerprint', 'state', 'error', 'change', 'replacedMark'] as const),
];
type Key = (typeof KEYS)[number];

/** What a cell says in either language. */
const wordsOf = (...keys: TextKey[]): ReadonlySet<unknown> =>
  new Set(keys.flatMap((key) => [textsIn('ru')(key), textsIn('en')(key)]));

/** A license that was there no more on the day of the sheet. */
const GONE = wordsOf('gone');
/** A file that is refused on every day. */
const REFUSED = wordsOf('refused', 'unfit');

/** A day and perhaps a word after it, in the name of a tab that the page has written. Excel adds ` (2)` to a copy. */
const TAB = /\b(\d{4}-\d\d-\d\d)(?!\d)(?:\s+(\p{L}+))?/u;
const PARTIAL = wordsOf('sheetPartial');

const YES = wordsOf('yes');

/** Of the bytes, and with a PIN code that of both. */
const FINGERPRINT = /^([\da-f]{16})(?:-([\da-f]{4}))?$/;

/**
 * Reads an Excel file that the page has written and its owner may have sorted, filtered, extended and saved anew. It
 * comes from outside: each value is checked, and left out where its column does not allow it.
 * @returns why not, when it cannot be read
 */
export async function readSheet(file: File): Promise<Sheet | SheetProblem> {
  if (!/\.xlsx$/i.test(file.name)) return 'sheetFormat';
  if (file.size > MAX_BYTES) return 'sheetTooLarge';
  try {
    for (const tab of readWorkbook(new Uint8Array(await file.arrayBuffer()))) {
      const [, date = '', word] = TAB.exec(tab.name) ?? [];
      const day = asMoment(date, date)?.slice(0, 10) ?? dayOf(file.lastModified);
      const content = readRows(tab);
      if (content?.rows.length === 0) return 'sheetEmpty';
      if (content) return { ...content, day, isPart: PARTIAL.has(word) };
    }
    return 'sheetForeign';
  } catch (error) {
    return error instanceof TooLargeError ? 'sheetTooLarge' : 'sheetBroken';
  }
}

/** What stands below the headers; undefined when there are none. */
function readRows({ rows, firstDay }: Tab): Pick<Sheet, 'rows' | 'unclear'> | undefined {
  const taken: SheetRow[] = [];
  const spend = budget(MAX_FILES);
  let [unclear, titles] = [0, 0];
  let columns: Columns | undefined;
  for (const row of rows) {
    if (columns) {
      const values = new Values(row, columns, firstDay);
      const next = readRow(values);
      unclear += values.unclear;
      if (!next) continue;
      spend(next.places.length);
      taken.push(next);
    } else {
      columns = columnsOf(row);
      if (!columns && ++titles === MAX_TITLES) break;
    }
  }
  return columns && { rows: taken, unclear };
}

const plain = (cell: Cell) => String(cell).replace(/\s+/g, ' ').trim().toLowerCase();

type Columns = ReadonlyMap<Key, number | undefined>;

/** Where each column is, by its header in either language; undefined when this row has no headers. */
function columnsOf(row: Row): Columns | undefined {
  const places = new Map(Array.from(row, ([column, cell]) => [plain(cell), column]));
  const placeOf = (key: Key) =>
    places.get(plain(headerOf(key, 'ru'))) ?? places.get(plain(headerOf(key, 'en')));
  if (REQUIRED.some((key) => placeOf(key) === undefined)) return undefined;
  return new Map(KEYS.map((key) => [key, placeOf(key)]));
}

type Parse<Value> = (text: string, cell: Cell, firstDay: number) => Value | null;

/** What a row says, by column. */
class Values {
  /** How many cells hold what cannot be a value of their column. */
  unclear = 0;

  constructor(
    private readonly row: Row,
    private readonly columns: Columns,
    private readonly firstDay: number,
  ) {}

  get<Value>(key: Key, parse: Parse<Value>, maxChars = MAX_CHARS): Value | null {
    const cell = this.row.get(this.columns.get(key) ?? 0) ?? '';
    const text = String(cell).trim();
    if (text === '' || /^\p{Pd}$/u.test(text)) return null;
    const isValue = text.length <= maxChars && !Number.isNaN(cell);
    const value = isValue ? parse(text, cell, this.firstDay) : null;
    if (value === null) this.unclear += 1;
    return value;
  }

  texts<Name extends Key>(keys: readonly Name[]): Record<Name, string | null> {
    return Object.fromEntries(keys.map((key) => [key, this.get(key, asText)])) as Record<Name, string | null>;
  }
}

/** @returns undefined for a row without a file, and for a license that was gone that day */
function readRow(values: Values): SheetRow | undefined {
  const name = values.get('file', asText, MAX_CELL_CHARS);
  if (name === null || GONE.has(plain(values.get('change', asText) ?? ''))) return undefined;
  // Those that did not fit into the cell.
  if ((values.get('files', parseCount) ?? 0) > name.split('\n').length) values.unclear += 1;
  const texts = values.texts(TEXTS);
  const customer = values.texts(OWNER_KEYS);
  customer.company ??= Object.values(customer).some(Boolean) ? null : values.get('owner', asText);
  const term = values.get('validUntil', (text, ...cell) =>
    isUnlimited(text) ? '' : asMoment(text, ...cell),
  );
  const [, fingerprint = null, check] = values.get('fingerprint', (text) => FINGERPRINT.exec(text)) ?? [];
  const { sure } = values.get('pin', asPin) ?? {};
  const isProven = fingerprint !== null && sure !== undefined && check === checkOf(fingerprint, sure);
  const facts: Facts = {
    ...NOTHING,
    ...texts,
    kind: licenseKind({ ...texts, description: texts.product }),
    pin: isProven ? formatPin(sure) : null,
    previousPin: values.get('previousPin', (text, cell) => asPin(text, cell)?.sure ?? null),
    customer: Object.values(customer).some(Boolean) ? customer : null,
    users: values.get('users', parseCount),
    pinCount: values.get('pinCount', parseCount),
    generatedAt: values.get('generatedAt', asMoment),
    producedAt: values.get('producedAt', asMoment),
    validUntil: term ? term.slice(0, 10) : null,
    unlimited: term === '' || null,
  };
  const wasReplaced = values.get('replacedMark', (text) => YES.has(text.toLowerCase()) || null) === true;
  // A line for each file, and the first may be empty.
  const folders = values.get('folder', (_, cell) => String(cell), MAX_CELL_CHARS)?.split('\n') ?? [];
  return {
    places: name
      .split('\n')
      .map((line, index) => ({ name: line.trim(), folder: folders[index]?.trim() ?? '' })),
    fingerprint,
    facts,
    wasReplaced,
    failure: failureOf(values.get('error', asText), values.get('state', asText)),
  };
}

/** A failure as the list has it, in the language of that day. */
function failureOf(text: string | null, state: string | null): Failure | null {
  if (text === null) return null;
  const language = /[а-я]/i.test(text) ? 'ru' : 'en';
  return { problem: { text, language, requestId: null }, canRetry: !REFUSED.has(state) };
}

const asText = (text: string) => text;
