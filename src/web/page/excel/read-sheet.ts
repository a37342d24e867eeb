import { dayOf } from '../model/day.js';
import type { SheetProblem } from '../model/problem.js';
import type { Sheet, SheetRow } from '../model/state.js';
import { budget, TooLargeError } from './archive.js';
import { asMoment } from './cell-values.js';
import { HEADERS, isWord, plain, readTabName, TABS, type ColumnKey } from './format.js';
import { readRow } from './read-row.js';
import { RowValues, type Columns } from './row-values.js';
import { readWorkbook, type Row, type Tab } from './workbook.js';

/** Whoever gives more is told these limits and MAX_COST of workbook.ts, in the text `sheetTooLarge`. */
const MAX_BYTES = 5 * 1024 ** 2;
/** Four times what the page shows with ease: a row of the table takes 40 KB of memory. */
const MAX_FILES = 8000;
/** Rows that the owner of a sheet may have put above the header. */
const MAX_TITLES = 20;

/** A row with these headers is the header of a sheet. */
const REQUIRED = ['file', 'validUntil'] as const;

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

/** What stands below the headers; undefined when there are none. */
function readRows(tab: Tab): Pick<Sheet, 'rows' | 'unclear'> | undefined {
  const cells = tab.rows();
  const columns = findHeader(cells);
  if (!columns) return undefined;

  const spendFiles = budget(MAX_FILES);
  const rows: SheetRow[] = [];
  let unclear = 0;
  for (const row of cells) {
    const values = new RowValues(row, columns, tab.firstDay);
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
