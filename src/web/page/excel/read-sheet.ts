import readWorkbook from 'read-excel-file/universal';
import { parseDate } from '../../../license/dates.js';
import { isUnlimited } from '../../../license/file-fields.js';
import { licenseKind } from '../../../license/kind.js';
import { formatPin } from '../../../ring/output/license-name.js';
import { compare } from '../model/comparison.js';
import { dayOf } from '../model/day.js';
import { ofSheet, type Facts } from '../model/facts.js';
import type { SheetProblem } from '../model/problem.js';
import type { Sheet, SheetRow } from '../model/sheet.js';
import { TooLargeError } from './fflate-in-place.js';
import { headerOf, OWNER_KEYS } from './headers.js';

const MAX_BYTES = 5 * 1024 ** 2;
/** Rows that the owner of a sheet may have put above the header. */
const MAX_TITLES = 20;

const REQUIRED = ['file', 'validUntil'] as const;
const TEXTS = [
  ...(['product', 'computer', 'registrationNumber', 'type', 'productCode', 'boundTo'] as const),
  ...(['generatedAt', 'producedAt'] as const),
];
const KEYS = [
  ...REQUIRED,
  ...TEXTS,
  ...OWNER_KEYS,
  ...(['pin', 'owner', 'seats', 'folder', 'previousPin', 'fingerprint'] as const),
];
type Key = (typeof KEYS)[number];

/** A day and perhaps a word after it, in the name of a tab that the page has written. */
const TAB = /\b(\d{4}-\d\d-\d\d)(?!\d)(\s+\S)?/;

type Cell = string | number | boolean | Date | null;

/**
 * Reads an Excel file that the page has written and its owner may have sorted, filtered, extended and saved anew. This
 * module brings the library with it, so the page imports it when someone gives such a file.
 * @returns why not, when it cannot be read
 */
export async function readSheet(file: File): Promise<Sheet | SheetProblem> {
  if (file.size > MAX_BYTES) return 'sheetTooLarge';
  const tabs = await readWorkbook(file).catch((error: unknown) =>
    error instanceof TooLargeError ? 'sheetTooLarge' : 'sheetBroken',
  );
  if (typeof tabs === 'string') return tabs;
  // So that the page can answer between reading the cells and what follows.
  await new Promise((resolve) => setTimeout(resolve));
  for (const { sheet: tab, data } of tabs) {
    const cells = data as unknown as Cell[][];
    for (const [index, head] of cells.slice(0, MAX_TITLES).entries()) {
      const columns = columnsOf(head);
      if (!REQUIRED.every((key) => columns.has(key))) continue;
      const [, day = dayOf(file.lastModified), word] = TAB.exec(tab) ?? [];
      const rows = cells
        .slice(index + 1)
        .flatMap((row) => readRow((key) => row[columns.get(key) ?? -1] ?? null, day));
      return { day, isPartial: word !== undefined || !columns.has('pin'), rows, compare };
    }
  }
  return 'sheetForeign';
}

const plain = (text: string) => text.trim().toLowerCase();

/** Where each column is, by its header in either language. */
function columnsOf(head: readonly Cell[]): Map<Key, number> {
  const places = new Map(head.map((cell, index) => [plain(String(cell ?? '')), index]));
  return new Map(
    KEYS.flatMap((key): [Key, number][] => {
      const place = places.get(plain(headerOf(key, 'ru'))) ?? places.get(plain(headerOf(key, 'en')));
      return place === undefined ? [] : [[key, place]];
    }),
  );
}

/** @returns one row, or none when the row has no file */
function readRow(cell: (key: Key) => Cell, day: string): SheetRow[] {
  const text = (key: Key) => textOf(cell(key));
  const name = text('file');
  if (name === null) return [];
  const textsOf = <Name extends Key>(keys: readonly Name[]) =>
    Object.fromEntries(keys.map((key) => [key, text(key)])) as Record<Name, string | null>;
  const texts = textsOf(TEXTS);
  const owner = textsOf(OWNER_KEYS);
  if (Object.values(owner).every((value) => value === null)) owner.company = text('owner');
  const term = text('validUntil');
  const users = cell('seats');
  const facts: Partial<Facts> = {
    ...texts,
    kind: licenseKind({ ...texts, description: texts.product }),
    pin: pinOf(cell('pin')),
    previousPin: pinOf(cell('previousPin'))?.replaceAll('-', '') ?? null,
    customer: Object.values(owner).some(Boolean) ? owner : null,
    users: typeof users === 'number' ? users : null,
    validUntil: parseDate(term ?? '') ?? /^\d{4}-\d\d-\d\d/.exec(term ?? '')?.[0] ?? null,
    unlimited: isUnlimited(term ?? '') || null,
  };
  const unsurePin = facts.pin ? null : text('pin');
  const isKnown = unsurePin !== null || Object.values(facts).some((fact) => fact !== null);
  const source = isKnown ? ofSheet(facts, day, unsurePin) : undefined;
  return [{ name, folder: text('folder') ?? '', fingerprint: text('fingerprint'), source }];
}

/** Excel knows no time zones: dates come as if they were UTC. */
function textOf(cell: Cell): string | null {
  if (cell instanceof Date) return cell.toISOString().slice(0, 19);
  return (cell === null ? '' : String(cell)).trim() || null;
}

/** With hyphens. A number has lost its first zeros or, from the 16th on, its digits: it is no PIN code. */
function pinOf(cell: Cell): string | null {
  const digits = typeof cell === 'string' ? cell.replace(/[\s-]/g, '') : '';
  return /^\d{15,16}$/.test(digits) ? formatPin(digits) : null;
}
