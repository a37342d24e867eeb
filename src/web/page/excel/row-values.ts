import { parseCount } from '../../../license/file-fields.js';
import { asMoment } from './cell-values.js';
import { MAX_TEXT_LENGTH, type ColumnKey } from './format.js';
import type { Cell, Row } from './workbook.js';

/** Where each column is, by its number. */
export type Columns = ReadonlyMap<ColumnKey, number>;

/** What a row says, by column. */
export class RowValues {
  /** How many cells hold what cannot be a value of their column. */
  unclear = 0;

  constructor(
    private readonly row: Row,
    private readonly columns: Columns,
    private readonly firstDay: number,
  ) {}

  /** @param parse gives null for what cannot be a value of the column */
  get<Value>(key: ColumnKey, parse: (cell: Cell) => Value | null): Value | null {
    const cell = this.cellOf(key);
    if (isBlank(cell)) return null;

    const isTooLong = String(cell).length > MAX_TEXT_LENGTH;
    const value = isTooLong || Number.isNaN(cell) ? null : parse(cell);
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

  /** YYYY-MM-DD */
  day(key: ColumnKey): string | null {
    const moment = this.moment(key);
    return moment?.slice(0, 'YYYY-MM-DD'.length) ?? null;
  }

  private cellOf(key: ColumnKey): Cell {
    const column = this.columns.get(key);
    if (column === undefined) return '';
    return this.row.get(column) ?? '';
  }
}

export const textOf = (cell: Cell) => String(cell).trim();

/** People put a dash where there is nothing to say. */
function isBlank(cell: Cell): boolean {
  const text = textOf(cell);
  return text === '' || /^\p{Pd}$/u.test(text);
}
