import { readableLines } from '../license/clear-text.js';
import { FILE_LABELS, readLicenseFile } from '../license/file-fields.js';
import { compareHardware } from '../license/hardware-list.js';
import { readInfo } from '../license/info-fields.js';
import { normalizeLabel } from '../license/known-fields.js';
import type { StructuredLicense } from '../license/schema.js';
import { readLines } from '../license/text-lines.js';
import { readInfoText, readValidation, type Validation } from '../ring/commands.js';
import type { RingLanguage } from '../ring/environment.js';
import type { Findings } from './findings.js';
import { KNOWN_LABELS } from './line-type.js';
import type { ReportedRun } from './ring-runs.js';
import type { TriedDecode } from './ring-trial.js';

type OtherLine = StructuredLicense['other'][number];

/** The readable lines of a license file. */
export function clearTextOf(file: Buffer): string {
  const lines = readableLines(file, (label) => FILE_LABELS.includes(label));
  return lines.join('\n');
}

/**
 * Reads what ring printed about the license as a decode does. Says which fields were found and which lines are not known,
 * and shows no value.
 */
export function checkDecode({ language, license }: TriedDecode, findings: Findings): void {
  if (license === undefined) {
    findings.problem(`license list (${language}) does not name the license`);
    return;
  }
  findings.good(`license list (${language}) names the license`);

  const { pin, info, validate, debugValidate } = license;
  const { valid } = readValidation(validate, pin);
  checkVerdict(valid, language, findings);

  const details = readValidation(debugValidate, pin);
  checkDebugRecords(details, language, findings);

  checkInfo(info, language, findings);
}

function checkVerdict(valid: boolean | null, language: RingLanguage, findings: Findings): void {
  const title = `license validate (${language})`;
  if (valid === null) {
    findings.problem(`${title}: no verdict found`);
    return;
  }

  const verdict = valid ? 'the license fits' : 'the license does not fit';
  findings.good(`${title}: ${verdict}`);
}

function checkDebugRecords(details: Validation, language: RingLanguage, findings: Findings): void {
  const { licenseHardware, machineHardware, previousPin } = details;
  const hasLicense = licenseHardware !== undefined;
  checkFound(`license's hardware in the debug records (${language})`, hasLicense, findings);

  const hasMachine = machineHardware !== undefined;
  checkFound(`this machine's hardware in the debug records (${language})`, hasMachine, findings);

  const lists = compareHardware(licenseHardware ?? '', machineHardware ?? '');
  const parameters = [...lists.license, ...lists.current];
  const areNamed = parameters.every(({ name }) => name !== '');
  checkFound(`names of the hardware parameters (${language})`, areNamed, findings);

  // Not every ring has to print this line, so it is no problem if it is missing.
  const pinLine = `line of the previous PIN code in the debug records (${language})`;
  findings.note(`– ${pinLine}: ${describePreviousPin(previousPin)}`);
}

function describePreviousPin(previousPin: Validation['previousPin']): string {
  if (previousPin === undefined) return 'not found';
  return previousPin === null ? 'found, without a PIN code' : 'found, with a PIN code';
}

function checkFound(what: string, isFound: boolean, findings: Findings): void {
  if (isFound) {
    findings.good(`${what}: found`);
  } else {
    findings.problem(`${what}: not found`);
  }
}

function checkInfo(run: ReportedRun, language: RingLanguage, findings: Findings): void {
  const title = `license info (${language})`;
  const text = readInfoText(run);
  checkFound(`text of ${title}`, text !== undefined, findings);

  const { owner, product, binding, other } = readInfo(text ?? '');
  noteFields(title, { ...owner, ...product, binding }, findings);
  checkOtherLines(title, run.stdout, other, findings);
}

/** Does the same for the clear text of the license file. */
export function checkClearText(clearText: string, findings: Findings): void {
  const title = 'clear text of the file';
  const bytes = Buffer.from(clearText);
  const { file, other } = readLicenseFile(bytes);
  if (file === null) {
    findings.note(`– ${title}: there is none`);
    return;
  }

  noteFields(title, file, findings);
  checkOtherLines(title, clearText, other, findings);
}

/** Notes the names of the fields with and without a value. */
function noteFields(title: string, fields: Record<string, unknown>, findings: Findings): void {
  const found: string[] = [];
  const missing: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const names = value === null ? missing : found;
    names.push(name);
  }

  const foundList = found.join(', ') || 'nothing';
  const missingList = missing.join(', ') || 'nothing';
  findings.note(`– ${title}: found ${foundList}; not found ${missingList}`);
}

/** Names the lines that no field holds, by their number in the text, and says why. */
function checkOtherLines(title: string, text: string, other: readonly OtherLine[], findings: Findings): void {
  const lines = readLines(text);
  let start = 0;
  for (const otherLine of other) {
    const candidates = linesOf(otherLine, other, lines);
    const index = candidates.find((each) => each >= start);
    if (index === undefined) {
      findings.problem(`${title}: ${NOT_READ}`);
      continue;
    }

    start = index + 1;
    const linesBefore = lines.slice(0, index);
    const isRepeated = isKnown(otherLine) && linesBefore.some((line) => hasLabel(line, otherLine));
    findings.problem(`${title}, line ${start}: ${isRepeated ? REPEATED : NOT_READ}`);
  }
}

const NOT_READ = 'not known, or its value has another form';
const REPEATED = 'its label stands twice, and this value is not used';

/**
 * The indexes of the lines that may be this one. If more lines are equal than no field holds, a field holds the first.
 * @returns an empty list for a value that was put together from several lines and has no label
 */
function linesOf(otherLine: OtherLine, other: readonly OtherLine[], lines: readonly string[]): number[] {
  const { name, value } = otherLine;
  const equalOthers = other.filter((each) => each.name === name && each.value === value);
  const equalLines: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (isFrom(line, otherLine)) equalLines.push(index);
  }
  return equalLines.slice(-equalOthers.length);
}

/** Whether it has the label, and the value or, if that spans lines, its beginning. */
function isFrom(line: string, otherLine: OtherLine): boolean {
  const { name, value } = otherLine;
  if (name === null) return line.trim() === value;

  const ownValue = line.slice(line.indexOf(':') + 1);
  return hasLabel(line, otherLine) && value.startsWith(ownValue.trim());
}

function hasLabel(line: string, { name }: OtherLine): boolean {
  const [label = ''] = line.split(':', 1);
  return normalizeLabel(label) === normalizeLabel(name ?? '');
}

function isKnown({ name }: OtherLine): boolean {
  return KNOWN_LABELS.has(normalizeLabel(name ?? ''));
}
