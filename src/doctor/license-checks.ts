import { readableLines } from '../license/clear-text.js';
import { FILE_LABELS, readLicenseFile } from '../license/file-fields.js';
import { compareHardware } from '../license/hardware-list.js';
import { readInfo } from '../license/info-fields.js';
import { normalizeLabel } from '../license/known-fields.js';
import type { StructuredLicense } from '../license/schema.js';
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
 * Reads what ring printed about the license as a decode does. Says which fields were found and which lines were not read,
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
  const result = isFound ? 'found' : 'not found';
  findings.check(isFound, `${what}: ${result}`);
}

function checkInfo(run: ReportedRun, language: RingLanguage, findings: Findings): void {
  const title = `license info (${language})`;
  const text = readInfoText(run);
  checkFound(`text of ${title}`, text !== undefined, findings);

  const { owner, product, binding, other } = readInfo(text ?? '');
  noteFields(title, { ...owner, ...product, binding }, findings);
  checkOtherLines(title, other, findings);
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
  checkOtherLines(title, other, findings);
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

/**
 * Says which lines no field holds. Of an unknown one not even the label is shown, because it may be the further line of a
 * value. The report has it masked.
 */
function checkOtherLines(title: string, other: readonly OtherLine[], findings: Findings): void {
  let unknownLines = 0;
  for (const { name } of other) {
    if (KNOWN_LABELS.has(normalizeLabel(name ?? ''))) {
      findings.problem(`${title}: "${name}" stands twice, or its value has another form`);
    } else {
      unknownLines += 1;
    }
  }
  if (unknownLines > 0) findings.problem(`${title}: lines that are not known: ${unknownLines}`);
}
