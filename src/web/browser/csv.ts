import type { Language } from '../../errors/catalog.js';
import { rowOf } from './row.js';
import { textIn, type TextKey } from './texts.js';
import type { Item } from './upload-queue.js';

/** Without it, Excel takes UTF-8 for the system's code page. */
const BOM = '\uFEFF';

/** What spreadsheets take for the start of a formula (OWASP, CSV Injection), with the full-width forms. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

/** A cell that spreadsheets show as text, whatever it holds. */
function cell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes a table the way Excel in Russian locales opens it: UTF-8 with a BOM, `;` and CRLF. */
export function toCsv(items: readonly Item[], language: Language): string {
  const rows = items.map((item) => rowOf(item, language));
  const header = Object.keys(rows[0] ?? {}).map((key) => textIn(language, key as TextKey));
  const lines = [header, ...rows.map((row) => Object.values(row))];
  return BOM + lines.map((cells) => `${cells.map(cell).join(';')}\r\n`).join('');
}
