import { readLines } from '../../license/text-lines.js';

/**
 * What a command printed, with ring's own text separated from the log records on the same stream. A record begins with
 * its level in square brackets, padded to six characters, and may span lines.
 */
export interface Output {
  /** The output without records and JVM messages: `\n` line ends, outer white space trimmed. */
  text: string;
  /** Each record with its further lines, in the order printed. */
  records: string[];
  /** Undefined when it was killed. */
  exitCode: number | undefined;
  stderr: string;
}

/** Begins this machine's hardware configuration, which ends at the first empty line. */
export const MACHINE_MARKER = 'hard.HardInfo - computer info :';
/** Begins a license's request, which ends with `key : value` lines about its customer. */
export const LICENSE_MARKER = 'crypt.Converter - getLicensePermitFromBase64 : Request : Computer info :';
/** Separates the license's hardware configuration from its customer. */
export const CUSTOMER_MARKER = 'Customer info :';

const RECORD = /^\[(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL) *\](?: |$)/;

/** The JVM's own messages: warnings of HotSpot and of its unified log, and echoed options. */
const JVM_MESSAGE =
  /^(?:.*\bVM warning: |\[\d+[.,]\d+s\]\[\w+ *\]|WARNING: |Picked up (?:JAVA_TOOL|JDK_JAVA|_JAVA)_OPTIONS: )/;

const STACK_TRACE =
  /^(?:\s+at \S|\s*Caused by: |\s*Suppressed: |\s*\.\.\. \d+ (?:more|common frames)|(?:[\w$]+\.)+[\w$]*(?:Exception|Error)(?::|$))/;

/** Further lines of a record are `key : value`; ring's own text has no space before the colon. */
const KEY_VALUE = /^[^:[\]]+ :(?: |$)/;

/** One past the last line of the record that begins at `start`. */
function endOfRecord(lines: readonly string[], start: number, textStarted: boolean): number {
  const head = lines[start] ?? '';
  let limit = start + 1;
  while (limit < lines.length && !RECORD.test(lines[limit] ?? '')) limit++;

  let end = start + 1;
  if (head.includes(MACHINE_MARKER)) {
    while (end < limit && lines[end]?.trim()) end++;
    return end;
  }
  if (head.includes(LICENSE_MARKER)) {
    // Values of the customer may span lines, so nothing before the PIN ends the record.
    const record = lines.slice(start, limit);
    const customer = record.findIndex((line) => line.startsWith(CUSTOMER_MARKER));
    const pin = record.findIndex((line, i) => i > customer && line.startsWith('pin : '));
    if (customer !== -1) end = start + Math.max(customer, pin) + 1;
  }
  while (end < limit) {
    const line = lines[end] ?? '';
    // ring's text never begins with an indented line, so before the text such a line belongs to the record.
    const indented = !textStarted && /^\s+\S/.test(line);
    if (!indented && !STACK_TRACE.test(line) && !KEY_VALUE.test(line)) break;
    end++;
  }
  return end;
}

/** Characters and lines that are kept of a text. What ring prints about one license takes a few thousand characters. */
const MAX_CHARS = 65_536;
const MAX_LINES = 1_000;

/**
 * Bounds a text cut out of ring's output, and with it the answer. The last lines stay, because a verdict comes last.
 * @param text with `\n` line ends
 * @returns the trimmed text, or its last lines without the one that crosses the limit
 */
export function lastLines(text: string): string {
  const trimmed = text.trim();
  const cut = trimmed.length - MAX_CHARS;
  const start = cut > 0 ? trimmed.indexOf('\n', cut - 1) + 1 || trimmed.length : 0;
  return trimmed.slice(start).split('\n').slice(-MAX_LINES).join('\n').trim();
}

/** Splits ring's stdout; takes any text, LF or CRLF, and never throws. */
export function splitLogRecords(stdout: string): Pick<Output, 'text' | 'records'> {
  const lines = readLines(stdout);
  const text: string[] = [];
  const records: string[] = [];
  let textStarted = false;
  for (let i = 0; i < lines.length;) {
    const line = lines[i] ?? '';
    if (RECORD.test(line)) {
      const end = endOfRecord(lines, i, textStarted);
      records.push(lines.slice(i, end).join('\n'));
      i = end;
      continue;
    }
    if (!JVM_MESSAGE.test(line)) {
      text.push(line);
      textStarted ||= line.trim() !== '';
    }
    i++;
  }
  return { text: lastLines(text.join('\n')), records };
}
