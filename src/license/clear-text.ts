import { MAX_LABEL_CHARS } from './known-fields.js';
import { decodeText, readLines } from './text-lines.js';

/** Largest license file, 5 MB; a file of exactly this size is accepted. Real ones have a few kilobytes. */
export const MAX_FILE_BYTES = 5_242_880;
/** Bytes of a license file that are read: a permit takes a few kilobytes, the clear text after it less. */
export const FILE_HEAD_BYTES = 64 * 1024;
/** Lines of clear text that are read. */
const MAX_LINES = 200;

/** Characters from which on a line of Base64 cannot be a word. */
const MIN_BASE64_CHARS = 40;
/** The last line of a signature ends in a colon. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}:?$/;
/** `Computer:` has the characters of Base64, but is a label. */
const WORD_LABEL = /^[A-Z][a-z]+:$/;

interface LabeledValue {
  name: string;
  value: string;
}

/**
 * Reads the `Key: value` lines that follow the Base64 part of a license file. A value may go on in the next
 * lines, joined by a blank. There may be Base64 between and after them.
 * @param file the first {@link FILE_HEAD_BYTES} of the file; UTF-8, or windows-1251 in older files
 * @returns an empty list when the file has no clear text
 */
export function readClearText(file: Uint8Array, isKnown: (label: string) => boolean): LabeledValue[] {
  const lines = readableLines(file, isKnown);
  const start = lines.findIndex((line) => labelEnd(line, isKnown) !== -1);
  if (start === -1) return [];

  const values: LabeledValue[] = [];
  let current: LabeledValue = { name: '', value: '' };
  for (const line of lines.slice(start, start + MAX_LINES)) {
    const end = labelEnd(line, isKnown);
    const name = line.slice(0, Math.max(end, 0)).trim();
    // The line after a bare `Key:` is its value, even with a colon in it.
    const isContinuation = values.length > 0 && current.value === '' && !isKnown(name);
    if (end === -1 || isContinuation) {
      current.value = `${current.value} ${line}`.trim();
    } else {
      current = { name, value: line.slice(end + 1).trim() };
      values.push(current);
    }
  }
  return values;
}

/** The trimmed lines of a license file that are not Base64; parameters as for {@link readClearText}. */
export function readableLines(file: Uint8Array, isKnown: (label: string) => boolean): string[] {
  const head = file.subarray(0, FILE_HEAD_BYTES);
  const lines = readLines(decodeText(head).text).map((line) => line.trim());
  // The file may go on after its last line here.
  if (head.length === FILE_HEAD_BYTES) lines.pop();
  let inBase64 = false;
  return lines.filter((line) => {
    // A short line of Base64 counts when it cannot be text, or follows another.
    const isSure = line.length >= MIN_BASE64_CHARS || line.endsWith('=:');
    const isLabel = () => WORD_LABEL.test(line) || isKnown(line.replace(/:$/, ''));
    inBase64 = BASE64.test(line) && (isSure || (inBase64 && !isLabel()));
    return !inBase64;
  });
}

/**
 * Finds the colon that ends the label of a line. After an unknown label, only a blank or the end of the line
 * may follow it, unlike in `1С:Предприятие`.
 * @returns -1 when the line has no label
 */
function labelEnd(line: string, isKnown: (label: string) => boolean): number {
  const colon = line.slice(0, MAX_LABEL_CHARS + 1).indexOf(':');
  if (colon === -1 || isKnown(line.slice(0, colon))) return colon;
  return /^\p{L}/u.test(line) && /^:(?:\s|$)/.test(line.slice(colon)) ? colon : -1;
}
