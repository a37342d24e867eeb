import { MAX_LABEL_CHARS } from './known-fields.js';
import { decodeText, readLines } from './text-lines.js';

/** The largest license file that is accepted, 5 MB. Real ones have a few kilobytes. */
export const MAX_FILE_BYTES = 5_242_880;
/** Bytes of a license file that are read for its clear text. A permit takes a few kilobytes, the text after it less. */
export const FILE_HEAD_BYTES = 64 * 1024;
/** Lines of clear text that are read. */
const MAX_LINES = 200;

/** A line of Base64 with at least this many characters cannot be a word. */
const MIN_BASE64_CHARS = 40;
/** A line of Base64. The last line of a signature ends in a colon. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}:?$/;
/** `Computer:` is a label, although it consists of characters of Base64. */
const WORD_LABEL = /^[A-Z][a-z]+:$/;

interface LabeledValue {
  name: string;
  value: string;
}

/** Tells whether a label is one that license files are known to have. */
type IsKnown = (label: string) => boolean;

/**
 * Reads the `Key: value` lines that follow the Base64 part of a license file. A value may go on in the next lines, with
 * `\n` between them. There may be Base64 between and after them.
 * @param file UTF-8, or windows-1251 in older files; only its first {@link FILE_HEAD_BYTES} are read
 * @returns an empty list when the file has no clear text
 */
export function readClearText(file: Uint8Array, isKnown: IsKnown): LabeledValue[] {
  const lines = readableLines(file, isKnown);
  const start = lines.findIndex((line) => labelEnd(line, isKnown) !== -1);
  if (start === -1) return [];

  const values: LabeledValue[] = [];
  for (const line of lines.slice(start, start + MAX_LINES)) {
    const labeled = splitAtLabel(line, isKnown);
    const current = values.at(-1);
    // The line after a bare `Key:` is its value, even if it looks like a label, unless that label is a known one.
    const isAfterBareLabel = current?.value === '';
    const beginsValue = labeled !== undefined && (!isAfterBareLabel || isKnown(labeled.name));
    if (beginsValue) {
      values.push(labeled);
    } else if (current !== undefined) {
      const continued = `${current.value}\n${line}`;
      current.value = continued.trim();
    }
  }
  return values;
}

/** The trimmed lines of a license file that are not Base64; parameters as for {@link readClearText}. */
export function readableLines(file: Uint8Array, isKnown: IsKnown): string[] {
  const lines = trimmedLines(file);
  // The last line may be cut off where the reading ends.
  if (file.length >= FILE_HEAD_BYTES) lines.pop();

  const readable: string[] = [];
  let followsBase64 = false;
  for (const line of lines) {
    // A short line with the characters of Base64 may be a word. Behind a line of Base64 it is the rest of it, unless it is
    // a label.
    const isRest: boolean = followsBase64 && !isBareLabel(line, isKnown);
    const isBase64: boolean = BASE64.test(line) && (isRest || isSurelyBase64(line));
    if (!isBase64) readable.push(line);
    followsBase64 = isBase64;
  }
  return readable;
}

/** The lines at the beginning of a file, of which only {@link FILE_HEAD_BYTES} are read. */
function trimmedLines(file: Uint8Array): string[] {
  const head = file.subarray(0, FILE_HEAD_BYTES);
  const { text } = decodeText(head);
  return readLines(text).map((line) => line.trim());
}

/** Whether a line with the characters of Base64 cannot be a word. */
function isSurelyBase64(line: string): boolean {
  return line.length >= MIN_BASE64_CHARS || line.endsWith('=:');
}

function isBareLabel(line: string, isKnown: IsKnown): boolean {
  return WORD_LABEL.test(line) || isKnown(line.replace(/:$/, ''));
}

/** Splits `Key: value`; undefined for a line without a label. */
function splitAtLabel(line: string, isKnown: IsKnown): LabeledValue | undefined {
  const colon = labelEnd(line, isKnown);
  if (colon === -1) return undefined;

  const name = line.slice(0, colon);
  const value = line.slice(colon + 1);
  return { name: name.trim(), value: value.trim() };
}

/**
 * Finds the colon that ends the label of a line. An unknown label begins with a letter, and a blank or the end of the line
 * follows its colon, unlike in `1С:Предприятие`.
 * @returns -1 when the line has no label
 */
function labelEnd(line: string, isKnown: IsKnown): number {
  const colon = line.slice(0, MAX_LABEL_CHARS + 1).indexOf(':');
  if (colon === -1) return -1;

  const label = line.slice(0, colon);
  if (isKnown(label)) return colon;

  const beginsWithLetter = /^\p{L}/u.test(label);
  const isFollowedByBlank = /^(?:\s|$)/.test(line.slice(colon + 1));
  return beginsWithLetter && isFollowedByBlank ? colon : -1;
}
