import { isUnlimited, parseCount } from '../../../license/file-fields.js';
import { licenseKind } from '../../../license/kind.js';
import { formatPin } from '../../../ring/output/license-name.js';
import { dayOf } from '../model/day.js';
import { NOTHING, type Facts } from '../model/facts.js';
import type { Failure, SheetProblem } from '../model/problem.js';
import type { Place, Sheet, SheetRow } from '../model/state.js';
import { budget, TooLargeError } from './archive.js';
import { asMoment, asPin } from './cell-values.js';
import {
  checkOf,
  HEADERS,
  isWord,
  OWNER_KEYS,
  plain,
  readTabName,
  TABS,
  WORDS,
  type ColumnKey,
} from './format.js';
import { readWorkbook, type Cell, type Row, type Tab } from './workbook.js';

const MAX_BYTES = 5 * 1024 ** 2;
/** Four times what the page shows with ease: a row of the table takes 40 KB of memory. */
const MAX_FILES = 8000;
/** Characters of a cell, the most that Excel allows. */
const MAX_CHARS = 32_767;
/** Rows that the owner of a sheet may have put above the header. */
const MAX_TITLES = 20;

/** A row with these headers is the header of a sheet. */
const REQUIRED = ['file', 'validUntil'] as const;

/** The fingerprint of the bytes, and after it the check of both if the PIN code is known. */
const IDENTITY = /^(?<fingerprint>[\da-f]{16})(?:-(?<check>[\da-f]{4}))?$/;

/**
 * Reads an Excel file that the page has written and its owner may have sorted, filtered, extended and saved anew. It
 * comes from outside: each value is checked, and left out where its column does not allow it.
 * @returns why not, when it cannot be read
 */
export async function readSheet(file: File): Promise<Sheet | SheetProblem> {
  if (!/\.xlsx$/i.test(file.name)) return 'sheetFormat';
  if (file.size > MAX_BYTES) return 'sheetTooLarge';
  try {
    const tabs = readWorkbook(new Uint8Array(await file.arrayBuffer()));
    return readTabs(tabs, dayOf(file.lastModified));
  } catch (error) {
    return error instanceof TooLargeError ? 'sheetTooLarge' : 'sheetBroken';
  }
}

/** Reads the first tab that is a sheet. The tab for people has some of its headers, but lacks most of what is known. */
function readTabs(tabs: readonly Tab[], savedOn: string): Sheet | SheetProblem {
  for (const tab of tabs) {
    if (isWord(tab.name, TABS.summary)) continue;
    const content = readRows(tab);
    if (!content) continue;
    if (content.rows.length === 0) return 'sheetEmpty';

    const { day, isPart } = readTabName(tab.name);
    const isDay = asMoment(day) !== null;
    return { ...content, isPart, day: isDay ? day : savedOn };
  }
  return 'sheetForeign';
}

/** Where each column is, by its number. */
type Columns = ReadonlyMap<ColumnKey, number>;

/** What stands below the headers; undefined when there are none. */
function readRows(tab: Tab): Pick<Sheet, 'rows' | 'unclear'> | undefined {
  const cells = tab.rows();
  const columns = findHeader(cells);
  if (!columns) return undefined;

  const spendFiles = budget(MAX_FILES);
  const rows: SheetRow[] = [];
  let unclear = 0;
  for (const row of cells) {
    const values = new Values(row, columns, tab.firstDay);
    const next = readRow(values);
    unclear += values.unclear;
    if (!next) continue;

    spendFiles(next.places.length);
    rows.push(next);
  }
  return { rows, unclear };
}

function findHeader(rows: Generator<Row>): Columns | undefined {
  for (let titles = 0; titles < MAX_TITLES; titles++) {
    const next = rows.next();
    if (next.done) return undefined;

    const columns = columnsOf(next.value);
    if (REQUIRED.every((key) => columns.has(key))) return columns;
  }
  return undefined;
}

/** The known headers of a row. */
function columnsOf(row: Row): Columns {
  const columns = new Map<ColumnKey, number>();
  for (const [column, cell] of row) {
    const key = KEYS.get(plain(String(cell)));
    if (key) columns.set(key, column);
  }
  return columns;
}

/** What each header stands for, in both languages and all spellings. */
const KEYS = new Map<string, ColumnKey>();
for (const [key, spellings] of Object.entries(HEADERS)) {
  for (const spelling of spellings) KEYS.set(plain(spelling), key as ColumnKey);
}

/** What a row says, by column. */
class Values {
  /** How many cells hold what cannot be a value of their column. */
  unclear = 0;

  constructor(
    private readonly row: Row,
    private readonly columns: Columns,
    readonly firstDay: number,
  ) {}

  /** @param parse gives null for what cannot be a value of the column */
  get<Value>(key: ColumnKey, parse: (cell: Cell) => Value | null): Value | null {
    const column = this.columns.get(key);
    const cell = column === undefined ? '' : (this.row.get(column) ?? '');
    if (isBlank(cell)) return null;

    const isBroken = Number.isNaN(cell) || String(cell).length > MAX_CHARS;
    const value = isBroken ? null : parse(cell);
    if (value === null) this.unclear += 1;
    return value;
  }

  text(key: ColumnKey): string | null {
    return this.get(key, textOf);
  }

  count(key: ColumnKey): number | null {
    return this.get(key, (cell) => parseCount(textOf(cell)));
  }

  moment(key: ColumnKey): string | null {
    return this.get(key, (cell) => asMoment(cell, this.firstDay));
  }

  day(key: ColumnKey): string | null {
    const moment = this.moment(key);
    return moment && dayIn(moment);
  }
}

const textOf = (cell: Cell) => String(cell).trim();

const dayIn = (moment: string) => moment.slice(0, 'YYYY-MM-DD'.length);

/** People put a dash where there is nothing to say. */
function isBlank(cell: Cell): boolean {
  const text = textOf(cell);
  return text === '' || /^\p{Pd}$/u.test(text);
}

/** @returns undefined for a row without a file, and for a license that was gone that day */
function readRow(values: Values): SheetRow | undefined {
  const places = placesOf(values);
  const change = values.text('change') ?? '';
  if (places.length === 0 || isWord(change, WORDS.gone)) return undefined;

  const identity = values.get('fingerprint', (cell) => IDENTITY.exec(textOf(cell))?.groups ?? null);
  const fingerprint = identity?.['fingerprint'] ?? null;
  const pin = readPin(values, fingerprint, identity?.['check']);
  const wasReplaced = values.get('replacedMark', (cell) => (isWord(textOf(cell), WORDS.yes) ? true : null));
  return {
    places,
    fingerprint,
    facts: { ...factsOf(values), pin },
    asOf: values.day('asOf'),
    wasReplaced: wasReplaced ?? false,
    failure: failureOf(values),
  };
}

/** The columns of names and folders have a line for each file. */
function placesOf(values: Values): Place[] {
  const names = values.text('file')?.split('\n') ?? [];
  // The first line may be empty, so the text is not trimmed as a whole.
  const folders = values.get('folder', String)?.split('\n') ?? [];

  // Not all files fitted into the cell.
  const fileCount = values.count('files') ?? 0;
  if (fileCount > names.length) values.unclear += 1;
  return names.map((name, index) => {
    const folder = folders[index] ?? '';
    return { name: name.trim(), folder: folder.trim() };
  });
}

/** All but the PIN code. */
function factsOf(values: Values): Facts {
  const type = values.text('type');
  const product = values.text('product');
  const productCode = values.text('productCode');
  return {
    ...NOTHING,
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

const UNLIMITED = 'unlimited';

/** One column has the day or a word. */
function termOf(values: Values): Pick<Facts, 'unlimited' | 'validUntil'> {
  const term = values.get('validUntil', (cell) => {
    const isWordForUnlimited = isUnlimited(String(cell));
    return isWordForUnlimited ? UNLIMITED : asMoment(cell, values.firstDay);
  });
  if (term === UNLIMITED) return { unlimited: true, validUntil: null };
  return { unlimited: null, validUntil: term && dayIn(term) };
}

/** Only with its check: else the PIN code may be that of another row, or was typed or cut. */
function readPin(values: Values, fingerprint: string | null, check: string | undefined): string | null {
  const digits = values.get('pin', asPin);
  if (digits === null || fingerprint === null) return null;

  const isProven = check === checkOf(fingerprint, digits);
  return isProven ? formatPin(digits) : null;
}

function customerOf(values: Values): Facts['customer'] {
  const parts = new Map(OWNER_KEYS.map((key) => [key, values.text(key)]));
  const isKnown = [...parts.values()].some((part) => part !== null);
  if (!isKnown) return null;

  return Object.fromEntries(parts) as NonNullable<Facts['customer']>;
}

/** Why it had not been read, in the language of that day. */
function failureOf(values: Values): Failure | null {
  const quoted = values.text('error');
  if (quoted === null) return null;

  const state = values.text('state') ?? '';
  const isRefused = isWord(state, WORDS.refused) || isWord(state, WORDS.unfit);
  const language = /[а-я]/i.test(quoted) ? 'ru' : 'en';
  return { problem: { quoted, language }, canRetry: !isRefused };
}
