import { readLines } from '../../license/text-lines.js';

/**
 * The output of a command, with ring's own text separated from the log records, which ring prints on stdout too. A
 * record begins with its level in square brackets, padded to six characters, and may span lines.
 */
export interface Output {
  /** The output without log records and without messages of the JVM and of awk; trimmed, with `\n` as line end. */
  text: string;
  /** The log records in the order printed, each with its further lines. */
  records: string[];
  /** Undefined when the command was killed. */
  exitCode: number | undefined;
  stderr: string;
}

/** Stands before the hardware configuration of this machine, which ends at the first empty line. */
export const MACHINE_MARKER = 'hard.HardInfo - computer info :';
/** Stands before the hardware configuration of a license, which is followed by lines about its customer. */
export const LICENSE_MARKER = 'crypt.Converter - getLicensePermitFromBase64 : Request : Computer info :';
/** The line between the hardware configuration of a license and its customer. */
export const CUSTOMER_MARKER = 'Customer info :';

/** Stands before the PIN code in the lines about a license's customer. */
export const PIN_KEY = 'pin : ';

const RECORD = /^\[(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL) *\](?: |$)/;

/**
 * Messages of the programs around ring: of the awk that its launcher calls, and of the JVM (warnings of HotSpot and of its
 * unified log, and the options that it echoes).
 */
const MESSAGE_OF_OTHERS =
  /^(?:[mg]?awk: |.*\bVM warning: |\[\d+[.,]\d+s\]\[\w+ *\]|WARNING: |Picked up (?:JAVA_TOOL|JDK_JAVA|_JAVA)_OPTIONS: )/;

const STACK_TRACE =
  /^(?:\s+at \S|\s*Caused by: |\s*Suppressed: |\s*\.\.\. \d+ (?:more|common frames)|(?:[\w$]+\.)+[\w$]*(?:Exception|Error)(?::|$))/;

/** A line of a record such as `pin : 1`. In ring's own text no blank stands before a colon. */
const KEY_VALUE = /^[^:[\]]+ :(?: |$)/;

const INDENTED = /^\s+\S/;

/** Splits ring's stdout. Takes any text, with LF or CRLF, and never throws. */
export function splitLogRecords(stdout: string): Pick<Output, 'text' | 'records'> {
  const records: string[] = [];
  const text: string[] = [];
  let hasText = false;
  for (const block of splitAtRecords(readLines(stdout))) {
    const length = recordLength(block, hasText ? isFurtherLine : isFurtherLineBeforeText);
    if (length > 0) records.push(block.slice(0, length).join('\n'));

    for (const line of block.slice(length)) {
      if (MESSAGE_OF_OTHERS.test(line)) continue;
      text.push(line);
      if (line.trim() !== '') hasText = true;
    }
  }
  return { text: lastLines(text.join('\n')), records };
}

/** Splits lines before each record. A block is a record with the lines after it; only the first block has no record. */
function splitAtRecords(lines: readonly string[]): string[][] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (RECORD.test(line)) blocks.push([]);
    blocks.at(-1)?.push(line);
  }
  return blocks;
}

/** The number of lines of the record that a block begins with. The others are ring's text. */
function recordLength(block: readonly string[], belongsToRecord: (line: string) => boolean): number {
  const [head = ''] = block;
  if (!RECORD.test(head)) return 0;

  if (head.includes(MACHINE_MARKER)) {
    const emptyLine = block.findIndex((line) => line.trim() === '');
    return emptyLine === -1 ? block.length : emptyLine;
  }

  let length = head.includes(LICENSE_MARKER) ? lengthUpToPin(block) : 1;
  while (length < block.length && belongsToRecord(block[length] ?? '')) length++;
  return length;
}

/** Values of the customer may span lines that look like text, so no line before the PIN ends the record of a license. */
function lengthUpToPin(block: readonly string[]): number {
  const customerLine = block.findIndex((line) => line.startsWith(CUSTOMER_MARKER));
  if (customerLine === -1) return 1;

  const pinLine = block.findIndex((line, i) => i > customerLine && line.startsWith(PIN_KEY));
  const lastLine = pinLine === -1 ? customerLine : pinLine;
  return lastLine + 1;
}

const isFurtherLine = (line: string) => STACK_TRACE.test(line) || KEY_VALUE.test(line);

/** ring's text never begins with an indented line, so such a line belongs to a record as long as there is no text. */
const isFurtherLineBeforeText = (line: string) => INDENTED.test(line) || isFurtherLine(line);

/** Characters and lines that are kept of a text. ring prints a few thousand characters about one license. */
const MAX_CHARS = 65_536;
const MAX_LINES = 1_000;

/**
 * Bounds a text cut out of ring's output, and with it the size of the answer. The end stays, because a verdict comes last.
 * @param text with `\n` as line end
 * @returns the trimmed text, or its last whole lines
 */
export function lastLines(text: string): string {
  const lines = lastChars(text.trim()).split('\n');
  return lines.slice(-MAX_LINES).join('\n').trim();
}

/** Leaves out the line that crosses the limit, too. */
function lastChars(text: string): string {
  const cut = text.length - MAX_CHARS;
  if (cut <= 0) return text;

  // A line that begins right at the cut is whole, so the line end before it counts too.
  const lineEnd = text.indexOf('\n', cut - 1);
  return lineEnd === -1 ? '' : text.slice(lineEnd + 1);
}
