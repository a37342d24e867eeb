import { readableLines } from '../license/clear-text.js';
import { FILE_LABELS, readLicenseFile } from '../license/file-fields.js';
import { compareHardware } from '../license/hardware-list.js';
import { readInfo } from '../license/info-fields.js';
import type { StructuredLicense } from '../license/schema.js';
import { readLines } from '../license/text-lines.js';
import { readInfoText, readList, readValidation, type Command, type Validation } from '../ring/commands.js';
import type { RingLanguage } from '../ring/environment.js';
import type { Findings } from './findings.js';
import { LANGUAGES, titleOf, type ReportedRun } from './ring-runs.js';

type OtherLine = StructuredLicense['other'][number];

/** The readable lines of a license file. */
export function clearTextOf(file: Buffer): string {
  const lines = readableLines(file, (label) => FILE_LABELS.includes(label));
  return lines.join('\n');
}

/**
 * Reads what ring printed about a license as a decode does. Says which fields were found and which lines are not known,
 * and shows no value.
 * @param clearText of the license file
 * @throws {Error} when a run is missing that should be there
 */
export function checkLicense(runs: readonly ReportedRun[], clearText: string, findings: Findings): void {
  for (const language of LANGUAGES) checkLanguage(runs, language, findings);
  checkClearText(clearText, findings);
}

function checkLanguage(runs: readonly ReportedRun[], language: RingLanguage, findings: Findings): void {
  const runOf = (command: Command) => {
    const title = titleOf(command, language);
    const found = runs.find((run) => run.title === title);
    if (found === undefined) throw new Error(`The report lacks ${title}.`);
    return found;
  };

  const license = readList(runOf({ name: 'list' }));
  if (license === undefined) {
    findings.problem(`license list (${language}) does not name the license`);
    return;
  }
  findings.good(`license list (${language}) names the license`);

  const validateRun = runOf({ name: 'validate' });
  const validation = readValidation(validateRun, license.pin);
  checkVerdict(validation, language, findings);

  const debugRun = runOf({ name: 'validate', debug: true });
  const details = readValidation(debugRun, license.pin);
  checkHardware(details, language, findings);

  const infoRun = runOf({ name: 'info' });
  checkInfo(infoRun, details, language, findings);
}

function checkVerdict({ valid }: Validation, language: RingLanguage, findings: Findings): void {
  const title = `license validate (${language})`;
  if (valid === null) {
    findings.problem(`${title}: no verdict found`);
    return;
  }

  const verdict = valid ? 'the license fits' : 'the license does not fit';
  findings.good(`${title}: ${verdict}`);
}

function checkHardware(
  { licenseHardware, machineHardware }: Validation,
  language: RingLanguage,
  findings: Findings,
): void {
  const hasLicense = licenseHardware !== undefined;
  checkFound(`license's hardware in the debug records (${language})`, hasLicense, findings);

  const hasMachine = machineHardware !== undefined;
  checkFound(`this machine's hardware in the debug records (${language})`, hasMachine, findings);

  const lists = compareHardware(licenseHardware ?? '', machineHardware ?? '');
  const parameters = [...lists.license, ...lists.current];
  const areNamed = parameters.every(({ name }) => name !== '');
  checkFound(`names of the hardware parameters (${language})`, areNamed, findings);
}

function checkFound(what: string, isFound: boolean, findings: Findings): void {
  if (isFound) {
    findings.good(`${what}: found`);
  } else {
    findings.problem(`${what}: not found`);
  }
}

function checkInfo(
  run: ReportedRun,
  { previousPin }: Validation,
  language: RingLanguage,
  findings: Findings,
): void {
  const title = `license info (${language})`;
  const text = readInfoText(run);
  checkFound(`text of ${title}`, text !== undefined, findings);

  const { owner, product, binding, other } = readInfo(text ?? '');
  const fields = {
    ...owner,
    ...product,
    binding,
    previousPin,
  };
  noteFields(title, fields, findings);
  checkOtherLines(title, run.stdout, other, findings);
}

function checkClearText(clearText: string, findings: Findings): void {
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

/** Names the lines that no field holds, by their number in the text. */
function checkOtherLines(title: string, text: string, other: readonly OtherLine[], findings: Findings): void {
  const lines = readLines(text);
  let start = 0;
  for (const otherLine of other) {
    const index = lines.findIndex((line, i) => i >= start && isFrom(line, otherLine));

    let where = title;
    // A value that was put together from several lines is none of them. Then only the text is named.
    if (index !== -1) {
      const lineNumber = index + 1;
      where = `${title}, line ${lineNumber}`;
      start = lineNumber;
    }
    findings.problem(`${where}: not known, or its value has another form`);
  }
}

function isFrom(line: string, { name, value }: OtherLine): boolean {
  if (name === null) return line.trim() === value;

  const [label = ''] = line.split(':', 1);
  return label.trim() === name;
}
