import { parseCount } from '../../../license/file-fields.js';
import { asMoment } from './cell-values.js';
import type { ColumnKey } from './format.js';
import type { Cell, Row } from './workbook.js';

/** Where each column is, by its number. */
export type Columns = ReadonlyMap<ColumnKey, number>;

/** Characters of a cell, the most that Excel allows. */
const MAX_CHARS = 32_767;

/** What a row says, by column. */
export class RowValues {
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

export const textOf = (cell: Cell) => String(cell).trim();

/** The day of a local time. */
export const dayIn = (moment: string) => moment.slice(0, 'YYYY-MM-DD'.length);

/** People put a dash where there is nothing to say. */
function isBlank(cell: Cell): boolean {
  const text = textOf(cell);
  return text === '' || /^\p{Pd}$/u.test(text);
}
