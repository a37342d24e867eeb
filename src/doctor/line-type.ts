import { FILE_LABELS } from '../license/file-fields.js';
import { INFO_LABELS, LICENSE_FILE } from '../license/info-fields.js';
import { normalizeLabel } from '../license/known-fields.js';

/** Where a text is from: `license info`, the clear text of the file, or any other output of ring. */
export type TextKind = 'info' | 'file' | 'log';

/**
 * The types of lines in such a text:
 * - `sentence`: words of ring or of the JVM
 * - `reason`: a sentence with a colon in it
 * - `field`: the name of a value, a colon, and the value
 * - `statement`: words of ring, a colon, and a value
 * - `continuation`: a line of a value that began in an earlier line
 */
type LineType = 'sentence' | 'reason' | 'field' | 'statement' | 'continuation';

/** A line in its parts, which put together are the line again. */
export interface Line {
  type: LineType;
  /** The beginning of a log record (level, logger, marker) or of a message of the JVM or of awk; may be empty. */
  head: string;
  /** The text before the colon, with its indentation. Empty for a sentence and a continuation. */
  label: string;
  /** With the blanks before it. */
  colon: string;
  rest: string;
}

/** Labels that the parsers know, and those in the debug records, in the form in which labels are compared. */
export const KNOWN_LABELS = new Set(
  [...INFO_LABELS, ...FILE_LABELS, 'pin', 'previous pin'].map(normalizeLabel),
);

/** Level and logger of a record, and the marker before the first line of a hardware configuration. */
const RECORD_HEAD =
  /^\[[A-Z]+ *\] (?:(?:com|org|java)\.[\w.$]+ - )?(?:getLicensePermitFromBase64 : Request : |computer info : )?/;
/** The beginning of a message of the launcher's awk, or of the JVM itself. */
const MESSAGE_HEAD =
  /^(?:[mg]?awk: |(?:OpenJDK|Java HotSpot\(TM\)) [\w-]+ \w+ VM warning: |\[\d+[.,]\d+s\]\[\w+ *\])/;
const LABELED = /^(\s*\p{L}[^:"«]{0,63}?)(\s*:)(?=\s|$)(.*)$/u;
const REASON = /^\s*(?:По причине|Причина|Ошибка|Reason|Cause|Error)(?!\p{L})/iu;
/** A program's name for a section: `TechnicalInfo`. */
const IDENTIFIER = /^[A-Z][a-z]+[A-Z][A-Za-z]*$/;
const NAME_OR_NUMBER = /\S\s+\p{Lu}\p{Ll}|\d/u;

/** Takes a line apart and finds its type. */
export function readLine(line: string, kind: TextKind): Line {
  const head = headOf(line);
  const body = line.slice(head.length);
  const labeled = splitAtLabel(body, kind);
  if (labeled !== undefined) {
    const type = typeOfLabeled(head, labeled, kind);
    return { type, head, ...labeled };
  }

  const isFromRing = kind === 'log' || head !== '';
  return {
    type: isFromRing ? 'sentence' : 'continuation',
    head,
    label: '',
    colon: '',
    rest: body,
  };
}

function headOf(line: string): string {
  const match = RECORD_HEAD.exec(line) ?? MESSAGE_HEAD.exec(line);
  return match?.[0] ?? '';
}

type LabeledText = Pick<Line, 'label' | 'colon' | 'rest'>;

/** Splits a text that begins with a label; undefined for any other text. */
function splitAtLabel(text: string, kind: TextKind): LabeledText | undefined {
  const match = LABELED.exec(text);
  if (match === null) return undefined;

  const [, label = '', colon = '', rest = ''] = match;
  if (!isLabel(label, rest, kind)) return undefined;
  return { label, colon, rest };
}

/** Whether the text before a colon is a label. If it is not a known one, it may be a further line of a value. */
function isLabel(label: string, rest: string, kind: TextKind): boolean {
  if (kind === 'log') return true;
  if (KNOWN_LABELS.has(normalizeLabel(label))) return true;
  if (IDENTIFIER.test(label)) return true;
  if (LICENSE_FILE.test(rest.trim())) return true;

  // ring indents the fields of `info`, so a line in column 0 that is no known header comes from a value.
  const isIndented = /^\s/.test(label);
  if (kind === 'info' && !isIndented) return false;

  const looksLikeValue = NAME_OR_NUMBER.test(label);
  return !looksLikeValue;
}

function typeOfLabeled(head: string, { label, colon }: LabeledText, kind: TextKind): LineType {
  if (kind !== 'log') return 'field';

  if (isParameter(label, colon)) {
    // A parameter has a line of its own, or follows a marker. Behind a mere logger it is a part of a sentence.
    const isAlone = head === '' || head.endsWith(': ');
    return isAlone ? 'field' : 'statement';
  }

  const isReason = head === '' && REASON.test(label);
  return isReason ? 'reason' : 'statement';
}

/** Whether this is the name of a parameter in a debug record: a blank stands before its colon, or it ends in a number. */
export function isParameter(label: string, colon: string): boolean {
  const hasBlankBeforeColon = colon !== ':';
  const isNumbered = /_\d+$/.test(label);
  return hasBlankBeforeColon || isNumbered;
}
